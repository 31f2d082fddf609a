import Citation
import Events
import WebSocketSemantics

/// Frames that are written in two calls.
enum HeaderPayloadSplit: SocketSideRule {
  static let info = RuleInfo(
    id: "ws/header-payload-split", severity: .note, summary: "Header and payload of frames are written apart.",
    explanation: """
      Two calls for one small frame make two packets, and the second may wait for the acknowledgement of the first, which \
      receivers delay by some 40 ms (Nagle's algorithm).
      """,
    evidence: "The first such frame: the packet of its header and that of its payload.",
    fix: "Sender: write header and payload in one call, and set TCP_NODELAY.", specifications: [.webSocket("5.2")],
    thresholds: [.splitFrames], since: "0.1")

  static func judge(
    _ direction: Direction, of socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void
  ) {
    let side = socket.pace.sides[direction]
    guard let frame = side.firstApart, side.apart >= UInt64(max(1, context.thresholds[.splitFrames])),
      side.apart * 2 >= side.small
    else { return }
    report(
      socket.story.finding(
        info, direction,
        "\(Wording.sender(direction).atSentenceStart) wrote header and payload of \(Wording.number(side.apart)) of \(Wording.count(side.small, "small frame")) apart.",
        [.frame(frame, direction, "the header"), Evidence(.packet(frame.span.last, direction), "its payload")],
        in: context))
  }
}

extension Threshold {
  static let splitFrames = Threshold("ws.split-frames", .count, 10, "small frames whose payload came apart")
}
