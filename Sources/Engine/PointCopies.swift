import Citation
import Decode

/// Finds packets that another point of the capture has recorded before: each is to be counted once.
///
/// Bytes are told by their sequence numbers and not by packets, because network cards join and split segments differently at
/// each point. What a point sees for the first time, and another has recorded already, is a copy. A retransmission is a copy
/// where another point has recorded as many of the same bytes. The first record of a packet is the one that counts, so data
/// of either side is stamped where it was sent.
struct PointCopies {
  /// Beyond these the oldest half is forgotten; then a late copy counts as a retransmission.
  private static let flowLimit = 1 << 15
  private static let repeatLimit = 1 << 16
  private static let retransmittedLimit = 64

  /// What one point saw of one direction.
  private struct Seen {
    var data = SequenceCoverage()
    var acknowledged: UInt32?
    /// The last two that differ: packets may take several ways.
    var timeToLive: UInt8 = 0
    var otherTimeToLive: UInt8 = 0

    mutating func note(timeToLive: UInt8) {
      guard timeToLive != self.timeToLive else { return }
      (self.timeToLive, otherTimeToLive) = (timeToLive, self.timeToLive)
    }

    func usual(for timeToLive: UInt8) -> UInt8 { otherTimeToLive == timeToLive ? timeToLive : self.timeToLive }
  }

  private struct Lane {
    /// Of all points together.
    var all = Seen()
    var points: [Seen]
    /// The last that counted.
    var retransmitted: [Retransmitted] = []
  }

  /// Retransmitted bytes, as one point recorded them first.
  private struct Retransmitted {
    var point: Int
    var from: UInt32
    var to: UInt32
    /// Up to where each point has recorded them.
    var seen: [UInt32]
  }

  private struct Flow {
    var lower: Lane
    var upper: Lane
    var used: UInt64
  }

  /// A segment without bytes that adds no acknowledgment.
  private struct Repeated: Hashable {
    var key: FlowKey
    var isLower: Bool
    var flags: UInt8
    var sequence: UInt32
    var acknowledgment: UInt32
    var window: UInt16
  }

  private let count: Int
  private var flows: [FlowKey: Flow] = [:]
  private var repeats: [Repeated: [UInt16]] = [:]
  private var packets: UInt64 = 0
  /// How many were found.
  private(set) var found: UInt64 = 0

  init(points: Int) { count = points }

  /// Whether another point recorded it before; notes it either way. What ends a connection is given what its sender's
  /// packets look like at this point.
  mutating func isCopy(_ segment: inout TCPSegment, at point: Int) -> Bool {
    packets &+= 1
    segment.usualTimeToLive = 0
    let isCopy = look(at: &segment, point)
    if isCopy { found &+= 1 }
    return isCopy
  }

  private mutating func look(at segment: inout TCPSegment, _ point: Int) -> Bool {
    guard point < count else { return false }
    if flows.count > Self.flowLimit { forgetFlows() }
    let blank = Lane(points: [Seen](repeating: Seen(), count: count))
    // An opening begins the numbers anew, where a port is used again.
    if segment.flags.contains(.syn), isOpening(segment) { flows[segment.key] = nil }
    var flow = flows[segment.key] ?? Flow(lower: blank, upper: blank, used: 0)
    flow.used = packets
    defer { flows[segment.key] = flow }
    return segment.sentByLower ? look(at: &segment, point, &flow.lower) : look(at: &segment, point, &flow.upper)
  }

  private mutating func look(at segment: inout TCPSegment, _ point: Int, _ lane: inout Lane) -> Bool {
    if segment.flags.lacks(.fin | .rst) {
      lane.points[point].note(timeToLive: segment.timeToLive)
    } else {
      segment.usualTimeToLive = lane.points[point].usual(for: segment.timeToLive)
    }
    let length = segment.sequenceLength
    guard length > 0 else {
      let (isNew, isKnown) = Self.noteAcknowledgment(segment, point, &lane)
      return isNew ? isKnown : isRepeatedElsewhere(segment, point)
    }
    let isNew = lane.points[point].data.add(segment.sequence, length)
    let isKnown = !lane.all.data.add(segment.sequence, length)
    _ = Self.noteAcknowledgment(segment, point, &lane)
    // New to the point: a copy unless it is new to all.
    return isNew ? isKnown : isRetransmittedElsewhere(segment.sequence, segment.sequence &+ length, point, &lane)
  }

