import Citation
import Events
import HTTP2Semantics

// Who waited for whom: the sender's view of the windows, and why a stream was silent beside others.
extension HTTP2Dialogue {
  /// The way from here to the sender of a direction, and back.
  private func delay(_ sender: Direction) -> Int64 {
    (sender == .toServer ? roundTrip.clientNanoseconds : roundTrip.serverNanoseconds) ?? 0
  }

  private var trip: Int64 { max(0, roundTrip.total ?? 0) }

  /// A frame of data spends credit of its stream, where it has one, and of the connection.
  mutating func useCredit(_ frame: HTTP2Frame, _ at: Int?, _ direction: Direction) {
    let packet = frame.released
    sides[direction].record.note(frame)
    if var stall = sides[direction].credit.spend(frame.length, packet), stall.nanoseconds >= CreditRecord.least {
      stall.waiting = UInt64(waiting(direction, since: stall.reached))
      stall.holder = sides[direction].holder
      if stall.waiting > 0 { record.credit[direction].note(stall) }
    }
    guard let at else { return }
    let connection = sides[direction].credit.blocked(until: packet.time.nanoseconds)
    table.streams[at].use(frame, direction, connection: connection, shortest: trip &+ 200_000_000)
    if frame.length > 0 { sides[direction].lastData = packet }
  }

  /// Streams that have begun to send and have not ended.
  private func waiting(_ direction: Direction, since time: Int64) -> Int {
    table.inOrder.count { table.streams[$0].isSending(direction, before: time, isRequest: isRequest(direction)) }
  }

  /// The receiver of `direction` gives credit.
  mutating func giveCredit(_ amount: Int64, _ at: Int?, _ direction: Direction, by packet: PacketRef) {
    if let at {
      table.streams[at].giveCredit(amount, direction, by: packet, after: delay(direction))
    } else {
      findHolder(direction, packet)
      sides[direction].credit.give(amount, by: packet, after: delay(direction))
    }
  }

  /// The stream that most of the connection's credit is missing for.
  private mutating func findHolder(_ direction: Direction, _ packet: PacketRef) {
    sides[direction].credit.settle(at: packet.time.nanoseconds)
    let since = sides[direction].credit.emptied
    guard sides[direction].credit.isBlocked, packet.time.since(since.time) >= CreditRecord.least else { return }
    var most: UInt64 = 0
    sides[direction].holder = nil
    for at in table.inOrder where table.streams[at].uncredited[direction] > most {
      most = table.streams[at].uncredited[direction]
      sides[direction].holder = table.streams[at].id
    }
  }

  /// The windows of all open streams change.
  mutating func giveAll(_ difference: Int64, _ direction: Direction, by packet: PacketRef) {
    for at in table.inOrder {
      if difference > 0 {
        table.streams[at].giveCredit(difference, direction, by: packet, after: delay(direction))
      } else {
        table.streams[at].takeCredit(difference, direction)
      }
    }
  }

  /// A connection that ends while it has no credit.
  mutating func endCredit() {
    for direction in Direction.allCases {
      let end = sides.toServer.end ?? sides.toClient.end
      let packet = end?.packet ?? sides[direction].lastData
      record.blocked[direction] = sides[direction].credit.blocked(until: packet.time.nanoseconds)
      noteLeak(direction, at: packet)
      let waiting = waiting(direction, since: .max)
      guard isWhole, waiting > 0, end?.end == .fin || end?.end == .reset,
        var stall = sides[direction].credit.giveUp(at: packet)
      else { continue }
      stall.waiting = UInt64(waiting)
      record.credit[direction].note(stall)
    }
  }

  /// What is left of the connection's window when nobody has anything more to send.
  mutating func noteLeak(_ direction: Direction, at packet: PacketRef) {
    let last = sides[direction].lastData
    guard isWhole, last.number > 0, waiting(direction, since: .max) == 0 else { return }
    sides[direction].credit.settle(at: packet.time.nanoseconds)
    sides[direction].record.noteLeft(
      sides[direction].credit.window, of: sides[direction].credit.most, since: last, at: packet)
  }

  // MARK: Places

  mutating func takePlace(_ stream: UInt32, _ packet: PacketRef) {
    guard isWhole, stream % 2 == 1, let full = places.take(packet) else { return }
    if full.asked.time.since(full.freed.time) <= max(50_000_000, 2 &* trip) { record.note(full) }
  }

