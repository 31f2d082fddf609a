import Citation
import Events
import HTTPSemantics

/// An upload of swift-corelibs-foundation's URLSession that stops when its first buffer is sent.
enum UploadStall64K: ExchangeRule {
  static let info = RuleInfo(
    id: "chunked/upload-stall-64k", severity: .warning, confidence: .low,
    summary: "A streamed upload stopped after 64 KiB.",
    explanation: """
      URLSession of Foundation on Windows is known to send the first 64 KiB of a streamed body and then nothing, until \
      a timeout resets the connection. Neither the network nor the server is at fault: the window is open and the \
      client does not send.
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
    thresholds: [.stalledUpload], causedBy: ["stream/cut-by-middlebox"], since: "0.1")

  /// What the library's buffer holds, and what may be read around it.
  private static let stallRange: ClosedRange<UInt64> = 63_488...67_584

  static var needs: ExchangeFacts { .chunks }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let request = exchange.request, let chunks = request.chunks, chunks.terminator == nil, !request.isComplete,
      exchange.isUnanswered, stallRange.contains(request.bodyBytes), let client = exchange.corelibsClient,
      let closed = context.closedBy, let close = exchange.closing(closed), let last = request.lastBody
    else { return }
    let silence = close.time.since(last.time)
    guard silence >= context.thresholds[.stalledUpload] else { return }
    report(
      Finding(
        info, subject: .connection(context.id), exchange: exchange.number, direction: request.direction,
        "\(exchange.title): the upload stopped after \(Wording.bytes(request.bodyBytes)), and \(Wording.duration(silence)) later the connection ended.",
        cost: .failed(.exchange), fix: info.fix,
        evidence: [
          client, Evidence(.packet(last, request.direction), "the last bytes of the body"),
          Evidence(.packet(close, closed), "ends the silence"),
        ]))
  }
}

extension Threshold {
  static let stalledUpload = Threshold(
    "chunked.stalled-upload", .nanoseconds, 10_000_000_000, "silence of an upload before its connection ended")
}
