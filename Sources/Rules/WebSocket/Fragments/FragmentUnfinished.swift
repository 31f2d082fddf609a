import Citation
import Events
import WebSocketSemantics

/// A message whose last fragment never came.
enum FragmentUnfinished: SocketSideRule {
  static let info = RuleInfo(
    id: "ws/fragment-unfinished", severity: .error,
    summary: "A connection was ended in the middle of a message.",
    explanation: """
      The last fragment never came: the sender closed the WebSocket or TCP before. The receiver drops what it has of the \
      message.
      """,
    evidence: "The message's first frame, and the Close, FIN or RST of its sender.",
    fix: "Sender: finish the message, with an empty final fragment at worst, before closing.",
    specifications: [.webSocket("5.4"), .webSocket("7.1.1")],
    causedBy: [
      "ws/close-error-code", "ws/frame-truncated", "ws/drop-after-fragment", "ws/drop-after-64bit-length",
    ], since: "0.1")

  static func judge(
    _ direction: Direction, of socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void
  ) {
    let story = socket.story
    guard !story.sides[direction].isLost, let side = socket.fragments?.sides[direction],
      let open = side.closedInside ?? side.open
    else { return }
    let end: Evidence
    if side.closedInside != nil, let close = story.close(of: direction) {
      end = .frame(close, direction, "closes the WebSocket")
    } else if let tcp = story.end, story.close(of: direction) == nil {
      end = Evidence(.packet(tcp.packet, tcp.by), "\(Wording.sender(tcp.by)) ends the connection")
    } else {
      return
    }
    let by = side.closedInside != nil ? direction : story.end?.by ?? direction
    report(
      story.finding(
        info, direction,
        "A \(open.first.name) message of \(Wording.sender(direction)) has no end: \(Wording.sender(by)) closed after \(Wording.count(open.frames, "frame")) and \(Wording.bytes(open.bytes)) of it.",
        cost: open.bytes > 0 ? .lost(bytes: open.bytes) : .none,
        causedBy: story.sides[direction].fault?.rule,
        [.frame(open.first, direction, "the message begins"), end], in: context))
  }
}