  mutating func freePlace(_ stream: UInt32, _ packet: PacketRef) {
    if stream % 2 == 1 { places.free(packet) }
  }

  // MARK: Silences

  /// Before data of a stream: whether it was silent for long although its connection was not, and why.
  @inline(__always)
  mutating func tellSilence(
    _ at: Int, _ packet: PacketRef, _ bytes: UInt64, _ direction: Direction, into events: inout [Event]
  ) {
    let isRequest = isRequest(direction)
    sides[direction].pace.note(packet, bytes, trip)
    if let before = table.streams[at].lastBody(isRequest: isRequest), packet.time.since(before.time) > 500_000_000 {
      tellSilence(at, from: before, to: packet, direction, into: &events)
    }
    table.streams[at].paced[direction] = sides[direction].pace.sum
  }

  @inline(never)
  private mutating func tellSilence(
    _ at: Int, from: PacketRef, to: PacketRef, _ direction: Direction, into events: inout [Event]
  ) {
    let isRequest = isRequest(direction)
    let gap = to.time.since(from.time)
    let rest = gap &- table.streams[at].explained(isRequest: isRequest)
    guard gap >= 4 &* trip, rest >= max(100_000_000, gap / 20) else { return }
    let busy = sides[direction].pace.sum.since(table.streams[at].paced[direction])
    let cause: StreamPause.Cause
    if let blocked = blockedCause(at, until: to, direction, atLeast: rest / 2) {
      cause = blocked
    } else if busy.isFull(rest) {
      cause = .peerStreams
    } else {
      cause = .senderIdle
    }
    var pause = StreamPause(cause, direction, from: from, to: to)
    pause.exchange = table.streams[at].exchange.key
    pause.proof = [from, to]
    if cause == .peerStreams { pause.confidence = .medium }
    var message = pause
    // What the connection's own silence explained is counted already.
    if rest < gap { message.from = PacketRef(number: from.number, time: to.time.advanced(by: -rest)) }
    table.streams[at].take(message, isRequest: isRequest)
    events.append(.pause(pause))
  }

  /// Which window was empty for most of a stream's silence.
  private mutating func blockedCause(_ at: Int, until packet: PacketRef, _ direction: Direction, atLeast least: Int64)
    -> StreamPause.Cause?
  {
    guard isWhole else { return nil }
    let now = packet.time.nanoseconds
    sides[direction].credit.settle(at: now)
    let connection = sides[direction].credit.blocked(until: now)
    let blocked = table.streams[at].blocked(direction, until: now, connection: connection)
    if blocked.connection >= max(1, least) { return .connectionWindow }
    return blocked.own >= max(1, least) ? .streamWindow : nil
  }

  /// What a silence of the whole direction was to one of its streams.
  mutating func explain(_ pause: StreamPause, _ at: Int) -> StreamPause {
    guard pause.cause == .senderIdle || pause.cause == .unknown,
      let cause = blockedCause(at, until: pause.to, pause.direction, atLeast: pause.nanoseconds / 2)
    else { return pause }
    var explained = pause
    explained.cause = cause
    return explained
  }
}

/// How busy one direction is: the time in which data followed data at once, and its bytes.
struct HTTP2Pace: Sendable {
  struct Sum: Sendable {
    var busy: Int64 = 0
    var bytes: UInt64 = 0

    func since(_ earlier: Sum) -> Sum { Sum(busy: busy &- earlier.busy, bytes: bytes &- earlier.bytes) }

    /// Others used most of a time, and more than a trickle of events would.
    func isFull(_ nanoseconds: Int64) -> Bool {
      busy >= nanoseconds / 5 &* 4 && bytes >= UInt64(max(0, nanoseconds / 15_000))
    }
  }

  private(set) var sum = Sum()
  private var last = PacketRef.none

  @inline(__always)
  mutating func note(_ packet: PacketRef, _ bytes: UInt64, _ trip: Int64) {
    if packet.number != last.number {
      let gap = packet.time.since(last.time)
      if last.number > 0, gap <= max(20_000_000, trip) { sum.busy &+= gap }
      last = packet
    }
    sum.bytes &+= bytes
  }
}

extension HTTP2Dialogue {
  mutating func notePing(_ packet: PacketRef, _ direction: Direction) {
    let traffic = sides.toServer.record.traffic &+ sides.toClient.record.traffic
    sides[direction].record.notePing(packet, traffic: traffic)
  }
}
