import Citation
import Events
import HTTPSemantics

/// A rule that restates one anomaly of a parser: a row of its family's table.
///
/// A request with it that was answered as if it had not been understood is hurt; that the anomaly was the reason is
/// inferred, and the answer is quoted. Without such an answer, and in a response, it is lint.
struct NamedAnomaly: Sendable {
  /// Where in a message it must stand; nil for anywhere.
  typealias Places = Set<Lenience.Place>

  enum Messages { case all, responses }

  let info: RuleInfo
  let messages: Messages
  let kinds: Set<Lenience.Kind>
  let places: Places?
  /// What is the matter, as the end of a sentence: `a blank stands between a chunk's size and its line end`.
  let what: String
  /// To whoever sent it.
  let fix: String
  /// The answers that it may explain.
  let fitting: Set<UInt16>

  init(
    _ info: RuleInfo, _ kinds: Set<Lenience.Kind>, in places: Places? = nil, of messages: Messages = .all,
    _ what: String,
    fitting: Set<UInt16> = ExchangeRecord.misunderstood, fix: String
  ) {
    self.fitting = fitting
    self.messages = messages
    self.info = info
    self.kinds = kinds
    self.places = places
    self.what = what
    self.fix = fix
  }

  func matches(_ lenience: Lenience) -> Bool {
    kinds.contains(lenience.kind) && (places?.contains(lenience.place) ?? true)
  }

  /// `count` is how often it was met in the message.
  func finding(
    _ lenience: Lenience, count: Int, of message: Message, _ exchange: ExchangeRecord, in context: FlowContext
  ) -> Finding {
    let isHurt = exchange.isRequest(message) && fitting.contains(exchange.status.code)
    var evidence = [Evidence.lenience(lenience, message.direction, what)]
    if isHurt, let answer = Evidence.status(exchange.response, "the answer") { evidence.append(answer) }
    var finding = Finding(
      info, confidence: isHurt ? min(info.confidence, .medium) : info.confidence, subject: .connection(context.id),
      exchange: exchange.number, direction: message.direction,
      "\(exchange.title): in what \(Wording.sender(message.direction)) sent, \(what).",
      cost: isHurt ? .failed(.exchange) : .none, fix: fix, evidence: evidence)
    finding.count = UInt64(max(1, count))
    return finding
  }
}

/// The rows of a family, and the judging of an exchange by them.
struct AnomalyTable: Sendable {
  let rows: [NamedAnomaly]
  private let all: Set<Lenience.Kind>

  init(_ rows: [NamedAnomaly]) {
    self.rows = rows
    all = rows.reduce(into: []) { $0.formUnion($1.kinds) }
  }

  func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    if let request = exchange.request { observe(request, exchange, context, report) }
    for interim in exchange.interim { observe(interim, exchange, context, report) }
    if let response = exchange.response { observe(response, exchange, context, report) }
  }

  private func observe(
    _ message: Message, _ exchange: ExchangeRecord, _ context: FlowContext, _ report: (Finding) -> Void
  ) {
    guard !message.leniences.isEmpty else { return }
    guard message.leniences.contains(where: { all.contains($0.kind) }) else { return }
    // What every chunk repeats is one finding that quotes the first and counts the rest.
    let isResponse = !exchange.isRequest(message)
    for row in rows where row.messages == .all || isResponse {
      var first: Lenience?
      var count = 0
      for lenience in message.leniences where row.matches(lenience) {
        first = first ?? lenience
        count += lenience.count
      }
      if let first { report(row.finding(first, count: count, of: message, exchange, in: context)) }
    }
  }
}
