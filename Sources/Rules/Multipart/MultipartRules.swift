import Citation
import Events
import HTTPSemantics

/// Multipart bodies: uploads of forms, and responses in frames or ranges.
struct MultipartRules: Sendable {
  static let infos: [RuleInfo] =
    MultipartAnomalyTable.rows.map(\.info) + [
      BoundaryParameter.missing, BoundaryParameter.illegal, BoundaryNotInBody.info, FinalDelimiterMissing.info,
      MultipartAsides.epilogue, MultipartAsides.preamble, MultipartLengthMismatch.info, MultipartStreamOpen.info,
      BufferedMultipart.info, MixedReplaceClient.info,
    ]
  static let interests: EventKinds = [.exchange, .stray, .connectionClosed]

  private var mismatch = MultipartLengthMismatch()

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    switch event {
    case .exchange(let exchange):
      if let request = exchange.request { judge(request, exchange, context, report) }
      if let response = exchange.response { judge(response, exchange, context, report) }
    case .stray(.error(let error), let direction, let key):
      mismatch.note(error, direction, exchange: key.number, in: context, report: report)
    case .connectionClosed: mismatch.finish(in: context, report: report)
    default: break
    }
  }

  private mutating func judge(
    _ message: Message, _ exchange: ExchangeRecord, _ context: FlowContext, _ report: (Finding) -> Void
  ) {
    guard let head = message.head, head.framing != .none, let type = head.multipartType else { return }
    BoundaryParameter().observe(message, head, type, exchange, in: context, report: report)
    guard let record = message.multipart else { return }
    MultipartAnomalyTable.observe(record, of: message, exchange, in: context, report: report)
    BoundaryNotInBody().observe(record, of: message, type, exchange, in: context, report: report)
    mismatch.observe(record, of: message, exchange, in: context, report: report)
    FinalDelimiterMissing().observe(record, of: message, exchange, in: context, report: report)
    MultipartAsides().observe(record, of: message, exchange, in: context, report: report)
    MultipartStreamOpen().observe(record, of: message, exchange, in: context, report: report)
    BufferedMultipart().observe(message, exchange, in: context, report: report)
    MixedReplaceClient().observe(record, of: message, exchange, in: context, report: report)
  }
}

/// What only several exchanges show together.
struct MultipartCaptureRules: Sendable {
  static let infos: [RuleInfo] = [RetryTruncatedStream.info]

  private var retry = RetryTruncatedStream()

  mutating func observe(
    _ exchange: ExchangeRecord, _ request: Message, _ head: MessageHead, _ key: RequestKey, in context: FlowContext,
    report: (Finding) -> Void
  ) {
    guard head.multipartType != nil else { return }
    retry.observe(exchange, request, key, in: context, report: report)
  }
}

extension Specification {
  static let multipartBoundary = Specification(
    "RFC 2046 §5.1.1", "https://www.rfc-editor.org/rfc/rfc2046#section-5.1.1")
  static let formBoundary = Specification("RFC 7578 §4.1", "https://www.rfc-editor.org/rfc/rfc7578#section-4.1")
  static let formDisposition = Specification("RFC 7578 §4.2", "https://www.rfc-editor.org/rfc/rfc7578#section-4.2")
  static let formPartType = Specification("RFC 7578 §4.4", "https://www.rfc-editor.org/rfc/rfc7578#section-4.4")
  static let formTransferEncoding = Specification("RFC 7578 §4.7", "https://www.rfc-editor.org/rfc/rfc7578#section-4.7")
  static let formEncoding = Specification(
    "HTML: multipart form data",
    "https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data")
}

extension MessageHead {
  /// The Content-Type field of a multipart message.
  var multipartType: HeaderField? {
    guard let field = block.first("content-type"), field.value.count > 10 else { return nil }
    let start = field.value.lowerBound
    return block.reads("multipart/", at: start..<start + 10) ? field : nil
  }
}

/// Who was hurt by what is wrong with a multipart message: the sender of a request that was refused as if it had not been
/// understood, or that was never answered. That this was the reason is inferred.
struct MultipartHarm {
  var cost = Cost.none
  var confidence = Confidence.high
  var evidence: [Evidence] = []

  static let fitting = ExchangeRecord.misunderstood.union([422])

  /// `answers` are those that the fault explains.
  init(
    _ message: Message, _ exchange: ExchangeRecord, in context: FlowContext, answers: Set<UInt16> = Self.fitting
  ) {
    guard exchange.isRequest(message) else { return }
    if answers.contains(exchange.status.code), let answer = Evidence.status(exchange.response, "the answer") {
      cost = .failed(.exchange)
      confidence = .medium
      evidence = [answer]
    } else if answers == Self.fitting, message.isComplete, let end = exchange.unansweredEnd,
      end.direction == .toClient || end.packet.time.since(message.last.time) >= context.thresholds[.multipartWait]
    {
      // A client that leaves at once had other reasons.
      cost = .failed(.exchange)
      confidence = .medium
      evidence = [Evidence(.packet(end.packet, end.direction), "the connection ends without an answer")]
    }
  }
}

extension ExchangeRecord {
  /// How the connection ended under a request that was not answered.
  var unansweredEnd: (packet: PacketRef, direction: Direction)? {
    guard response == nil, !isResponseMissing else { return nil }
    return firstEnd
  }

  /// The first FIN or reset of either side.
  var firstEnd: (packet: PacketRef, direction: Direction)? { end.first.map { ($0.side.packet, $0.by) } }
}
