import Citation
import Decode

// Later copies: are they the same, and why were they sent? Wireshark's triggers are kept where they hold; the comments
// say where they do not.
extension HalfConnection {
  /// A timer of less than this is not one: RFC 6298 asks for a second, Linux uses 200 ms.
  private static let shortestTimeout: Int64 = 200_000_000
  /// Recorders of several queues put packets out of order by less: a second.
  private static let farBehind: UInt32 = 1_000_000
  /// Without a round-trip time, reordering is believed up to this.
  private static let reorderingTime: Int64 = 3_000_000

  mutating func add(_ conflict: OverlapConflict, _ direction: Direction, _ outputs: inout ReassemblyOutputs) {
    counters.overlapConflicts &+= 1
    outputs.conflicts.append(conflict)
    outputs.items.append(.conflict(outputs.conflicts.count - 1, direction))
  }

  /// Compares a copy of delivered bytes with what was delivered.
  mutating func compareDelivered(
    _ copy: Span<UInt8>, at offset: UInt64, _ packet: PacketRef, _ direction: Direction,
    _ delivered: DeliveredHistory, _ outputs: inout ReassemblyOutputs
  ) -> DeliveredHistory.Comparison {
    let comparison = delivered.compare(copy, at: offset, from: history)
    guard case .differs(let range, let count, let first) = comparison else { return comparison }
    let quoted = range.lowerBound..<min(range.upperBound, range.lowerBound + UInt64(Excerpt.limit))
    let second = copy.extracting(Int(quoted.lowerBound - offset)..<Int(quoted.upperBound - offset))
    add(
      OverlapConflict(
        range: range, differing: count, first: first, second: packet,
        firstBytes: Excerpt(delivered.excerpt(quoted, from: history).span, isPayload: true),
        secondBytes: Excerpt(second, isPayload: true)),
      direction, &outputs)
    return comparison
  }

  /// Of a copy so old that its original is not remembered: it is stamped well before the acknowledgement of what it brings,
  /// though it was recorded long after. A part of the capture is there twice.
  private func isStampedBeforeItsEnd(_ segment: TCPSegment, _ end: UInt64) -> Bool {
    segment.behind >= Self.farBehind && end <= acked && segment.stamp < ackedBy.time
  }

  /// A segment of which every byte was seen before; answers whether it is the same packet, captured twice.
  @discardableResult
  mutating func noteRetransmission(
    _ segment: TCPSegment, from start: UInt64, to end: UInt64, comparison: DeliveredHistory.Comparison?,
    _ direction: Direction, _ delivered: DeliveredHistory, _ outputs: inout ReassemblyOutputs
  ) -> Bool {
    let packet = segment.packet
    let earlier = lastData.number > 0 ? lastData : nil
    let isCopy =
      recent.holds(segment) || hold.holds(segment, at: start) || delivered.holds(segment, at: start, from: history)
    let isFromBefore = comparison == .unknown && isStampedBeforeItsEnd(segment, end)
    if isFromBefore || isCopy && (comparison == .equal || end == start) {
      counters.duplicates &+= 1
      outputs.observe(TCPObservation(.duplicatePacket, packet, direction, range: start..<end, earlier: earlier))
      return true
    }
    // It may have been captured twice itself.
    recent.add(segment)
    // Of a segment that also brings new bytes, only the old ones; one from before the first byte has no others.
    counters.retransmittedBytes &+= start == end ? UInt64(segment.payloadLength) : end - start
    let elapsed = packet.time.since(lastData.time)
    let kind: TCPObservation.Kind
    if end <= acked {
      kind = .retransmissionSpurious
    } else if duplicateAcks >= 2, start <= acked {
      kind = .retransmissionFast
    } else if earlier != nil, elapsed >= Self.shortestTimeout {
      kind = .retransmissionTimeout
    } else {
      kind = .retransmission
    }
    outputs.observe(
      TCPObservation(
        kind, packet, direction, range: start..<end, earlier: earlier,
        value: kind == .retransmissionTimeout ? UInt64(max(0, elapsed)) : 0))
    if comparison == .unknown {
      outputs.observe(TCPObservation(.notCompared, packet, direction, range: start..<end))
    }
    return false
  }

  /// A segment with new bytes that belong before bytes already seen: overtaken on the way, or retransmitted after its
  /// first copy was lost before this capture point. The sender's IP identification decides where it has one; else the
  /// time.
  mutating func noteLateArrival(
    _ segment: TCPSegment, from start: UInt64, to end: UInt64, _ direction: Direction,
    _ outputs: inout ReassemblyOutputs
  ) {
    let packet = segment.packet
    // A number damaged on its way shows no hole.
    guard highest <= farthestOffered else { return }
    var isOvertaken = packet.time.since(highestPacket.time) <= Self.reorderingTime && duplicateAcks < 3
    if let mine = segment.identification, let other = highestIdentification {
      let distance = Int16(bitPattern: mine &- other)
      if distance.magnitude < 1_024 { isOvertaken = distance < 0 }
    }
    if isOvertaken {
      counters.outOfOrder &+= 1
    } else {
      counters.retransmittedBytes &+= UInt64(segment.payloadLength)
    }
    outputs.observe(
      TCPObservation(
        isOvertaken ? .outOfOrder : .retransmissionOfUnseen, packet, direction, range: start..<end,
        earlier: highestPacket))
  }
}

extension OverlapConflict {
  /// The conflict of a new copy with a held segment, if they differ anywhere in `overlap`.
  init?(
    of bytes: Span<UInt8>, at offset: UInt64, in packet: PacketRef, with held: HoldQueue.Segment,
    over overlap: Range<UInt64>
  ) {
    let end = min(overlap.upperBound, offset &+ UInt64(bytes.count), held.offset &+ UInt64(held.bytes.count))
    var range: Range<UInt64>?
    var differing: UInt64 = 0
    var at = overlap.lowerBound
    while at < end {
      if bytes[Int(at - offset)] != held.bytes[Int(at - held.offset)] {
        differing += 1
        range = (range?.lowerBound ?? at)..<(at + 1)
      }
      at += 1
    }
    guard let range else { return nil }
    let count = Int(min(range.upperBound - range.lowerBound, UInt64(Excerpt.limit)))
    let mine = Int(range.lowerBound - offset)
    let theirs = Int(range.lowerBound - held.offset)
    self.init(
      range: range, differing: differing, first: held.packet, second: packet,
      firstBytes: Excerpt(held.bytes.span.extracting(theirs..<(theirs + count)), isPayload: true),
      secondBytes: Excerpt(bytes.extracting(mine..<(mine + count)), isPayload: true))
  }
}
