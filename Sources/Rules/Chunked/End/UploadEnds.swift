import Citation
import Events
import HTTPSemantics

/// Uploads of swift-corelibs-foundation's URLSession, which names itself `NAME (unknown version) curl/…`, that end when
/// they should wait.
struct UploadEnds: Sendable {
  static let empty = RuleInfo(
    id: "chunked/empty-upload-early-end", severity: .error, confidence: .medium,
    summary: "A streamed upload ended at its first pause.",
    explanation: """
      URLSession of Foundation on Linux and Windows reads an upload's InputStream and takes "no bytes yet" for the end \
      of the body. A stream that is meant to stay open is closed with the last chunk after what happened to be there, \
      often nothing at all. The app believes that it is still writing; the server has a complete, short request. On \
      Apple platforms the same code works.
      """,
    evidence: """
      The User-Agent, the request's head and the last chunk right after it. One short upload may be meant so: a body \
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

  static let stalled = RuleInfo(
    id: "chunked/upload-stall-64k", severity: .warning, confidence: .low,
    summary: "A streamed upload stopped after 64 KiB.",
    explanation: """
      URLSession of Foundation on Windows is known to send the first 64 KiB of a streamed body and then nothing, until \
      a timeout resets the connection. Neither the network nor the server is at fault: the window is open and nobody \
      sends.
      """,
    evidence: """
      The User-Agent, the last bytes of the body, and what ended the silence. That the client runs on Windows is not on \
      the wire; the place where it stopped is what points at it.
      """,
    fix: "Client: upload from data or a file, or update Foundation. Server: nothing.",
    specifications: [
      Specification(
        "swift-corelibs-foundation issue 5532",
        "https://github.com/swiftlang/swift-corelibs-foundation/issues/5532")
    ],
    thresholds: [.stalledUpload], since: "0.1")

  /// What the library's buffer holds, and what may be read around it.
  private static let stallRange: ClosedRange<UInt64> = 63_488...67_584

  /// The kind of the first short upload on the connection, until a second one is like it.
  private var candidate: String?

  mutating func observe(
    _ exchange: ExchangeRecord, _ ends: ConnectionEnds, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard let request = exchange.request, let chunks = request.chunks, let head = request.head,
      let agent = head.block.first("user-agent"), head.block.value(agent).contains("(unknown version) curl/"),
      request.isWhollyCaptured
    else { return }
    let client = Evidence.field(agent, head, request.direction, "the client's library")
    if let zero = chunks.terminator {
      guard chunks.count <= 1, zero.first.time.since(head.span.last.time) <= context.thresholds[.emptyUpload] else {
        return
      }
      let kind = head.requestTitle
      guard chunks.count == 0 || candidate == kind else {
        candidate = kind
        return
      }
      report(
        Finding(
          Self.empty, subject: .connection(context.id), exchange: exchange.number, direction: request.direction,
          .ended(exchange, request, after: zero.first.time.since(head.span.last.time)),
          cost: exchange.isMisunderstood || chunks.count == 0 ? .failed(.exchange) : .none,
          fix: "Client: upload from data or a file on this platform, or use another HTTP client for streams.",
          evidence: [client, Evidence(.bytes(zero, request.direction), "the last chunk")]))
    } else if !request.isComplete, exchange.isUnanswered, Self.stallRange.contains(request.bodyBytes),
      let closed = context.closedBy, let close = ends[closed], let last = request.lastBody
    {
      let silence = close.time.since(last.time)
      guard silence >= context.thresholds[.stalledUpload] else { return }
      report(
        Finding(
          Self.stalled, subject: .connection(context.id), exchange: exchange.number, direction: request.direction,
          "\(exchange.title): the upload stopped after \(Wording.bytes(request.bodyBytes)), and \(Wording.duration(silence)) later the connection ended.",
          cost: .failed(.exchange), fix: "Client: upload from data or a file, or update Foundation.",
          evidence: [
            client, Evidence(.packet(last, request.direction), "the last bytes of the body"),
            Evidence(.packet(close, closed), "ends the silence"),
          ]))
    }
  }
}

extension FindingMessage {
  fileprivate static func ended(_ exchange: ExchangeRecord, _ request: Message, after time: Int64) -> Self {
    "\(exchange.title): the streamed upload ended \(Wording.duration(time)) after its head with \(Wording.bytes(request.bodyBytes)) of body; the library took a pause for the end (inferred)."
  }
}
