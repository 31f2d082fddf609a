import Citation
import Events
import HTTPSemantics

/// A reset inside a message, or in place of a close after the last one.
struct ResetOfMessage: Sendable {
  static let midMessage = RuleInfo(
    id: "tcp/rst-mid-message", severity: .error,
    summary: "A reset cut a message off.",
    explanation: """
      One side aborted the connection while a message was on its way. What had arrived may be lost together with what had \
      not; the application sees "connection reset by peer" instead of an end. A reset by the receiver is somebody who \
      gave up waiting or cancelled; a reset by the sender is a process that died, a proxy that lost its own upstream, or \
      a socket closed with unread data in it.
      """,
    evidence: """
      The message's first packet, its last, and the reset. Where the capture has holes in the message nothing is said.
      """,
    fix: """
      Whoever sent the reset: look in its log at that second (a crash, a timeout, an upstream error). Compare the TTL of the \
      reset with that side's other packets: another one points at a box in between.
      """,
    specifications: [
      Specification("RFC 9293 §3.5.2", "https://www.rfc-editor.org/rfc/rfc9293#section-3.5.2"),
      Specification("RFC 9112 §8", "https://www.rfc-editor.org/rfc/rfc9112#section-8"),
    ],
    since: "0.1")

  static let abortive = RuleInfo(
    id: "tcp/rst-abortive-close", severity: .note,
    summary: "The connection was closed with a reset instead of a FIN, though all exchanges were complete.",
    explanation: """
      A reset ends a connection without the usual goodbye: SO_LINGER with time 0, a socket closed with unread bytes, a \
      pool that drops idle connections fast, or a load balancer at its idle timeout. Everything had been said, so nobody \
      was hurt; but the same habit in the middle of an exchange loses data.
      """,
    evidence: """
      The last message's end and the reset, without a FIN of the same side before it and with everything acknowledged.
      """,
    fix: """
      Whoever sends the reset: close with a FIN; do not set SO_LINGER to 0 to avoid TIME_WAIT.
      """,
    specifications: [
      Specification("RFC 9293 §3.6", "https://www.rfc-editor.org/rfc/rfc9293#section-3.6")
    ],
    since: "0.1")

  private var last: (packet: PacketRef, direction: Direction)?
  private var isBroken = false

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    if let request = exchange.request, let response = exchange.response, request.isComplete, response.isComplete {
      // What goes through a tunnel is not known to be complete.
      if response.head?.framing == .tunnel { isBroken = true }
      last = (response.last, response.direction)
      return
    }
    isBroken = true
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
        Self.midMessage, severity: context.cutSeverity,
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

  func close(_ story: EndingStory, in context: FlowContext, report: (Finding) -> Void) {
    guard !isBroken, let last, story.unacknowledged.toServer == nil, story.unacknowledged.toClient == nil else {
      return
    }
    for by in Direction.allCases {
      guard let reset = story.resets[by].accepted, story.fins[by] == nil, reset.packet.number > last.packet.number
      else {
        continue
      }
      report(
        Finding(
          Self.abortive, confidence: context.isMidstream ? .medium : nil, subject: .connection(context.id),
          direction: by,
          """
          \(Wording.sender(by).atSentenceStart) closed with a reset, \
          \(Wording.duration(reset.packet.time.since(last.packet.time))) after the last exchange was complete.
          """,
          cost: .none, fix: "\(by == .toServer ? "Client" : "Server"): close with a FIN.",
          evidence: [
            Evidence(.packet(last.packet, last.direction), "the last response is complete"),
            Evidence(.packet(reset.packet, by), "RST"),
          ]))
    }
  }
}

extension Message {
  /// How far it was.
  fileprivate var progress: String {
    let name = direction == .toServer ? "request" : "response"
    return headReleased == nil ? "a part of the \(name)'s head" : "\(Wording.bytes(bodyBytes)) of the \(name)'s body"
  }
}
