import Events
import HTTPSemantics
import Trace

/// A chunked body whose sender closed before the chunk of size zero.
struct MissingLastChunk: Sendable {
  static let info = RuleInfo(
    id: "chunked/missing-last-chunk", severity: .error,
    summary: "A chunked body ended without its last chunk.",
    explanation: """
      The chunk of size zero is the only sign that a chunked body is whole. Without it the message is truncated, \
      whatever its content looks like. Clients differ: some report an error (OkHttp: unexpected end of stream, Chrome: \
      ERR_INCOMPLETE_CHUNKED_ENCODING), some hand over what came as if it were all, so data is lost silently.
      """,
    evidence: """
      The last packet of the body, and who closed. Only a close by the body's own sender counts: a client that leaves an \
      endless stream cuts it too, and nothing is wrong with that. Bodies with bytes missing from the capture are not \
      judged.
      """,
    fix: """
      Sender: finish the response (write the terminator) before closing, also on errors and timeouts; if it was killed \
      or its worker recycled, that is the cause to find. Proxy: look for a read timeout towards the origin.
      """,
    specifications: [
      Specification("RFC 9112 §8", "https://www.rfc-editor.org/rfc/rfc9112#section-8"),
      Specification("RFC 9112 §7.1", "https://www.rfc-editor.org/rfc/rfc9112#section-7.1"),
    ],
    since: "0.1")

  func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    for message in exchange.messages {
      guard message.head?.framing == .chunked, message.chunks?.terminator == nil,
        let incomplete = message.wasCutBySender(context), incomplete.place != .trailers
      else { continue }
      let inside = incomplete.place == .chunkData || incomplete.place == .chunkEnd
      report(
        Finding(
          Self.info, confidence: context.isMidstream ? .medium : .high, subject: .connection(context.id),
          exchange: exchange.number, direction: message.direction,
          .unterminated(exchange, message, incomplete, inside: inside), cost: .failed(.exchange),
          fix: "Sender: write the last chunk before closing; find what closed the connection early.",
          evidence: [
            Evidence(.packet(message.lastBody ?? message.last, message.direction), "the last bytes of the body"),
            Evidence(
              .packet(message.last, message.direction),
              incomplete.cause == .reset ? "then a reset, and no chunk of size 0" : "then a FIN, and no chunk of size 0"
            ),
          ]))
    }
  }
}

extension FindingMessage {
  fileprivate static func unterminated(
    _ exchange: ExchangeRecord, _ message: Message, _ incomplete: Incomplete, inside: Bool
  ) -> Self {
    let rest =
      inside
      ? incomplete.outstanding.map { ", \(Wording.bytes($0)) short of a whole chunk" } ?? "" : " between two chunks"
    return
      "\(exchange.title): \(Wording.sender(message.direction)) closed after \(Wording.bytes(message.bodyBytes)) of a chunked body\(rest); the end never came."
  }
}
