import Citation
import Events
import WebSocketSemantics

/// A frame that ends before its end.
enum FrameTruncated: SocketSideRule {
  static let info = RuleInfo(
    id: "ws/frame-truncated", severity: .error, summary: "A connection was ended in the middle of a frame.",
    explanation: """
      The sender announced more than it sent, and closed TCP: a crash, a process that was stopped, or a length that counts \
      something else than bytes. The message is lost, and the receiver's API shows 1006.
      """,
    evidence: "The frame, and the FIN or RST of its sender.",
    fix: "Sender: see why it stopped; where it always happens, compare the length with the bytes written.",
    specifications: [.webSocket("7.1.7"), .webSocket("5.2")], causedBy: ["ws/hs-101-body-headers"], since: "0.1")

  static func judge(
    _ direction: Direction, of socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void
  ) {
    let story = socket.story
    let side = story.sides[direction]
    guard let broken = BrokenFrame(direction, of: socket),
      let end = side.fin ?? (story.end?.by == direction ? side.reset : nil),
      // What is announced beyond all measure is its own fault.
      broken.frame.length >> 63 == 0
    else { return }
    report(
      story.finding(
        info, direction, "\(Wording.sender(direction).atSentenceStart) ended the connection after \(broken.came).",
        cost: .failed(.connection), causedBy: side.fault?.rule,
        [
          .frame(broken.frame, direction, "announces more than came"),
          Evidence(.packet(end, direction), "\(Wording.sender(direction)) ends the connection"),
        ], in: context))
  }
}
