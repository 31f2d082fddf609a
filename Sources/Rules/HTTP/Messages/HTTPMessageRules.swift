import Events

/// What is wrong with one message, whatever it answers: its lines, its fields, its length, its content.
struct HTTPMessageRules: Sendable {
  static let infos: [RuleInfo] =
    anomalies.rows.map(\.info) + [
      AbsoluteFormHost.info, BodylessWithBody.info, BodyOnGet.info, ContentBroken.info, ContentLengthExcess.info,
      ContentLengthShort.info, ContentNegotiation.unasked, ContentNegotiation.unvaried, DateSkew.info,
      DrippedHead.info, EmptyTypedPost.info, FormTypeDefault.info, HostMissing.info, HostNotFirst.info,
      InflationStopped.info, LargeHead.info, NonASCIIValue.info, RangeInconsistent.info, RepeatedSingleton.info,
      TargetForm.info, UnderscoreInName.info, UnframedRequest.info,
    ]
  static let interests: EventKinds = [.exchange, .stray, .gap, .connectionClosed]

  private static let anomalies = AnomalyTable(StartLineAnomalies.rows + LineAnomalies.rows + FieldAnomalies.rows)

  private var surplus = SurplusBytes()
  private var unframed = UnframedRequest()
  private var habits = LintTally()

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    switch event {
    case .exchange(let exchange):
      surplus.note(exchange)
      observe(exchange, in: context, report: report)
    case .stray(let stray, let direction, _): surplus.note(stray, direction)
    case .gap: surplus.noteHole()
    case .connectionClosed: close(in: context, report: report)
    default: break
    }
  }

  private mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    Self.anomalies.observe(exchange, in: context, report: report)
    observeHeads(exchange, in: context, report: report)
    ContentLengthShort().observe(exchange, in: context, report: report)
    BodylessWithBody().observe(exchange, in: context, report: report)
    BodyOnGet().observe(exchange, in: context, report: report)
    EmptyTypedPost().observe(exchange, in: context, report: report)
    unframed.observe(exchange, in: context, report: report)
    FormTypeDefault().observe(exchange, in: context, report: report)
    ContentBroken().observe(exchange, in: context, report: report)
    ContentNegotiation().observe(exchange, in: context, report: report)
    InflationStopped().observe(exchange, in: context, report: report)
    RangeInconsistent().observe(exchange, in: context, report: report)
  }

  private mutating func observeHeads(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    NonASCIIValue().observe(exchange, in: context, report: report)
    RepeatedSingleton().observe(exchange, in: context, report: report)
    HostMissing().observe(exchange, in: context, report: report)
    TargetForm().observe(exchange, in: context, report: report)
    AbsoluteFormHost().observe(exchange, in: context, report: report)
    LargeHead().observe(exchange, in: context, report: report)
    DrippedHead().observe(exchange, in: context, report: report)
    UnderscoreInName().observe(exchange, in: context, &habits)
    HostNotFirst().observe(exchange, in: context, &habits)
    DateSkew().observe(exchange, in: context, &habits)
  }

  private mutating func close(in context: FlowContext, report: (Finding) -> Void) {
    for found in surplus.taken() {
      BodylessWithBody().judge(found, in: context, report: report)
      ContentLengthExcess().judge(found, in: context, report: report)
      unframed.judge(found)
    }
    for finding in unframed.taken() { report(finding) }
    for finding in habits.taken() { report(finding) }
  }
}
