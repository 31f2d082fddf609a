import Citation
import Events
import WebSocketSemantics

/// A frame behind the last one.
enum CloseFrameAfter: SocketSideRule {
  static let info = RuleInfo(
    id: "ws/close-frame-after", severity: .error, summary: "A side sent a frame after its own Close.",
    explanation: """
      Nothing may follow a Close. Receivers drop what does, so that the message is lost; a sender that does not know that \
      another part of it has closed does this.
      """,
    evidence: "The Close, and the first frame after it.",
    fix: "Sender: stop all writers before closing.", specifications: [.webSocket("5.5.1")], since: "0.1")

  static func judge(
    _ direction: Direction, of socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard let close = socket.story.close(of: direction), let frame = socket.order.late[direction] else { return }
    // Libraries of Socket.IO send ends of their own, "41" and "1", behind the Close: nothing is lost with them.
    let isGoodbye =
      ["Socket.IO", "Engine.IO"].contains(socket.record.application) && frame.opcode == .text
      && frame.length <= 2
    report(
      socket.story.finding(
        info, direction,
        "\(Wording.sender(direction).atSentenceStart) sent a \(frame.name) frame after its own Close.",
        severity: isGoodbye ? .note : nil,
        cost: isGoodbye || frame.opcode.isControl ? .none : .lost(bytes: max(1, frame.received)),
        [.frame(close, direction, "Close"), .frame(frame, direction, "comes after it")], in: context))
  }
}
