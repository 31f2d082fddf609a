import Citation
import Events
import WebSocketSemantics

/// A frame that goes on behind the end of the capture.
enum CaptureEndsInFrame: SocketSideRule {
  static let info = RuleInfo(
    id: "ws/capture-ends-in-frame", severity: .note, summary: "The capture ends in the middle of a frame.",
    explanation: "Nothing is wrong with the connection: what came after is not in the file.",
    evidence: "The frame, as far as it came.", fix: "No action needed; capture longer.",
    specifications: [.webSocket("5.2")], since: "0.1")

  static func judge(
    _ direction: Direction, of socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void
  ) {
    let story = socket.story
    guard let broken = BrokenFrame(direction, of: socket), story.end == nil, story.sides[direction].fin == nil else {
      return
    }
    report(
      story.remark(
        info, direction, "The capture ends after \(broken.came).",
        .frame(broken.frame, direction, "goes on after the capture's end"), in: context))
  }
}
