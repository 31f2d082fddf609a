import Citation
import Decode

// What one side sent and the other did not take: written after its FIN, thrown away by its reset. All of it is seen on
// odd paths only; the connection has an end in sight.
extension Connection {
  /// A reset this soon after data may overtake what the receiver's program has not read yet.
  private static let resetAfterData: Int64 = 1_000_000_000

  /// Payload that nobody has sent before, after the other side's FIN.
  mutating func noteDataAfterPeerFin(
    _ segment: TCPSegment, _ window: Span<UInt8>, at start: Int64, _ direction: Direction, _ limits: ReassemblyLimits,
    _ outputs: inout ReassemblyOutputs
  ) {
    guard let fin = half.ask(direction.opposite, { $0.fin }), half.ask(direction, { $0.fin == nil }), start >= 0
    else { return }
    let end = UInt64(start) &+ UInt64(segment.payloadLength)
    let known = max(half[direction].highest, closing.late[direction].end)
    guard end > known, end - known < UInt64(limits.farthest) else { return }
    // Whoever does not acknowledge the FIN yet had not seen it: its data crossed it.
    let acknowledged = half.ask(direction.opposite) { $0.offset(of: SequenceNumber(segment.acknowledgment)) }
    if segment.flags.contains(.ack), let acknowledged, acknowledged <= Int64(fin.offset) {
      closing.late[direction].end = end
      return
    }
    let isFirst = closing.late[direction].segments == 0 || closing.late[direction].isFarewell
    closing.late[direction].isFarewell = isFirst && segment.isAlert(window)
    if isFirst {
      closing.late[direction].first = segment.packet
      closing.late[direction].start = UInt64(start)
      closing.late[direction].segments = 0
    }
    if isFirst, !closing.late[direction].isFarewell {
      outputs.observe(
        TCPObservation(
          .dataAfterPeerFin, segment.packet, direction, range: UInt64(start)..<end, earlier: fin.packet))
    }
    closing.late[direction].last = segment.packet
    closing.late[direction].segments &+= 1
    closing.late[direction].end = end
  }

  /// What is outstanding when nothing more comes. Of a receiver that was never captured nobody knows what it took, nor of
  /// one whose newest packets are missing.
  mutating func noteNeverAcknowledged(_ direction: Direction, _ outputs: inout ReassemblyOutputs) {
    guard let end = outstanding(direction), half.ask(direction.opposite, { $0.counters.packets > 0 }),
      !lacksPackets(of: direction.opposite, after: half.ask(direction) { $0.ackedBy })
    else { return }
    let late = closing.late[direction]
    if late.isFarewell, half[direction].ackedData >= late.start { return }
    let last = late.segments > 0 ? late.last : half.ask(direction) { $0.highestPacket }
    guard last.number > 0 else { return }
    outputs.observe(
      TCPObservation(
        .neverAcknowledged, last, direction, range: half[direction].ackedData..<end,
        earlier: late.segments > 1 ? late.first : nil, value: late.segments))
  }

  /// Packets of a side are missing that may have been sent after one of its own.
  package func lacksPackets(of direction: Direction, after packet: PacketRef) -> Bool {
    half.read(direction) { $0.lastHole.number > packet.number || !$0.hold.isEmpty }
  }

  /// The end of what a side has sent, where the other has not acknowledged all of it.
  private mutating func outstanding(_ direction: Direction) -> UInt64? {
    let late = closing.late.read(direction) { $0.end }
    return half.ask(direction) { half in
      let sent = max(half.highest, late)
      let end = half.fin.map { min(sent, $0.offset) } ?? sent
      return end > half.ackedData ? end : nil
    }
  }

  mutating func noteDataBeforeReset(_ segment: TCPSegment, _ direction: Direction, _ outputs: inout ReassemblyOutputs) {
    let data = half.ask(direction) { $0.lastData }
    let elapsed = segment.packet.time.since(data.time)
    guard data.number > 0, elapsed <= Self.resetAfterData, outstanding(direction.opposite) != nil else { return }
    outputs.observe(
      TCPObservation(.dataBeforeReset, data, direction, value: UInt64(max(0, elapsed))))
  }

  /// One side has closed; the other has not, nor sent any data since.
  package var isCloseUnanswered: Bool {
    guard closing.kind == .fin, !closing.isComplete, let by = closing.by else { return false }
    return closing.late[by.opposite].segments == 0 && half.read(by.opposite) { $0.counters.packets > 0 }
  }

  /// The FIN of the side that closed second, where it sent nothing else since the first one.
  package var closeAnswer: PacketRef? {
    guard closing.kind == .fin, closing.isComplete, let by = closing.by, closing.late[by.opposite].segments == 0,
      let first = half[by].fin?.packet, let second = half[by.opposite].fin?.packet, second.number > first.number
    else { return nil }
    return second
  }

  /// The newest packet of a side that brought anything: data, an acknowledgement of new bytes, or its FIN.
  func lastHeard(of direction: Direction) -> PacketRef? {
    var last = half[direction].lastData
    if half[direction.opposite].ackedBy.number > last.number { last = half[direction.opposite].ackedBy }
    if let fin = half[direction].fin, fin.packet.number > last.number { last = fin.packet }
    return last.number > 0 ? last : nil
  }
}

extension HalfConnection {
  /// An acknowledgement that is delayed on purpose comes after so long: 40 ms on Linux, up to 200 ms elsewhere.
  static let shortestDelay: Int64 = 35_000_000
  private static let longestDelay: Int64 = 220_000_000
  /// A segment of this size is full on any usual path, and is not held.
  private static let full = 1_400
  /// Two of one size are full, too, where they are no shorter than what every path takes: the path's segments are small.
  private static let leastFull = 536

  /// A segment that came after a late acknowledgement of the one before. Both are small, nothing else was outstanding,
  /// and the other side had said nothing (`heard` is its last data): perhaps it was held back until then.
  @inline(never)
  func noteHeldWrite(
    _ segment: TCPSegment, heard: PacketRef, _ direction: Direction, _ delivered: DeliveredHistory,
    _ outputs: inout ReassemblyOutputs
  ) {
    let waited = ackedBy.time.since(lastData.time)
    let lag = segment.packet.time.since(ackedBy.time)
    guard lastData.number > 0, waited <= Self.longestDelay, lag <= Self.longestDelay, heard.number < lastData.number,
      acked >= next, segment.payloadLength < Self.full, let before = delivered.count(of: history), before < Self.full,
      before != segment.payloadLength || before < Self.leastFull
    else { return }
    outputs.observe(
      TCPObservation(.delayedAck, ackedBy, direction.opposite, earlier: lastData, value: UInt64(max(0, waited))))
    outputs.observe(
      TCPObservation(
        .heldWrite, segment.packet, direction, range: next..<(next &+ UInt64(segment.payloadLength)), earlier: ackedBy,
        value: UInt64(max(0, lag))))
  }
}

extension TCPSegment {
  /// A whole TLS record of alerts and nothing else.
  fileprivate func isAlert(_ window: Span<UInt8>) -> Bool {
    guard payloadLength > 5, payloadCaptured >= 5, payloadRange.upperBound <= window.count else { return false }
    let at = payloadOffset
    return window[at] == 21 && window[at + 1] == 3
      && Int(window[at + 3]) << 8 | Int(window[at + 4]) == payloadLength - 5
  }
}
