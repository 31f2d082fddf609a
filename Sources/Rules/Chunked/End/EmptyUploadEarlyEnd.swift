import Citation
import Events
import HTTPSemantics

/// An upload of swift-corelibs-foundation's URLSession that ends at its first pause.
struct EmptyUploadEarlyEnd: ConnectionRule {
  static let info = RuleInfo(
    id: "chunked/empty-upload-early-end", severity: .error, confidence: .medium,
    summary: "A streamed upload ended at its first pause.",
    explanation: """
      URLSession of Foundation on Linux and Windows reads an upload's InputStream and takes "no bytes yet" for the end \
      of the body. A stream that is meant to stay open is closed with the last chunk after what happened to be there, \
      often nothing at all. The app believes that it is still writing; the server has a complete, short request. On \
      Apple platforms the same code works.
      """,
    evidence: """
      The User-Agent, the request's head and the last chunk right after it. One short upload may be intended: a body \
      without any byte counts, or a second request of the same kind on the connection.
      """,
    fix: """
      Client: on these platforms, upload from data or a file, send each message as a request of its own, or use another \
      HTTP client (AsyncHTTPClient) for streams.
      """,
    specifications: [
      Specification("swift-corelibs-foundation", "https://github.com/swiftlang/swift-corelibs-foundation"),
      .chunkedCoding,
    ],
    thresholds: [.emptyUpload], since: "0.1")

  /// The kind of the first short upload on the connection, until a second one is like it.
  private var candidate: String?

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let request = exchange.request, let chunks = request.chunks,
      let zero = chunks.terminator, chunks.count <= 1, let head = request.head,
      let client = exchange.corelibsClient,
      zero.first.time.since(head.span.last.time) <= context.thresholds[.emptyUpload]
    else { return }
    let kind = head.requestTitle
    guard chunks.count == 0 || candidate == kind else {
      candidate = kind
      return
    }
    report(
      Finding(
        Self.info, subject: .connection(context.id), exchange: exchange.number, direction: request.direction,
        .ended(exchange, request, after: zero.first.time.since(head.span.last.time)),
        cost: exchange.isMisunderstood || chunks.count == 0 ? .failed(.exchange) : .none,
        fix: Self.info.fix,
        evidence: [client, Evidence(.bytes(zero, request.direction), "the last chunk")]))
  }
}

extension Threshold {
  static let emptyUpload = Threshold(
    "chunked.empty-upload", .nanoseconds, 50_000_000, "an upload that ends this soon after it began")
}

extension ExchangeRecord {
  /// The User-Agent of swift-corelibs-foundation, `NAME (unknown version) curl/…`, on a request that is wholly captured.
  var corelibsClient: Evidence? {
    guard let request, let head = request.head, let agent = head.block.first("user-agent"),
      head.block.value(agent).contains("(unknown version) curl/"), request.isWhollyCaptured
    else { return nil }
    return .field(agent, head, request.direction, "the client's library")
  }
}

extension FindingMessage {
  fileprivate static func ended(_ exchange: ExchangeRecord, _ request: Message, after time: Int64) -> Self {
    "\(exchange.title): the streamed upload ended \(Wording.duration(time)) after its head with \(Wording.bytes(request.bodyBytes)) of body; the library took a pause for the end (inferred)."
  }
}
