import Citation
import Events

/// A RST that its receiver must ignore.
struct RSTOutOfWindow: ConnectionRule {
  static let info = RuleInfo(
    id: "tcp/rst-out-of-window", severity: .note,
    summary: "A reset was outside the receiver's window, so it ended nothing.",
    explanation: """
      A receiver takes a reset only when its sequence number lies in the window; any other is dropped. Such a reset is \
      stale (sent for data of before) or forged by something that did not see the whole connection. The connection \
      goes on, although many tools show it as reset. A sender that is answered only by such resets never learns that \
      its data was dropped.
      """,
    evidence: """
      The reset, and how far its number is from the next one the receiver expects. A reset at the right number, or \
      anywhere in the window, does not count; nor is one whose receiver was never captured, because its window is \
      unknown, or one at the number of its sender's FIN, which Linux takes.
      """,
    fix: """
      Nothing, when the connection goes on. When it stalls instead, look at who sent the reset: another TTL than the \
      peer's other packets points at a middlebox.
      """,
    specifications: [
      Specification("RFC 9293 §3.10.7.4", "https://www.rfc-editor.org/rfc/rfc9293#section-3.10.7.4"),
      Specification("RFC 5961 §3", "https://www.rfc-editor.org/rfc/rfc5961#section-3"),
    ],
    causedBy: ["tcp/rst-after-fin"], since: "0.1")
  static var interests: EventKinds { .segment | .fin }

  private var hasFinished = BothDirections(repeating: false)

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    guard case .segment(let seen) = event else { return }
    if seen.kind == .fin { hasFinished[seen.direction] = true }
    // At the number of its sender's FIN, Linux takes it.
    guard seen.kind == .resetOutOfWindow, seen.value != 1 || !hasFinished[seen.direction] else { return }
    report(
      Finding(
        Self.info, confidence: context.isMidstream ? .medium : .high, subject: .connection(context.id),
        direction: seen.direction, .ignored(seen), cost: .none,
        evidence: [Evidence(.packet(seen.packet, seen.direction), "RST, not in the receiver's window")]))
  }
}

extension FindingMessage {
  fileprivate static func ignored(_ seen: TCPObservation) -> Self {
    """
    A reset in the name of \(Wording.sender(seen.direction)) is \(Wording.count(seen.value, "sequence number")) outside the \
    window: \(Wording.receiver(seen.direction)) must ignore it, so it ended nothing.
    """
  }
}
