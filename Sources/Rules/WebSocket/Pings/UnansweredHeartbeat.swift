import Citation
import Events
import WebSocketSemantics

/// A server of Engine.IO left, because its client did not answer the last heartbeat.
struct UnansweredHeartbeat: Sendable {
  private let heartbeat: Frame
  private let direction: Direction
  private let end: Evidence
  private let waited: Int64
  private let story: SocketStory

  init?(_ direction: Direction, _ socket: ClosedSocket, _ context: FlowContext) {
    let story = socket.story
    guard direction != story.client, AppHeartbeats.areSpoken(by: socket.record.application), story.isWhole,
      let open = socket.heartbeats?.open, let leaving = story.leaving(of: direction)
    else { return nil }
    end = leaving.evidence
    waited = leaving.packet.time.since(open.last.time)
    guard waited >= max(context.thresholds[.keepAliveWait], 4 &* (context.roundTrip.total ?? 0)) else { return nil }
    heartbeat = open.frame
    self.direction = direction
    self.story = story
  }

  func finding(_ info: RuleInfo, in context: FlowContext) -> Finding {
    story.finding(
      info, direction,
      "The server ended the connection \(Wording.duration(waited)) after a heartbeat of Engine.IO that the client did not answer.",
      cost: .failed(.connection),
      [.frame(heartbeat, direction, "the heartbeat: a message of one byte"), end], in: context)
  }
}
