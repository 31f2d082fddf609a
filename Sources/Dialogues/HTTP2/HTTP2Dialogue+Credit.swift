import Citation
import Events
import HTTP2Semantics

// Who waited for whom: the sender's view of the windows, and the places for streams.
extension HTTP2Dialogue {
  /// The way from here to the sender of a direction, and back.
  private func delay(_ sender: Direction) -> Int64 {
    (sender == .toServer ? roundTrip.clientNanoseconds : roundTrip.serverNanoseconds) ?? 0
  }

  /// From one end to the other and back, as far as it is known.
  var trip: Int64 { max(0, roundTrip.total ?? 0) }

  /// A frame of data spends credit of its stream, where it has one, and of the connection.
  @inline(__always)
  mutating func useCredit(_ data: HTTP2DataFrame, _ at: Int?, _ direction: Direction) {
    sides[direction].record.noteData(of: data.length, endsStream: data.endsStream, in: data.released)
    let free = sides[direction].credit.spendFreely(data.length, data.released)
    let connection = free ?? useLittle(data, direction)
    guard let at else { return }
    table.streams[at].use(
      data.length, data.released, direction, connection: connection, shortest: trip &+ 200_000_000)
    if data.length > 0 { sides[direction].lastData = data.released }
  }

  /// The same where the connection has no credit, or some is on its way. Answers for how long it had none so far.
  @inline(never)
  private mutating func useLittle(_ data: HTTP2DataFrame, _ direction: Direction) -> Int64 {
    let packet = data.released
    if var stall = sides[direction].credit.spend(data.length, packet), stall.nanoseconds >= CreditRecord.least {
      stall.waiting = UInt64(waiting(direction, since: stall.reached))
      stall.holder = sides[direction].holder
      if stall.waiting > 0 { record.credit[direction].note(stall) }
    }
    return sides.ask(direction) { $0.credit.blocked(until: packet.time.nanoseconds) }
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
    let since = sides.read(direction) { $0.credit.emptied }
    guard sides.read(direction, { $0.credit.isBlocked }), packet.time.since(since.time) >= CreditRecord.least else {
      return
    }
    var most: UInt64 = 0
    sides[direction].holder = nil
    for at in table.inOrder {
      let uncredited = table.streams[at].uncredited(direction)
      guard uncredited > most else { continue }
      most = uncredited
      sides[direction].holder = table.streams[at].id
    }
  }

  /// The windows of all open streams change.
  mutating func giveAll(_ difference: Int64, _ direction: Direction, by packet: PacketRef) {
    for at in table.inOrder {
      if difference > 0 {
        table.streams[at].giveCredit(difference, direction, by: packet, after: delay(direction))
      } else {
        table.streams[at].takeCredit(difference, direction, in: packet)
      }
    }
  }

  /// A connection that ends while it has no credit.
  mutating func endCredit() {
    for direction in Direction.allCases {
      let end = sides.toServer.end ?? sides.toClient.end
      let packet = end?.packet ?? sides[direction].lastData
      record.blocked[direction] = sides[direction].credit.blocked(until: packet.time.nanoseconds)
      let course = sides[direction].credit.takeCourse()
      if record.blocked[direction] > 0 { record.credit[direction].course = course }
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
    let last = sides.read(direction) { $0.lastData }
    guard isWhole, last.number > 0, waiting(direction, since: .max) == 0 else { return }
    sides[direction].credit.settle(at: packet.time.nanoseconds)
    let window = sides.read(direction) { $0.credit.window }
    let most = sides.read(direction) { $0.credit.most }
    sides[direction].record.noteLeft(window, of: most, since: last, at: packet)
  }

  // MARK: Places

  mutating func takePlace(_ stream: UInt32, _ packet: PacketRef) {
    guard isWhole, stream % 2 == 1, let full = places.take(packet) else { return }
    if full.asked.time.since(full.freed.time) <= max(50_000_000, 2 &* trip) { record.note(full) }
  }

  mutating func freePlace(_ stream: UInt32, _ packet: PacketRef) {
    if stream % 2 == 1 { places.free(packet) }
  }
}
