import Citation
import Events

/// A WebSocket that is open when the capture ends.
enum CaptureEndsOpen: SocketRule {
  static let info = RuleInfo(
    id: "ws/capture-ends-open", severity: .note, summary: "The capture ends while the WebSocket is open.",
    explanation: "No Close and no end of TCP are in the file; that they are missing proves nothing.",
    evidence: "The last frame.", fix: "No action needed; capture longer.",
    specifications: [.webSocket("7.1.1")],
    since: "0.1")

  static func judge(_ socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void) {
    let story = socket.story
    guard story.end == nil, story.isWhole, !story.bothClosed, let last = story.lastFrame else { return }
    report(
      story.remark(
        info, nil, "The WebSocket is still open at the end of the capture.",
        Evidence(.packet(last.packet, last.direction), "the last frame"), in: context))
  }
}
