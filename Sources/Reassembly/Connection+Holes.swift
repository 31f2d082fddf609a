import Citation
import Decode

// Bytes that the other side has acknowledged and that the capture has not shown: they may come late, where a capture was
// put together from several queues or two ports, or never. What acknowledges them answers them, and waits as long.
extension Connection {
  /// How much of the other side has to be delivered before this segment is: what it acknowledges, where that may still
  /// come. Without that an answer stands before its request.
  mutating func need(of segment: TCPSegment, _ direction: Direction) -> UInt64 {
    guard mayHaveHoles, segment.flags.contains(.ack) else { return 0 }
    return half.ask(direction.opposite) { other in
      guard let unseen = other.unseen, unseen.upTo > other.next, !other.isLikelyLostFin(unseen.upTo), !other.isEnded,
        let offset = other.offset(of: SequenceNumber(segment.acknowledgment)), offset > Int64(other.next)
      else { return 0 }
      return min(UInt64(offset), unseen.upTo)
    }
  }

  /// So many packets of the server alone make a one-sided capture of it.
  private static let firstPackets: UInt64 = 16

  /// The SYN-ACK was captured, and no SYN yet: it may come late, and all of the client's packets with it.
  var isOvertaken: Bool {
    mutating get {
      handshake.synAck != nil && handshake.syn == nil && half.ask(.toClient) { $0.counters.packets < Self.firstPackets }
    }
  }

  /// Delivers what waited for bytes that are there now, of both sides in turn.
  private mutating func releaseAnswers(
    by packet: PacketRef, _ scene: inout StreamScene, _ outputs: inout ReassemblyOutputs
  ) {
    var isReleased = true
    while isReleased {
      isReleased = false
      for direction in Direction.allCases {
        let seen = half.ask(direction.opposite) { $0.next }
        guard let first = half[direction].hold.first, first.needs <= seen else { continue }
        if first.offset > half[direction].next {
          // It waits for bytes of its own side now.
          if first.needs > 0 { half[direction].hold.forgetNeeds(upTo: seen) }
          continue
        }
        half[direction].drain(direction, releasedBy: packet, seen: seen, &scene, &outputs)
        isReleased = true
      }
    }
  }

  /// Bytes that were acknowledged long enough ago will not come any more.
  mutating func giveUpOldHoles(
    at packet: PacketRef, _ scene: inout StreamScene, _ outputs: inout ReassemblyOutputs
  ) {
    releaseAnswers(by: packet, &scene, &outputs)
    var isWaiting = false
    for direction in Direction.allCases {
      guard let unseen = half[direction].unseen else { continue }
      guard unseen.upTo > half[direction].next else {
        half[direction].unseen = nil
        continue
      }
      isWaiting = true
      // While late packets come, more of them may.
      let next = half[direction].next
      if next > unseen.next {
        half[direction].unseen?.packetsSince = 0
      } else if !packet.sharesMoment(with: unseen.counted) {
        half[direction].unseen?.packetsSince += 1
        half[direction].unseen?.counted = packet
      }
      half[direction].unseen?.next = next
      let isOld =
        unseen.packetsSince >= scene.limits.gracePackets
        || packet.time.since(unseen.ack.time) >= scene.limits.graceNanoseconds
        || half[direction].hold.byteCount > scene.limits.heldBytes / 2
        || half[direction].hold.count > scene.limits.heldSegments / 2
        || half[direction.opposite].hold.byteCount > scene.limits.heldBytes / 2
        || half[direction.opposite].hold.count > scene.limits.heldSegments / 2
      guard isOld, !half[direction].isLikelyLostFin(unseen.upTo) else { continue }
      if let missing = half[direction].missing {
        outputs.observe(TCPObservation(.ackOfUnseen, unseen.ack, direction.opposite, range: missing))
      }
      giveUpHole(direction, &scene, &outputs)
    }
    mayHaveHoles =
      isWaiting || half.toServer.padding.count + half.toClient.padding.count > 0 || !half.toServer.copy.isEmpty
      || !half.toClient.copy.isEmpty
  }

  /// Nothing more comes of what was acknowledged.
  mutating func giveUpHoles(_ scene: inout StreamScene, _ outputs: inout ReassemblyOutputs) {
    guard mayHaveHoles else { return }
    for direction in Direction.allCases where !half[direction].isEnded { giveUpHole(direction, &scene, &outputs) }
  }

  private mutating func giveUpHole(
    _ direction: Direction, _ scene: inout StreamScene, _ outputs: inout ReassemblyOutputs
  ) {
    guard let unseen = half[direction].unseen, unseen.upTo > half[direction].next,
      !half[direction].isLikelyLostFin(unseen.upTo),
      // Nothing of it is missing, and it waits for the other side, whose hole is the one to give up.
      half[direction].missing != nil || half[direction.opposite].missing == nil
    else { return }
    guard half[direction].counters.packets > 0 else {
      half[direction].unseen = nil
      half[direction.opposite].hold.forgetNeeds(upTo: .max)
      return releaseAnswers(by: .none, &scene, &outputs)
    }
    let before = half[direction].next
    half[direction].giveUp(
      to: unseen.upTo, .notCaptured, at: unseen.ack, seen: half[direction.opposite].next, direction, &scene, &outputs)
    // Where the other side's bytes belong among those that are missing nobody knows.
    half[direction.opposite].hold.forgetNeeds(upTo: half[direction].next)
    // Each side waits for the other: no order of these packets fits what they acknowledge.
    if half[direction].next == before {
      half[direction].drain(direction, releasedBy: .none, seen: .max, &scene, &outputs)
    }
    releaseAnswers(by: .none, &scene, &outputs)
    // Of several holes one may be left, where what stands between them waited for the other side.
    let (next, end) = half.ask(direction) { ($0.next, min(unseen.upTo, $0.fin?.offset ?? .max)) }
    if next == before || next >= end { half[direction].unseen = nil }
  }
}

extension HalfConnection {
  /// What was acknowledged and has not come, up to what waits behind it. Of a direction that was never captured nothing.
  fileprivate var missing: Range<UInt64>? {
    guard let unseen, counters.packets > 0 else { return nil }
    let end = min(unseen.upTo, hold.first?.offset ?? .max)
    return end > next ? next..<end : nil
  }

  /// Before the delivery of what acknowledges bytes that were captured after it.
  func noteAhead(
    _ segment: HoldQueue.Segment, releasedBy packet: PacketRef, _ direction: Direction,
    _ outputs: inout ReassemblyOutputs
  ) {
    guard packet.number > segment.packet.number else { return }
    outputs.observe(
      TCPObservation(
        .aheadOfAcknowledged, segment.packet, direction, range: segment.offset..<segment.end, earlier: packet,
        value: UInt64(clamping: packet.time.since(segment.packet.time))))
  }
}
