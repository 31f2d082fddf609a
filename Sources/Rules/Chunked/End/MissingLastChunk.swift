import Citation
import Events
import HTTPSemantics

/// A chunked body whose sender closed before the chunk of size zero.
enum MissingLastChunk: MessageRule {
  static let info = RuleInfo(
    id: "chunked/missing-last-chunk", severity: .error,
    summary: "A chunked body ended without its last chunk.",
    explanation: """
      The chunk of size zero is the only sign that a chunked body is whole. Without it the message is truncated, \
      whatever its content looks like. Clients differ: some report an error (OkHttp: unexpected end of stream, Chrome: \
      ERR_INCOMPLETE_CHUNKED_ENCODING), some deliver what came as if it were complete, so data is lost silently.
      """,
    evidence: """
      The last packet of the body, and the FIN or RST. Only a close by the body's own sender is an error: a client \
      that leaves an endless stream cuts it too, and nothing is wrong with that. A reset in the receiver's name is a \
      note, because a middlebox may have sent it in that name after a silence. Bodies with bytes missing from the \
      capture are not judged.
      """,
    fix: """
      Sender: finish the response (write the terminator) before closing, also on errors and timeouts; if it was killed \
      or its worker recycled, that is the cause to find. Proxy: look for a read timeout towards the origin. Network: \
      where the receiver did not send the reset, find the middlebox that did.
      """,
    specifications: [
      Specification("RFC 9112 §8", "https://www.rfc-editor.org/rfc/rfc9112#section-8"),
      Specification("RFC 9112 §7.1", "https://www.rfc-editor.org/rfc/rfc9112#section-7.1"),
    ],
    causedBy: [
      "stream/cut-by-middlebox", "stream/cut-at-known-timeout", "stream/cut-after-round-silence",
      "proxy/uplink-black-hole", "proxy/read-timeout",
      "proxy/stream-dropped", "tcp/connect-refused",
    ],
    since: "0.1")

  static var needs: ExchangeFacts { .chunks }

  static func judge(
    _ message: Message, of exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard (message.head?.framing ?? message.joined) == .chunked, message.chunks?.terminator == nil,
      // Fewer may be chunks by chance.
      message.joined == nil || message.chunks?.count ?? 0 >= 2,
      let incomplete = message.incomplete, incomplete.place != .trailers, message.isWhollyCaptured,
      message.errors.isEmpty
    else { return }
    // Who is left by the other side may well reset what remains.
    if exchange.endedSecond(message.direction) { return }
    if message.wasCutBySender(context) != nil {
      // Another rule is about who refuses an upload: http/early-response.
      guard !exchange.stoppedForAnswer(message) else { return }
      report(cut(exchange, message, incomplete, context))
    } else if incomplete.cause == .reset, context.closedBy == message.direction.opposite {
      report(left(exchange, message, context))
    }
  }

  private static func cut(
    _ exchange: ExchangeRecord, _ message: Message, _ incomplete: Incomplete,
    _ context: FlowContext
  ) -> Finding {
    let inside = incomplete.place == .chunkData || incomplete.place == .chunkEnd
    return Finding(
      Self.info, severity: context.cutSeverity, confidence: context.cutConfidence, subject: .connection(context.id),
      exchange: exchange.number, direction: message.direction,
      .unterminated(exchange, message, incomplete, inside: inside, context), cost: .failed(.exchange),
      fix: info.fix,
      evidence: [
        Evidence(.packet(message.lastBody ?? message.last, message.direction), "the last bytes of the body"),
        Evidence(
          .packet(exchange.closing(message.direction) ?? message.last, message.direction),
          "\(context.endWords(isReset: incomplete.cause == .reset)), and no chunk of size 0"),
      ])
  }

  private static func left(
    _ exchange: ExchangeRecord, _ message: Message, _ context: FlowContext
  ) -> Finding {
    let last = message.lastBody ?? message.last
    let end = exchange.closing(message.direction.opposite) ?? message.last
    return Finding(
      Self.info, severity: .note, confidence: .medium, subject: .connection(context.id), exchange: exchange.number,
      direction: message.direction,
      .resetByReceiver(exchange, message, after: end.time.since(last.time)), cost: .none,
      fix: info.fix,
      evidence: [
        Evidence(.packet(last, message.direction), "the last bytes of the body"),
        Evidence(
          .packet(end, message.direction.opposite),
          "a reset in the name of \(Wording.receiver(message.direction)); compare its TTL with that of other packets"),
      ])
  }
}

extension FindingMessage {
  fileprivate static func resetByReceiver(_ exchange: ExchangeRecord, _ message: Message, after silence: Int64) -> Self
  {
    """
    \(exchange.title): \(Wording.receiver(message.direction)), or a middlebox in its name, reset the connection \
    \(Wording.duration(silence)) after the last of \(Wording.bytes(message.bodyBytes)) and before the end of the \
    chunked body.
    """
  }

  fileprivate static func unterminated(
    _ exchange: ExchangeRecord, _ message: Message, _ incomplete: Incomplete, inside: Bool, _ context: FlowContext
  ) -> Self {
    let rest =
      inside
      ? incomplete.outstanding.map { ", \(Wording.bytes($0)) short of a whole chunk" } ?? "" : ", between two chunks"
    let last = message.lastBody ?? message.last
    let silence = exchange.closing(message.direction).map { $0.time.since(last.time) } ?? 0
    let after = silence >= 1_000_000_000 ? ", \(Wording.duration(silence)) after the last of them" : ""
    return
      "\(exchange.title): \(Wording.sender(message.direction)) closed after \(Wording.bytes(message.bodyBytes)) of a chunked body\(message.joined == nil ? "" : " since the capture began")\(rest)\(after); the end never came\(context.unheard(message.direction))."
  }
}
