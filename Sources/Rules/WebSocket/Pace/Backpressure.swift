import Citation
import Events
import WebSocketSemantics

/// A frame that the receiver did not read.
enum Backpressure: SocketSideRule {
  static let info = RuleInfo(
    id: "ws/backpressure", severity: .warning, summary: "A frame waited because the receiver did not read.",
    explanation: """
      The receiver's window was closed in the middle of the frame: its program is slower than what it is sent. \
      Everything behind waits with it, pings too, so that a keep-alive may end a connection that is only busy.
      """,
    evidence: "The beginning of the frame that waited longest, the closed window, and the frame's end.",
    fix:
      "Sender: look at the amount buffered before sending more, and drop or join what is out of date. Receiver: read on.",
    specifications: [.webSocket("5.4")], thresholds: [.framePause],
    causedBy: ["tcp/zero-window"], since: "0.1")

  static func judge(
    _ direction: Direction, of socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard let held = socket.pace.sides[direction].held else { return }
    let took = held.frame.released.time.since(held.frame.span.first.time)
    report(
      socket.story.finding(
        info, direction,
        "A \(held.frame.name) frame of \(Wording.bytes(held.frame.length)) took \(Wording.duration(took)): \(Wording.receiver(direction)) did not read.",
        cost: .delay(nanoseconds: took),
        [
          .frame(held.frame, direction, "the frame begins"),
          Evidence(.packet(held.closed, direction.opposite), "the window is closed"),
          Evidence(.packet(held.frame.released, direction), "the frame's end"),
        ], in: context))
  }
}

extension Threshold {
  static let framePause = Threshold(
    "ws.frame-pause", .nanoseconds, 200_000_000, "a frame that took this long, with the window closed")
}
