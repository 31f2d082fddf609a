import Citation
import Events
import WebSocketSemantics

/// The last frame of a side, of which the end did not come.
struct BrokenFrame: Sendable {
  let frame: Frame

  init?(_ direction: Direction, of socket: ClosedSocket) {
    guard socket.record.sides[direction].lostAt == nil, let frame = socket.story.sides[direction].last,
      !frame.isComplete
    else { return nil }
    self.frame = frame
  }

  /// `the first 1 B of a frame`
  var came: String {
    frame.headerReleased == nil
      ? "the first \(Wording.bytes(frame.span.count)) of a frame"
      : "\(Wording.bytes(frame.received)) of a \(frame.name) frame of \(Wording.bytes(frame.length))"
  }
}

extension SocketStory {
  /// A finding about what the capture lacks: no action needed.
  func remark(
    _ info: RuleInfo, _ direction: Direction?, _ what: String, _ evidence: Evidence, in context: FlowContext
  ) -> Finding {
    Finding(
      info, subject: .connection(context.id), exchange: opening?.exchange, direction: direction, FindingMessage(what),
      cost: .none, evidence: [evidence])
  }
}
