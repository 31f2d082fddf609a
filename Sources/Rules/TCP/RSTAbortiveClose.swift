import Citation
import Events

/// A reset in place of a close after the last message.
enum RSTAbortiveClose: EndingRule {
  static let info = RuleInfo(
    id: "tcp/rst-abortive-close", severity: .note,
    summary: "The connection was closed with a reset instead of a FIN, though all exchanges were complete.",
    explanation: """
      A reset ends a connection without an orderly close: SO_LINGER with time 0, a socket closed with unread bytes, a \
      pool that drops idle connections fast, or a load balancer at its idle timeout. All exchanges were complete, so \
      nothing was lost; but the same behaviour in the middle of an exchange loses data.
      """,
    evidence: """
      The last message's end and the reset, without a FIN of the same side before it and with everything acknowledged.
      """,
    fix: """
      Sender of the reset: close with a FIN; do not set SO_LINGER to 0 to avoid TIME_WAIT.
      """,
    specifications: [
      Specification("RFC 9293 §3.6", "https://www.rfc-editor.org/rfc/rfc9293#section-3.6")
    ],
    since: "0.1")

  static func judge(_ story: EndingStory, in context: FlowContext, report: (Finding) -> Void) {
    guard let last = story.lastMessage, story.unacknowledged.toServer == nil, story.unacknowledged.toClient == nil
    else { return }
    for by in Direction.allCases {
      guard let reset = story.resets[by].accepted, story.fins[by] == nil, reset.packet.number > last.packet.number
      else {
        continue
      }
      report(
        Finding(
          info, confidence: context.isMidstream ? .medium : nil, subject: .connection(context.id),
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
