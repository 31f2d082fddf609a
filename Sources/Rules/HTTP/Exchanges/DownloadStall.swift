import Citation
import Events
import HTTPSemantics

/// A response that stalled in its middle although there was more of it.
enum DownloadStall: ExchangeRule {
  static let info = RuleInfo(
    id: "http/download-stall", severity: .warning,
    summary: "The response stalled in its middle although the network was free.",
    explanation: """
      More of the body was to come, all of it that had been sent was acknowledged, the client's window was open, and the \
      server sent nothing for the time shown; then it went on. The cause is behind the server's socket: a disk, a database \
      or a backend that was slow to give the rest, a worker that was busy, a proxy whose own upstream stalled. A client \
      with a read timer shorter than this gives up.
      """,
    evidence: """
      The packets before and after the pause. Only of a body of known length, or of one that came in eight chunks or \
      more, of one size all but one: what else is chunked may have had nothing to say. The pause must be longer than all \
      others of the body together, for a server that sends by the clock pauses often. One that lost packets, a closed \
      window or a hole in the capture explains does not count; in a capture that was not made beside the server, packets \
      that were lost on the way to it look the same.
      """,
    fix: """
      Server or proxy: find what gave the body no bytes at this moment (its log, its upstream's, the disk). Capture \
      behind the proxy to see which hop stalled.
      """,
    specifications: [
      Specification("RFC 9112 §6", "https://www.rfc-editor.org/rfc/rfc9112#section-6")
    ],
    thresholds: [.downloadPause], causedBy: ["tcp/host-silent"], since: "0.1")

  private static let chunks: UInt64 = 8

  static var needs: ExchangeFacts { [.response, .body, .drip] }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let response = exchange.response, !response.isReadByItem, isTransfer(response),
      let longest = response.stalls.max(by: { $0.nanoseconds < $1.nanoseconds }), longest.cause == .senderIdle,
      longest.nanoseconds >= context.thresholds[.downloadPause],
      longest.nanoseconds > response.silence.total &- longest.nanoseconds, let last = response.lastBody,
      longest.to.number <= last.number,
      exchange.request.map({ $0.last.number <= longest.from.number }) ?? true
    else { return }
    // Away from the server, what was lost before leaves no trace.
    let isSure = response.isWhollyCaptured && context.roundTrip.vantage == .server
    report(
      Finding(
        info, confidence: isSure ? longest.confidence : min(longest.confidence, .medium),
        subject: .connection(context.id), exchange: exchange.number,
        direction: response.direction,
        "\(exchange.title): the server sent nothing for \(Wording.duration(longest.nanoseconds)) in the middle of a body of \(Wording.bytes(response.bodyBytes)), and then went on.",
        cost: .delay(nanoseconds: longest.nanoseconds), fix: info.fix,
        evidence: [
          Evidence(.packet(longest.from, response.direction), "the last bytes before the pause"),
          Evidence(.packet(longest.to, response.direction), "the body goes on"),
        ]))
  }

  /// There was more of it when it paused. Bytes of a body with a length that were not captured are counted, and a pause in
  /// which some are missing has another cause.
  private static func isTransfer(_ response: Message) -> Bool {
    if response.framing == .length { return true }
    guard response.isWhollyCaptured else { return false }
    guard let chunks = response.chunks, chunks.count >= Self.chunks else { return false }
    return response.bodyBytes == (chunks.count &- 1) &* chunks.largest &+ chunks.smallest
  }
}

extension Threshold {
  static let downloadPause = Threshold(
    "http.download-pause", .nanoseconds, 2_000_000_000,
    "a response body that pauses this long in its middle stalled")
}
