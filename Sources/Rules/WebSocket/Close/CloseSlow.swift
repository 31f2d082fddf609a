import Citation
import Events
import WebSocketSemantics

/// A Close with a late answer.
enum CloseSlow: SocketRule {
  static let info = RuleInfo(
    id: "ws/close-slow", severity: .note, summary: "A Close was answered late.",
    explanation: """
      What the other side had to send went first, or its program was busy. Clients wait some seconds for the answer and then \
      drop the connection.
      """,
    evidence: "The Close, and its answer.", fix: "Receiver: answer a Close before anything else.",
    specifications: [.webSocket("5.5.1")], thresholds: [.closeAnswer], since: "0.1")

  static func judge(_ socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void) {
    let story = socket.story
    guard let first = story.firstClose, case let silent = first.direction.opposite,
      let answer = story.close(of: silent)
    else { return }
    let wait = answer.released.time.since(first.frame.released.time)
    guard wait > context.thresholds[.closeAnswer] &+ (context.roundTrip.total ?? 0) else { return }
    report(
      story.finding(
        info, silent, "\(Wording.sender(silent).atSentenceStart) answered the Close after \(Wording.duration(wait)).",
        [.frame(first.frame, first.direction, "Close"), .frame(answer, silent, "the answer")], in: context))
  }
}