  /// A first SYN, of either side, with a sequence number that no point has seen.
  private func isOpening(_ segment: TCPSegment) -> Bool {
    guard !segment.flags.contains(.ack), let flow = flows[segment.key] else { return false }
    let lane = segment.sentByLower ? flow.lower : flow.upper
    return !lane.all.data.covers(segment.sequence, 1)
  }

  /// Whether it is new to the point, and whether any has seen it.
  private static func noteAcknowledgment(
    _ segment: TCPSegment, _ point: Int, _ lane: inout Lane
  ) -> (isNew: Bool, isKnown: Bool) {
    guard segment.flags.contains(.ack), !segment.flags.contains(.rst) else { return (false, false) }
    let isNew = isAhead(segment.acknowledgment, of: lane.points[point].acknowledged)
    let isKnown = !isAhead(segment.acknowledgment, of: lane.all.acknowledged)
    if isNew { lane.points[point].acknowledged = segment.acknowledgment }
    if !isKnown { lane.all.acknowledged = segment.acknowledgment }
    return (isNew, isKnown)
  }

  private static func isAhead(_ number: UInt32, of other: UInt32?) -> Bool {
    other.map { Int32(bitPattern: number &- $0) > 0 } ?? true
  }

  /// Whether another point has recorded these retransmitted bytes, once for each time. Cards may have split or joined them
  /// there.
  private func isRetransmittedElsewhere(_ from: UInt32, _ to: UInt32, _ point: Int, _ lane: inout Lane) -> Bool {
    for at in lane.retransmitted.indices where lane.retransmitted[at].point != point {
      let known = lane.retransmitted[at]
      let isInside = Int32(bitPattern: from &- known.from) >= 0 && Int32(bitPattern: known.to &- to) >= 0
      guard isInside, Int32(bitPattern: from &- known.seen[point]) >= 0 else { continue }
      lane.retransmitted[at].seen[point] = to
      return true
    }
    if let last = lane.retransmitted.lastIndex(where: { $0.point == point }), lane.retransmitted[last].to == from,
      lane.retransmitted[last].seen.allSatisfy({ $0 == lane.retransmitted[last].from })
    {
      lane.retransmitted[last].to = to
      return false
    }
    if lane.retransmitted.count == Self.retransmittedLimit { lane.retransmitted.removeFirst() }
    lane.retransmitted.append(
      Retransmitted(point: point, from: from, to: to, seen: [UInt32](repeating: from, count: count)))
    return false
  }

  /// Whether another point saw it as often.
  private mutating func isRepeatedElsewhere(_ segment: TCPSegment, _ point: Int) -> Bool {
    if repeats.count > Self.repeatLimit { repeats.removeAll(keepingCapacity: true) }
    let key = Repeated(
      key: segment.key, isLower: segment.sentByLower, flags: segment.flags.rawValue, sequence: segment.sequence,
      acknowledgment: segment.acknowledgment, window: segment.window)
    var counts = repeats[key] ?? [UInt16](repeating: 0, count: count)
    if counts[point] < .max { counts[point] += 1 }
    repeats[key] = counts
    return counts.indices.contains { $0 != point && counts[$0] >= counts[point] }
  }

  /// The half that was used last stays.
  private mutating func forgetFlows() {
    let middle = flows.values.map(\.used).sorted()[flows.count / 2]
    flows = flows.filter { $0.value.used >= middle }
  }
}

extension TCPSegment {
  /// SYN and FIN have a place in the sequence, too.
  fileprivate var sequenceLength: UInt32 {
    let marks = (flags.contains(.syn) ? 1 : 0) + (flags.contains(.fin) ? 1 : 0)
    return UInt32(truncatingIfNeeded: payloadLength + marks)
  }
}
