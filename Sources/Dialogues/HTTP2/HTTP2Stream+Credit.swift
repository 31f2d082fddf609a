import Citation
import Events
import HTTP2Semantics

// What its sides may still send, and for how long they could not.
extension HTTP2Stream {
  /// What is asked of one direction for each of its frames, side by side.
  struct Way: Sendable {
    /// What its sender may still send, as far as credit for it has passed here: never too little.
    var window: Int64 = 0
    /// Data that was sent since the receiver last gave credit.
    var uncredited: UInt64 = 0
    /// The window as the sender sees it, and for how long it and the connection's had been empty when the stream last sent
    /// data.
    var credit = HTTP2Credit(0)
    var blockedBefore: Int64 = 0
    var connectionBefore: Int64 = 0
    var paced = HTTP2Pace.Sum()

    @inline(__always)
    mutating func spend(_ length: UInt32) -> Int64 {
      let left = window
      window = left - Int64(length)
      return left
    }

    /// Answers for how long the connection had no credit since the last data.
    @inline(__always)
    mutating func use(_ length: UInt32, connection: Int64) -> Int64 {
      uncredited &+= UInt64(length)
      let byConnection = connection &- connectionBefore
      connectionBefore = connection
      return byConnection
    }

    @inline(__always)
    mutating func spendFreely(_ length: UInt32, _ packet: PacketRef) -> Bool {
      guard let blocked = credit.spendFreely(length, packet) else { return false }
      blockedBefore = blocked
      return true
    }
  }

  /// The windows that it begins with, and for how long the connection's have been empty.
  mutating func begin(_ direction: Direction, window: Int64, connection: Int64, isDrawn: Bool) {
    ways[direction].window = window
    ways[direction].credit = HTTP2Credit(window)
    if isDrawn { ways[direction].credit.draw() }
    ways[direction].connectionBefore = connection
  }

  mutating func giveCredit(_ amount: Int64, _ direction: Direction, by packet: PacketRef, after delay: Int64) {
    ways[direction].uncredited = 0
    ways[direction].credit.give(amount, by: packet, after: delay)
  }

  /// Of the window.
  mutating func window(_ direction: Direction) -> Int64 { ways[direction].window }

  mutating func widenWindow(by difference: Int64, _ direction: Direction) { ways[direction].window += difference }

  mutating func uncredited(_ direction: Direction) -> UInt64 { ways[direction].uncredited }

  /// How busy the direction had been when the stream last sent data.
  mutating func paced(_ direction: Direction) -> HTTP2Pace.Sum { ways[direction].paced }

  @inline(__always)
  mutating func note(_ sum: HTTP2Pace.Sum, _ direction: Direction) { ways[direction].paced = sum }

  mutating func takeCredit(_ amount: Int64, _ direction: Direction, in packet: PacketRef) {
    ways[direction].credit.change(by: amount, in: packet)
  }

  /// Waits up to `shortest` are those of a window that is too small for the path.
  @inline(__always)
  mutating func use(
    _ length: UInt32, _ packet: PacketRef, _ direction: Direction, connection: Int64, shortest: Int64
  ) {
    let byConnection = ways[direction].use(length, connection: connection)
    if byConnection != 0 || !ways[direction].spendFreely(length, packet) {
      useLittle(length, packet, direction, byConnection: byConnection, shortest: shortest)
    }
  }

  /// The same where there was no credit, or some is on its way.
  @inline(never)
  mutating func useLittle(
    _ length: UInt32, _ packet: PacketRef, _ direction: Direction, byConnection: Int64, shortest: Int64
  ) {
    let stall = ways[direction].credit.spend(length, packet)
    ways[direction].blockedBefore = ways[direction].credit.blocked(until: packet.time.nanoseconds)
    guard length > 0, byConnection > 0 || stall != nil else { return }
    held.make(BothDirections(repeating: CreditRecord()))
    held.value[direction].blockedByConnection &+= byConnection
    if let stall, byConnection < stall.nanoseconds / 2 { held.value[direction].note(stall) }
    held.value[direction].noteWait(
      stall?.nanoseconds ?? byConnection, until: packet.time.nanoseconds, upTo: shortest)
  }

  /// It is over, or given up: a window that is empty then stays so.
  mutating func endCredit(_ direction: Direction, at packet: PacketRef, isGivenUp: Bool) {
    if isGivenUp, !sentEnds[direction], let stall = ways[direction].credit.giveUp(at: packet) {
      held.make(BothDirections(repeating: CreditRecord()))
      held.value[direction].note(stall)
    } else {
      ways[direction].credit.end(at: packet)
    }
    let blocked = ways[direction].credit.blocked(until: packet.time.nanoseconds)
    let course = ways[direction].credit.takeCourse()
    guard blocked > 0 else { return }
    held.make(BothDirections(repeating: CreditRecord()))
    held.value[direction].blocked = blocked
    if let course { held.value[direction].course = course }
  }

  /// Nanoseconds without credit since the last data.
  mutating func blocked(_ direction: Direction, until now: Int64, connection: Int64) -> (own: Int64, connection: Int64)
  {
    ways[direction].credit.settle(at: now)
    let own = ways[direction].credit.blocked(until: now) &- ways[direction].blockedBefore
    return (own, connection &- ways[direction].connectionBefore)
  }
}
