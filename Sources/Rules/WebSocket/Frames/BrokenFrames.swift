import Citation
import Events
import WebSocketSemantics

/// Frames that end before their end, and captures that do.
enum BrokenFrames {
  static let infos: [RuleInfo] = [truncated, endsInFrame, endsOpen, lost]

  private static let truncated = RuleInfo(
    id: "ws/frame-truncated", severity: .error, summary: "A connection was ended in the middle of a frame.",
    explanation: """
      The sender announced more than it sent, and closed TCP: a crash, a process that was stopped, or a length that counts \
      something else than bytes. The message is lost, and the receiver's API shows 1006.
      """,
    evidence: "The frame, and the FIN or RST of its sender.",
    fix: "Sender: see why it stopped; where it always happens, compare the length with the bytes written.",
    specifications: [.webSocket("7.1.7"), .webSocket("5.2")], since: "0.1")

  private static let endsInFrame = RuleInfo(
    id: "ws/capture-ends-in-frame", severity: .note, summary: "The capture ends in the middle of a frame.",
    explanation: "Nothing is wrong with the connection: what came after is not in the file.",
    evidence: "The frame, as far as it came.", fix: "Nobody has to do anything; capture longer.",
    specifications: [.webSocket("5.2")], since: "0.1")

  private static let endsOpen = RuleInfo(
    id: "ws/capture-ends-open", severity: .note, summary: "The capture ends while the WebSocket is open.",
    explanation: "No Close and no end of TCP are in the file; that they are missing says nothing.",
    evidence: "The last frame.", fix: "Nobody has to do anything; capture longer.",
    specifications: [.webSocket("7.1.1")],
    since: "0.1")

  private static let lost = RuleInfo(
    id: "ws/decode-gap", severity: .note,
    summary: "The capture lacks bytes of a WebSocket, and what follows could not be read.",
    explanation: """
      Nothing in the bytes says where a frame begins, so reading stops for that direction. Closes, pings and fragments that \
      need what is missing are not judged.
      """,
    evidence: "The last packet before the missing bytes.",
    fix: "Capture again with a larger buffer, and whole packets.",
    specifications: [.webSocket("5.2")], since: "0.1")

  static func close(
    _ story: SocketStory, _ record: WebSocketRecord, in context: FlowContext, report: (Finding) -> Void
  ) {
    for direction in Direction.allCases {
      if let packet = record.sides[direction].lostAt {
        tell(
          lost, "Bytes of \(Wording.sender(direction)) are missing in the capture; its frames are read up to there.",
          [Evidence(.packet(packet, direction), "bytes behind this are missing")], direction, story, context, report)
        continue
      }
      guard let frame = story.sides[direction].last, !frame.isComplete else { continue }
      judge(frame, direction, story, context, report)
    }
    if story.end == nil, story.isWhole, !story.bothClosed, let last = story.lastFrame {
      tell(
        endsOpen, "The WebSocket is still open at the end of the capture.",
        [Evidence(.packet(last.packet, last.direction), "the last frame")], nil, story, context, report)
    }
  }

  private static func judge(
    _ frame: Frame, _ direction: Direction, _ story: SocketStory, _ context: FlowContext, _ report: (Finding) -> Void
  ) {
    let came =
      frame.headerReleased == nil
      ? "the first \(Wording.bytes(frame.span.count)) of a frame"
      : "\(Wording.bytes(frame.received)) of a \(frame.name) frame of \(Wording.bytes(frame.length))"
    let side = story.sides[direction]
    if let end = side.fin ?? (story.end?.by == direction ? side.reset : nil) {
      // What is announced beyond all measure is its own fault.
      guard frame.length >> 63 == 0 else { return }
      report(
        story.finding(
          truncated, direction, "\(Wording.sender(direction).atSentenceStart) ended the connection after \(came).",
          cost: .failed(.connection), causedBy: side.fault?.rule,
          [
            .frame(frame, direction, "announces more than came"),
            Evidence(.packet(end, direction), "\(Wording.sender(direction)) ends the connection"),
          ], in: context))
    } else if story.end == nil {
      tell(
        endsInFrame, "The capture ends after \(came).", [.frame(frame, direction, "goes on after the capture's end")],
        direction, story, context, report)
    }
  }

  private static func tell(
    _ info: RuleInfo, _ what: String, _ evidence: [Evidence], _ direction: Direction?, _ story: SocketStory,
    _ context: FlowContext, _ report: (Finding) -> Void
  ) {
    report(
      Finding(
        info, subject: .connection(context.id), exchange: story.opening?.exchange, direction: direction,
        FindingMessage(what), cost: .none, evidence: evidence))
  }
}
