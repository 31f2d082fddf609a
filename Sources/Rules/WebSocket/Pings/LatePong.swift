import Citation
import Events
import WebSocketSemantics

/// A side ended TCP without the pong that it waited for, which came when it had left.
struct LatePong: Sendable {
  private let direction: Direction
  private let ping: Frame
  private let pong: Frame
  private let end: PacketRef
  private let story: SocketStory

  init?(_ direction: Direction, _ socket: ClosedSocket, _ context: FlowContext) {
    let story = socket.story
    guard let end = story.end, end.by == direction, story.firstClose == nil, story.isWhole,
      let (ping, pong) = socket.pings.sides[direction].slowest, let last = story.lastFrame, last.direction == direction,
      pong.released.number > end.packet.number
    else { return nil }
    let roundTrip = context.roundTrip.total ?? 0
    let waited = end.packet.time.since(ping.released.time)
    // One that is on its way when its asker leaves was not waited for.
    guard pong.released.time.since(ping.released.time) >= context.thresholds[.keepAliveWait] &+ roundTrip,
      waited > 4 &* roundTrip, last.packet == ping.released || waited >= context.thresholds[.keepAliveWait]
    else { return nil }
    self.direction = direction
    self.ping = ping
    self.pong = pong
    self.end = end.packet
    self.story = story
  }

  func finding(_ info: RuleInfo, in context: FlowContext) -> Finding {
    let waited = Wording.duration(end.time.since(ping.released.time))
    let took = Wording.duration(pong.released.time.since(ping.released.time))
    return story.finding(
      info, direction,
      "\(Wording.sender(direction).atSentenceStart) ended the connection \(waited) after a ping without a pong; the pong came \(took) after the ping.",
      cost: .failed(.connection),
      [
        .frame(ping, direction, "the ping"),
        Evidence(.packet(end, direction), "\(Wording.sender(direction)) ends TCP"),
        .frame(pong, direction.opposite, "its pong"),
      ], in: context)
  }
}
