import Citation
import Decode

/// One direction of a connection: puts its bytes in order, once each.
///
/// Invariants:
/// - everything below `next` has been delivered or declared a gap, and nothing above it has;
/// - `hold` starts above `next`, or with what acknowledges bytes that the other side has not shown yet;
/// - the first copy seen of a byte is the one delivered; a later one is only compared.
///
/// Offsets count stream bytes from the one after the SYN. 64 bits wide, they never wrap.
package struct HalfConnection: Sendable {
  package struct Counters: Sendable, Equatable {
    package var packets: UInt64 = 0
    /// In-order bytes seen, each once.
    package var bytes: UInt64 = 0
    /// Payload retransmitted, whether or not the first copy was captured.
    package var retransmittedBytes: UInt64 = 0
    /// Packets that were overtaken on the way.
    package var outOfOrder: UInt64 = 0
    package var missingBytes: UInt64 = 0
    package var overlapConflicts: UInt64 = 0
    /// Packets captured twice.
    package var duplicates: UInt64 = 0
  }

  /// Bytes that the receiver acknowledged and the capture has not shown.
  struct Unseen: Sendable {
    var ack: PacketRef
    var upTo: UInt64
    /// Packets since the stream went on, those of one moment counted once, and how far it was then.
    var packetsSince = 0
    var counted = PacketRef.none
    var next: UInt64 = 0
  }

  // In the order of how often they are asked: a capture has thousands of connections that take turns, and what lies apart
  // is fetched apart. These are asked for each packet of either side.

  /// The sequence number of offset 0; nil until anything tells it.
  var origin: SequenceNumber?
  /// The other side has said something since the last data.
  var isAnswered = false
  package internal(set) var isEnded = false
  package internal(set) var next: UInt64 = 0
  /// How far the receiver has acknowledged; a FIN counts as one.
  var acked: UInt64 = 0
  var receiver = ReceiveWindow()
  var fin: (offset: UInt64, packet: PacketRef)?
  /// The packet that acknowledged so far.
  var ackedBy = PacketRef.none
  var duplicateAcks = 0
  /// What the receiver acknowledged when it had data from behind a hole: it asks for what is missing.
  var askedFor = UInt64.max
  /// A jump of the acknowledgement that a second one has yet to confirm.
  var suspectAck: UInt64?

  // For each packet with data.

  var hold = HoldQueue()
  package internal(set) var counters = Counters()
  var lastData = PacketRef.none
  var largestSegment = 0
  /// The packet of the byte before `next`: what stands before a hole, when later data already waits behind it.
  var lastDelivered = PacketRef.none
  /// The end of the furthest bytes seen, and the packet that carried them.
  var highest: UInt64 = 0
  var highestPacket = PacketRef.none
  var highestIdentification: UInt16?
  var highestTimeToLive: UInt8 = 0
  var highestLinkSource: UInt32 = 0
  var series = IdentificationSeries()
  var clock = SenderClock()
  var run = SegmentRun()
  var history: DeliveredHistory.Entry = 0

  // For packets without, and where something is missing or comes again.

  var recent = RecentPackets()
  /// The packet that released what had waited behind a hole, the last time something did.
  var drainedBy = PacketRef.none
  /// The packet that revealed the newest hole: what its packets acknowledged is missing with them.
  var lastHole = PacketRef.none
  /// Retransmitted bytes that are not acknowledged yet.
  var copy = Rare<CopyInFlight>()
  var unseen: Unseen?
  /// One at most: zeros of a short frame that are padding, or data after all.
  var padding: [HoldQueue.Segment] = []

  package init() {}

  /// The offset of a sequence number, nearest to what is expected; negative before the first byte.
  @inline(__always)
  func offset(of sequence: SequenceNumber) -> Int64? {
    guard let origin else { return nil }
    return Int64(next) &+ sequence.distance(from: origin.advanced(by: next))
  }

  /// What the receiver has acknowledged of the data, without the FIN.
  var ackedData: UInt64 { fin.map { min(acked, $0.offset) } ?? acked }

  // MARK: Bytes

  /// Takes the payload of a segment that starts at `start`. Where it `needs` more of the other side than was delivered,
  /// it waits.
  @inline(__always)
  mutating func insert(
    _ segment: TCPSegment, _ window: Span<UInt8>, at start: Int64, needs: UInt64 = 0, _ direction: Direction,
    _ scene: inout StreamScene, _ outputs: inout ReassemblyOutputs
  ) {
    if segment.payloadLength > largestSegment { largestSegment = segment.payloadLength }
    if start == Int64(next), hold.isEmpty, fin == nil, !isEnded, segment.payloadLength > 0, needs == 0 {
      deliver(segment.payloadRange, of: window, segment, direction, &scene, &outputs)
      let cut = segment.payloadLength - segment.payloadCaptured
      if next &+ UInt64(cut) > highest { rememberHighest(next &+ UInt64(cut), segment) }
      skipCut(cut, segment.packet, direction, &outputs)
      lastData = segment.packet
      return
    }
    insertElsewhere(segment, window, at: start, needs, direction, &scene, &outputs)
  }

  @inline(__always)
  private mutating func deliver(
    _ range: Range<Int>, of window: Span<UInt8>, _ segment: TCPSegment, _ direction: Direction,
    _ scene: inout StreamScene, _ outputs: inout ReassemblyOutputs
  ) {
    guard !range.isEmpty else { return }
    let gap = segment.packet.time.since(lastDelivered.time)
    if gap > DeliveryPause.shortest { notePause(segment, window, direction, &outputs) }
    // Whoever waits for an answer to each has nothing to collect.
    if gap < SegmentRun.gap, !isAnswered || acked < next {
      run.add(segment.payloadLength)
    } else {
      noteRun(direction, &outputs)
      run.begin(segment.packet, segment.payloadLength, at: next)
    }
    isAnswered = false
    outputs.items.append(
      .data(
        Delivery(
          direction: direction, offset: next, packet: segment.packet, released: segment.packet, source: .window(range),
          acknowledged: acked == next ? ackedBy : .none)))
    history = scene.history.record(range, of: scene.window(of: segment), at: next, by: segment, after: history)
    lastDelivered = segment.packet
    next &+= UInt64(range.count)
    counters.bytes &+= UInt64(range.count)
  }

  @inline(__always)
  mutating func rememberHighest(_ end: UInt64, _ segment: TCPSegment) {
    highest = end
    highestPacket = segment.packet
    highestIdentification = segment.identification
    highestTimeToLive = segment.timeToLive
    highestLinkSource = segment.linkSource
    series.count = counters.packets
  }

  /// Bytes that were on the wire but beyond the snapshot length: no later copy will show them either.
  @inline(__always)
  private mutating func skipCut(
    _ count: Int, _ packet: PacketRef, _ direction: Direction, _ outputs: inout ReassemblyOutputs
  ) {
    guard count > 0 else { return }
    let end = next &+ UInt64(count)
    outputs.observe(TCPObservation(.snaplenCut, packet, direction, range: next..<end, value: UInt64(count)))
    skip(to: end, .snaplen, packet, direction, &outputs)
  }

  private mutating func skip(
    to end: UInt64, _ cause: SequenceGap.Cause, _ packet: PacketRef, heard: PacketRef? = nil, _ direction: Direction,
    _ outputs: inout ReassemblyOutputs
  ) {
    let before = lastDelivered.number > 0 ? lastDelivered : nil
    var gap = SequenceGap(next..<end, cause, packet, before: before)
    if cause == .neverArrived, acked <= next, duplicateAcks > 0 || askedFor == acked, let behind = hold.first?.packet {
      let largest = hold.segments.prefix(Self.behindLimit).map(\.segment.payloadLength).max() ?? 0
      gap.loss = SequenceGap.Loss(
        behind: behind, largestPassed: largestSegment, largestBehind: largest, heard: heard)
    }
    outputs.items.append(.gap(gap, direction))
    if cause != .snaplen { lastHole = packet }
    counters.missingBytes &+= end - next
    next = end
    highest = max(highest, end)
  }

  /// Everything but the next bytes in order with nothing waiting.
  private mutating func insertElsewhere(
    _ segment: TCPSegment, _ window: Span<UInt8>, at start: Int64, _ needs: UInt64, _ direction: Direction,
    _ scene: inout StreamScene, _ outputs: inout ReassemblyOutputs
  ) {
    let packet = segment.packet
    guard start > -scene.limits.farthest, start < Int64(next) &+ scene.limits.farthest else {
      outputs.observe(TCPObservation(.outOfWindow, packet, direction, value: UInt64(segment.payloadLength)))
      return
    }
    // What lies before the first byte of the stream belongs to nobody.
    let early = Int(min(max(0, -start), Int64(segment.payloadLength)))
    var offset = UInt64(max(0, start))
    var length = UInt64(segment.payloadLength - early)
    let payload = window.extracting(segment.payloadRange)
    var position = segment.payloadOffset + min(early, payload.count)
    var bytes = payload.extracting(min(early, payload.count)..<payload.count)
    var isAfterFin = false
    if let fin, offset &+ length > fin.offset {
      let kept = fin.offset > offset ? fin.offset - offset : 0
      outputs.observe(
        TCPObservation(
          .dataAfterFin, packet, direction, range: (offset &+ kept)..<(offset &+ length), earlier: fin.packet))
      length = kept
      bytes = bytes.extracting(0..<min(bytes.count, Int(kept)))
      isAfterFin = true
    }
    guard length > 0 else {
      if early > 0, !isAfterFin {
        noteRetransmission(segment, from: 0, to: 0, comparison: nil, direction, scene.history, &outputs)
      }
      return
    }

    let end = offset &+ length
    if offset < next {
      let known = Int(min(next, end) - offset)
      let old = bytes.extracting(0..<min(known, bytes.count))
      let comparison = compareDelivered(old, at: offset, packet, direction, scene.history, &outputs)
      let isRecordedTwice = noteRetransmission(
        segment, from: offset, to: offset &+ UInt64(known), comparison: comparison, direction, scene.history,
        &outputs)
      guard end > next else {
        if !isRecordedTwice { lastData = packet }
        return
      }
      position += min(known, bytes.count)
      bytes = bytes.extracting(min(known, bytes.count)..<bytes.count)
      offset = next
      length = end - next
    }
    // Ended by something else than a FIN: what comes now is of no stream.
    guard !isEnded else {
      outputs.observe(TCPObservation(.outOfWindow, packet, direction, value: length))
      return
    }
    let source = HoldQueue.Source(
      segment: segment, window: scene.window(of: segment), position: position, needs: needs)
    if !hold(source, bytes, length: length, at: offset, direction, scene.history, &outputs) { lastData = packet }
    if end > highest { rememberHighest(end, segment) }
    drain(direction, releasedBy: packet, seen: 0, &scene, &outputs)
    while hold.byteCount > scene.limits.heldBytes || hold.count > scene.limits.heldSegments,
      let first = hold.first
    {
      if first.offset > next { skip(to: first.offset, .holdLimit, packet, direction, &outputs) }
      drain(direction, releasedBy: packet, seen: .max, &scene, &outputs)
    }
  }

  /// Answers whether it is the same packet, captured twice.
  private mutating func hold(
    _ source: HoldQueue.Source, _ bytes: Span<UInt8>, length: UInt64, at offset: UInt64, _ direction: Direction,
    _ delivered: DeliveredHistory, _ outputs: inout ReassemblyOutputs
  ) -> Bool {
    let segment = source.segment
    let packet = segment.packet
    let isBehindHighest = offset < highest
    var conflicts: [OverlapConflict] = []
    var covered: UInt64 = 0
    let isNew = hold.insert(bytes, length: length, at: offset, source) { held, overlap in
      covered += overlap.upperBound - overlap.lowerBound
      if let conflict = OverlapConflict(of: bytes, at: offset, in: packet, with: held, over: overlap) {
        conflicts.append(conflict)
      }
    }
    for conflict in conflicts { add(conflict, direction, &outputs) }
    if !isNew {
      return noteRetransmission(
        segment, from: offset, to: offset &+ length, comparison: .equal, direction, delivered, &outputs)
    }
    if isBehindHighest {
      counters.retransmittedBytes &+= covered
      noteLateArrival(segment, from: offset, to: offset &+ length, direction, &outputs)
    }
    return false
  }

  /// Delivers what waits at `next` and needs no more than `seen` of the other side, and the end of the stream if that is
  /// what comes then.
  mutating func drain(
    _ direction: Direction, releasedBy packet: PacketRef, seen: UInt64, _ scene: inout StreamScene,
    _ outputs: inout ReassemblyOutputs
  ) {
    while let first = hold.first, first.offset <= next, first.needs <= seen, let segment = hold.removeFirst() {
      let count = segment.bytes.count
      let released = segment.packet.number > packet.number ? segment.packet : packet
      if count > 0 {
        if segment.needs > 0 {
          noteAhead(segment, releasedBy: released, direction, &outputs)
          notePause(until: released, isEnd: false, direction, &outputs)
        } else {
          notePause(segment, releasedBy: released, direction, &outputs)
        }
        drainedBy = released
        let place = segment.position..<(segment.position + count)
        history = scene.history.record(place, of: segment.window, at: next, by: segment.segment, after: history)
        outputs.held.append(segment.bytes)
        outputs.items.append(
          .data(
            Delivery(
              direction: direction, offset: next, packet: segment.packet, released: released,
              source: .held(outputs.held.count - 1, 0..<count), isAhead: segment.needs > 0)))
        lastDelivered = segment.packet
        next &+= UInt64(count)
        counters.bytes &+= UInt64(count)
      }
      skipCut(Int(segment.length) - count, segment.packet, direction, &outputs)
    }
    if let fin, next >= fin.offset, !isEnded {
      isEnded = true
      notePause(until: fin.packet, isEnd: true, direction, &outputs)
      outputs.items.append(.end(.fin, direction, fin.packet))
    }
  }

  // MARK: Holes

  /// Gives up the bytes below `limit` that were never seen, and delivers what waits behind them.
  mutating func giveUp(
    to limit: UInt64, _ cause: SequenceGap.Cause, at packet: PacketRef, seen: UInt64, _ direction: Direction,
    _ scene: inout StreamScene, _ outputs: inout ReassemblyOutputs
  ) {
    // An acknowledgement from before the FIN may claim more than there is.
    let limit = fin.map { min($0.offset, limit) } ?? limit
    while next < limit {
      let target = hold.first.map { min($0.offset, limit) } ?? limit
      if target > next { skip(to: target, cause, packet, direction, &outputs) }
      let before = next
      drain(direction, releasedBy: packet, seen: seen, &scene, &outputs)
      if next == before { return }
    }
    drain(direction, releasedBy: packet, seen: seen, &scene, &outputs)
  }

  /// Segments behind a hole that are looked at.
  private static let behindLimit = 64

  /// Ends the direction: what waits is delivered behind its holes, then nothing more comes. Its sender was `heard` last.
  mutating func finish(
    _ end: DirectionEnd, at packet: PacketRef, heard: PacketRef?, _ direction: Direction, _ scene: inout StreamScene,
    _ outputs: inout ReassemblyOutputs
  ) {
    guard !isEnded else { return }
    drain(direction, releasedBy: .none, seen: .max, &scene, &outputs)
    // What waits behind a FIN came of no stream: nothing follows the end.
    while !isEnded, let first = hold.first {
      // A segment beyond anything the receiver offered or acknowledged was never part of the stream.
      if receiver.isKnown, first.offset > max(acked, next) &+ receiver.largest &+ UInt64(scene.limits.heldBytes) {
        outputs.observe(TCPObservation(.outOfWindow, first.packet, direction, value: first.length))
        _ = hold.removeFirst()
        continue
      }
      skip(to: first.offset, .neverArrived, packet, heard: heard, direction, &outputs)
      drain(direction, releasedBy: packet, seen: .max, &scene, &outputs)
    }
    guard !isEnded else { return }
    isEnded = true
    if end == .reset { notePause(until: packet, isEnd: true, direction, &outputs) }
    outputs.items.append(.end(end, direction, packet))
  }

  /// One acknowledged number with nothing behind it is more likely a FIN that was not captured than a lone byte.
  func isLikelyLostFin(_ upTo: UInt64) -> Bool {
    fin == nil && hold.isEmpty && upTo == next &+ 1
  }
}

/// What all connections of a lane share while they take a segment.
package struct StreamScene: Sendable {
  package var limits: ReassemblyLimits
  package var history: DeliveredHistory

  package init(limits: ReassemblyLimits = ReassemblyLimits(), history: DeliveredHistory = DeliveredHistory()) {
    self.limits = limits
    self.history = history
  }

  /// The window that a segment points into; zero for the datagrams put together from fragments, which are not kept.
  @inline(__always)
  func window(of segment: TCPSegment) -> UInt32 {
    segment.encapsulation.hasFragments ? 0 : history.serial
  }
}
