import Citation
import Events
import WebSocketSemantics

/// Pings and what answers them.
///
/// Bounded: of each side the last pings that are not answered; of a flood the oldest are evicted, and then pongs that
/// match none are not reported.
struct Pings: Sendable {
  struct Side: Sendable {
    var ledger = PingLedger()
    var sent: UInt64 = 0
    var slowest: (ping: Frame, pong: Frame)?
    var newest: (ping: Frame, pong: Frame)?
    /// Of the last pings, to detect a flood.
    var times: [PacketRef] = []
    var flood: (from: PacketRef, to: PacketRef)?
    var mismatch: (ping: Frame, pong: Frame, count: UInt64)?
    var unsolicited: (pong: Frame, count: UInt64)?
  }

  static let floodCount = 41
  private static let floodTime: Int64 = 2_000_000_000

  /// By who sent the pings; mismatches and unsolicited pongs by who sent the pongs.
  private(set) var sides = BothDirections(repeating: Side())

  mutating func observe(_ frame: Frame, _ direction: Direction, _ story: SocketStory) {
    guard frame.isComplete, frame.length <= UInt64(Frame.controlLimit) else { return }
    if frame.opcode == .ping {
      sides[direction].sent += 1
      sides[direction].ledger.note(frame)
      noteTime(frame.released, direction)
    } else if frame.opcode == .pong {
      answer(frame, direction, story)
    }
  }

  private mutating func noteTime(_ packet: PacketRef, _ direction: Direction) {
    guard sides[direction].flood == nil else { return }
    if sides[direction].times.count == Self.floodCount { sides[direction].times.removeFirst() }
    sides[direction].times.append(packet)
    if sides[direction].times.count == Self.floodCount, let first = sides[direction].times.first,
      packet.time.since(first.time) <= Self.floodTime, packet.time.since(first.time) > 0
    {
      sides[direction].flood = (first, packet)
    }
  }

  private mutating func answer(_ pong: Frame, _ direction: Direction, _ story: SocketStory) {
    let pinger = direction.opposite
    if let ping = sides[pinger].ledger.answer(pong) {
      let took = pong.released.time.since(ping.released.time)
      let longest = sides[pinger].slowest.map { $0.pong.released.time.since($0.ping.released.time) } ?? -1
      if took > longest { sides[pinger].slowest = (ping, pong) }
      sides[pinger].newest = (ping, pong)
      return
    }
    // What answers a ping that was not captured, or is evicted, looks unsolicited.
    guard !story.isMidstream, !story.sides[pinger].isLost, !sides[pinger].ledger.hasForgotten else { return }
    if let ping = sides[pinger].ledger.open.first {
      if sides[direction].mismatch == nil {
        sides[direction].mismatch = (ping, pong, 1)
      } else {
        sides[direction].mismatch?.count += 1
      }
    } else if sides[direction].unsolicited == nil {
      sides[direction].unsolicited = (pong, 1)
    } else {
      sides[direction].unsolicited?.count += 1
    }
  }
}
