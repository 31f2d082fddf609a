import Events
import HTTPSemantics

/// A compressed stream whose compressor does not flush.
enum CompressionOnStream: HeldStreamRule {
  static let info = RuleInfo(
    id: "stream/compression-on-stream", severity: .warning, confidence: .medium,
    summary: "Compression holds a streamed response back.",
    explanation: """
      A compressor collects input until it is worth a block: kilobytes, while an event has a hundred bytes. Unless it is \
      flushed after each event, events come late and in bunches. Middlewares and proxies compress by type, text/event-stream \
      falls under text/*, and the program that writes the events never learns of it. curl does not ask for compression \
      by itself and shows nothing.
      """,
    evidence: """
      The Content-Encoding, and either an event that stalls in the middle until the next bytes come, compressed bytes \
      that decode to nothing, or a body that came in one burst at its end. A flushed compressor ends each write where \
      an event ends.
      """,
    fix: """
      Server or proxy that compresses: leave event streams and JSON lines out, or flush after each event. Server: \
      Cache-Control: no-transform keeps intermediaries from compressing.
      """,
    specifications: [
      Specification("RFC 1951 §3.2.4", "https://www.rfc-editor.org/rfc/rfc1951#section-3.2.4"),
      Specification("RFC 9111 §5.2.2.6", "https://www.rfc-editor.org/rfc/rfc9111#section-5.2.2.6"),
    ],
    thresholds: [.bufferedWait, .bufferedBurst, .bufferedItems],
    causedBy: ["sse/buffered", "stream/buffered-until-end", "proxy/hop-joined"], since: "0.1")

  static func judge(_ held: HeldStream, in context: FlowContext, report: (Finding) -> Void) {
    guard held.isCoded else { return }
    report(
      Finding(
        Self.info, confidence: context.isMidstream ? .low : held.confidence, subject: .connection(context.id),
        exchange: held.exchange.number, direction: held.response.direction,
        FindingMessage(
          held.isToldAsEvents && held.signature != .unflushed ? held.brief + " It is compressed." : held.course),
        cost: held.delay > 0 ? .delay(nanoseconds: held.delay) : .none, fix: info.fix,
        evidence: held.evidence))
  }
}
