import Citation
import Events

/// A pause inside of a message.
enum FragmentStall: SocketSideRule {
  static let info = RuleInfo(
    id: "ws/fragment-stall", severity: .warning,
    summary: "A message waited long for its next fragment.",
    explanation: """
      Most APIs hand a message over when it is whole: a pause inside one holds it, and everything behind it, back. A stream \
      that keeps one message open for its life is never delivered at all.
      """,
    evidence: "The fragments before and after the pause.",
    fix: "Sender: begin a message when all of it is there, or send a message for each piece.",
    specifications: [.webSocket("5.4")], thresholds: [.fragmentPause], since: "0.1")

  static func judge(
    _ direction: Direction, of socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard let stall = socket.fragments?.sides[direction].stall else { return }
    let pause = stall.to.time.since(stall.from.time)
    report(
      socket.story.finding(
        info, direction,
        "A message of \(Wording.sender(direction)) waited \(Wording.duration(pause)) for its next fragment.",
        cost: .delay(nanoseconds: pause),
        [
          Evidence(.packet(stall.from, direction), "the fragment before"),
          Evidence(.packet(stall.to, direction), "the next one"),
        ], count: stall.count, in: context))
  }
}

extension Threshold {
  static let fragmentPause = Threshold(
    "ws.fragment-pause", .nanoseconds, 5_000_000_000, "a pause this long inside a message")
}
