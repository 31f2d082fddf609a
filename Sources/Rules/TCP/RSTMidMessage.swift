import Citation
import Events
import HTTPSemantics

/// A reset inside a message.
enum RSTMidMessage: ExchangeRule {
  static let info = RuleInfo(
    id: "tcp/rst-mid-message", severity: .error,
    summary: "A reset cut a message off.",
    explanation: """
      One side aborted the connection while a message was on its way. What had arrived may be lost together with what \
      had not; the application sees "connection reset by peer" instead of an end. A reset by the receiver is a \
      cancellation or a timeout; a reset by the sender is a process that died, a proxy that lost its own upstream, or \
      a socket closed with unread data in it.
      """,
    evidence: """
      The message's first packet, its last, and the reset. Where the capture has holes in the message the rule is \
      silent.
      """,
    fix: """
      Sender of the reset: look in its log at that second (a crash, a timeout, an upstream error). Compare the TTL of \
      the reset with that side's other packets: another one points at a middlebox.
      """,
    specifications: [
      Specification("RFC 9293 §3.5.2", "https://www.rfc-editor.org/rfc/rfc9293#section-3.5.2"),
      Specification("RFC 9112 §8", "https://www.rfc-editor.org/rfc/rfc9112#section-8"),
    ],
    causedBy: [
      "chunked/missing-last-chunk", "chunked/terminator-incomplete", "http/cl-short", "http/early-response-lost",
      "http/early-response",
      "http/close-delimited-body", "http/keepalive-race", "http/reply-after-close", "http/upload-stall",
      "http/expect-stall", "http/slow-body-rate-limit", "tcp/mss-blackhole", "stream/peer-gone", "tcp/connect-refused",
    ], since: "0.1")

  static var needs: ExchangeFacts { .none }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let reset = context.lastEnd, let by = context.closedBy else { return }
    let cut = [exchange.request, exchange.response].compactMap { $0 }.first {
      $0.incomplete?.cause == .reset && $0.isWhollyCaptured
    }
    // Only the first reset may be cited as the one that cut it.
    guard let message = cut, message.last.number < reset.number, context.closedAt == reset else { return }
    let bySender = by == message.direction
    // A reset that stands behind bytes which are not here came after more of the message than is known.
    if bySender, context.endOrigin?.isAhead == true { return }
    // A client that had left did not want the rest.
    if message.direction == .toClient, context.endOfReceiver(message) != nil { return }
    // A client that stops a download has what it wanted, or no use for it any more.
    let isCancelled = by == .toServer && message.direction == .toClient
    var evidence = [Evidence(.packet(message.first, message.direction), "the message begins")]
    if message.last.number != message.first.number {
      evidence.append(Evidence(.packet(message.last, message.direction), "its last bytes"))
    }
    evidence.append(Evidence(.packet(reset, by), "RST"))
    report(
      Finding(
        info, severity: context.cutSeverity,
        confidence: context.isOneSided ? .low : context.isMidstream ? .medium : nil, subject: .connection(context.id),
        exchange: exchange.number, direction: by,
        """
        \(exchange.title): \(Wording.sender(by)) reset the connection \
        \(Wording.duration(reset.time.since(message.last.time))) after \(message.progress)\
        \(bySender ? "" : ", which it was receiving").
        """,
        cost: isCancelled ? .none : .failed(.exchange),
        fix: "\(by == .toServer ? "Client" : "Server"): find out why it aborts the connection at that moment.",
        evidence: evidence))
  }
}

extension Message {
  /// How far it was.
  fileprivate var progress: String {
    let name = direction == .toServer ? "request" : "response"
    return headReleased == nil ? "a part of the \(name)'s head" : "\(Wording.bytes(bodyBytes)) of the \(name)'s body"
  }
}
