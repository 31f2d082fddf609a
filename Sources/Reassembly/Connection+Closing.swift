import Citation
import Decode

/// How a connection ended, and who ended it.
package struct Closing: Sendable {
  package enum Kind: UInt8, Sendable { case open, fin, reset, evicted }

  package internal(set) var kind = Kind.open
  /// Both FINs, or a RST.
  package internal(set) var isComplete = false
  /// Who sent the first FIN or the RST; nil when nobody did, or both at once.
  package internal(set) var by: Direction?
  package internal(set) var isByBoth = false
  package internal(set) var packet: PacketRef?
  /// The first and the last of the FINs and the RST.
  package internal(set) var first: PacketRef?
  package internal(set) var firstBy: Direction?
  package internal(set) var last: PacketRef?
  /// What each side sent after the other's FIN.
  var late = BothDirections(repeating: LateData())
  /// The last packet with bytes, of either direction, before that packet.
  package internal(set) var silentSince: PacketRef?
  /// Whether that packet looks like its sender's others; nil when there is nothing to compare it with.
  package internal(set) var origin: EndOrigin?
  var isReset: Bool { kind == .reset }

  package init() {}

  /// A FIN or a RST.
  mutating func note(_ packet: PacketRef, _ direction: Direction) {
    if first == nil { (first, firstBy) = (packet, direction) }
    last = packet
  }

  /// Client and server change places.
  mutating func turnRound() {
    by = by?.opposite
    firstBy = firstBy?.opposite
    late.turnRound()
  }
}

/// New payload sent after the other side's FIN.
struct LateData: Sendable {
  /// The first of it is a TLS alert and nothing else: a farewell that nobody misses.
  var isFarewell = false
  var start: UInt64 = 0
  var first = PacketRef.none
  var last = PacketRef.none
  var segments: UInt64 = 0
  var end: UInt64 = 0
}

extension Connection {
  mutating func takeFin(
    _ segment: TCPSegment, at end: Int64, _ direction: Direction, _ scene: inout StreamScene,
    _ outputs: inout ReassemblyOutputs
  ) {
    let packet = segment.packet
    guard end >= 0, end < half.ask(direction, { Int64($0.next) }) &+ scene.limits.farthest else { return }
    let offset = UInt64(end)
    if let fin = half.ask(direction, { $0.fin }) {
      if segment.payloadLength == 0 { noteRepeatedFin(segment, first: fin.packet, direction, &outputs) }
      return
    }
    // A FIN below what was already delivered contradicts the stream and ends nothing.
    guard offset >= half.ask(direction, { $0.next }) else { return }
    half[direction].fin = (offset, packet)
    outputs.observe(
      TCPObservation(
        .fin, packet, direction, range: (offset - min(offset, UInt64(segment.payloadLength)))..<offset,
        value: UInt64(segment.payloadLength)))
    noteFirstFin(segment, direction)
    half[direction].drain(direction, releasedBy: packet, seen: 0, &scene, &outputs)
  }

  private mutating func noteFirstFin(_ segment: TCPSegment, _ direction: Direction) {
    closing.note(segment.packet, direction)
    if closing.kind == .open {
      closing.kind = .fin
      closing.by = direction
      closing.packet = segment.packet
      noteOrigin(segment, direction)
      return
    }
    guard let theirs = half.ask(direction.opposite, { $0.fin }) else { return }
    closing.isComplete = true
    guard let ack = half.ask(direction.opposite, { $0.offset(of: SequenceNumber(segment.acknowledgment)) }),
      ack <= Int64(theirs.offset)
    else { return }
    // The second FIN crossed the first when it does not acknowledge it; or stands behind it in the capture alone, when the
    // first acknowledges it.
    let isAcknowledged = half.ask(direction) { half in
      half.fin.map { fin in
        half.acked > fin.offset && half.ackedBy.number <= theirs.packet.number
          || half.unseen.map { $0.upTo == fin.offset + 1 && $0.ack.number <= theirs.packet.number } ?? false
      } ?? false
    }
    if isAcknowledged, closing.kind == .fin {
      closing.by = direction
      closing.packet = segment.packet
      noteOrigin(segment, direction)
    } else {
      closing.isByBoth = true
    }
  }

  /// What the packet that ends the connection is compared with, before it becomes one of them itself.
  private mutating func noteOrigin(_ segment: TCPSegment, _ direction: Direction) {
    let given = [half.toServer.lastGiven, half.toClient.lastGiven].filter { $0.number > 0 }
    closing.silentSince = given.max { $0.number < $1.number }
    closing.origin = half.ask(direction) { $0.origin(of: segment) }
    let isAhead = half.ask(direction) { half in
      // Its own FIN takes a number, too.
      half.offset(of: SequenceNumber(segment.sequence)).map { $0 > Int64(half.next) + (half.fin == nil ? 0 : 1) }
    }
    if let isAhead { closing.origin?.isAhead = isAhead }
  }

  /// How the packet that ended the connection looks. A FIN that came before bytes of its own side is not ahead of them once
  /// they are there.
  package var endOrigin: EndOrigin? {
    guard var origin = closing.origin else { return nil }
    if origin.isAhead, closing.kind == .fin, let by = closing.by,
      half.read(by, { half in half.fin.map { half.next >= $0.offset } ?? false })
    {
      origin.isAhead = false
    }
    return origin
  }

  /// Of a side that was captured alone: what it acknowledged behind its last bytes, up to its FIN. Nothing but the other
  /// side's FIN is likely there, and then the FIN that was captured answers it.
  package var isAnswerToUnseen: Bool {
    guard closing.kind == .fin, let by = closing.by, let fin = closing.packet else { return false }
    let acknowledged = half.read(by.opposite) { $0.ackedBy.number }
    return acknowledged > half.read(by) { $0.lastGiven.number } && acknowledged <= fin.number
  }

  /// The FIN that was captured, or what its sender sent before it, acknowledges a number behind all that the other side
  /// sent: that side's FIN was first, and is not in the capture.
  package var isAnswerToLostFin: Bool {
    guard closing.kind == .fin, let by = closing.by, let fin = closing.packet else { return false }
    return half.read(by.opposite) { half in
      half.unseen.map { half.isLikelyLostFin($0.upTo) && $0.ack.number <= fin.number } ?? false
    }
  }

  private mutating func noteRepeatedFin(
    _ segment: TCPSegment, first: PacketRef, _ direction: Direction, _ outputs: inout ReassemblyOutputs
  ) {
    let isCopy = half.ask(direction) { $0.recent.holds(segment) }
    if isCopy { half[direction].counters.duplicates &+= 1 }
    outputs.observe(
      TCPObservation(isCopy ? .duplicatePacket : .retransmission, segment.packet, direction, earlier: first))
  }

  mutating func reset(
    _ segment: TCPSegment, _ direction: Direction, _ scene: inout StreamScene,
    _ outputs: inout ReassemblyOutputs
  ) {
    let packet = segment.packet
    guard !closing.isReset else { return }
    if endsOlderConnection(segment, direction, &outputs) { return }
    if direction == .toClient, handshake.syn != nil, handshake.synAck == nil, !handshake.isAcknowledged {
      guard acknowledgesSyn(segment) else {
        outputs.observe(TCPObservation(.outOfWindow, packet, direction))
        return
      }
      outputs.observe(TCPObservation(.refused, packet, direction, earlier: handshake.syn))
      handshake.refusal = handshake.refusal ?? packet
    } else if let distance = distanceOutsideWindow(segment, direction) {
      outputs.observe(
        TCPObservation(
          .resetOutOfWindow, packet, direction, earlier: lastHeard(of: direction.opposite),
          value: UInt64(distance.magnitude)))
      return
    } else {
      noteAcknowledgement(ofReset: segment, direction)
      noteDataBeforeReset(segment, direction, &outputs)
      outputs.observe(
        TCPObservation(
          .reset, packet, direction, earlier: lastHeard(of: direction.opposite), value: UInt64(segment.payloadLength)))
    }
    giveUpHoles(&scene, &outputs)
    closing.note(packet, direction)
    if closing.kind == .open || !closing.isComplete {
      closing.kind = .reset
      closing.by = direction
      closing.packet = packet
      noteOrigin(segment, direction)
    }
    closing.isComplete = true
    for each in Direction.allCases {
      let heard = lastHeard(of: each)
      half[each].finish(.reset, at: packet, heard: heard, each, &scene, &outputs)
    }
  }

  /// A reset that a program or its timer sends says how far its system had received; one that answers a segment does not.
  private mutating func noteAcknowledgement(ofReset segment: TCPSegment, _ direction: Direction) {
    let data = direction.opposite
    guard segment.flags.contains(.ack), let offset = half[data].offset(of: SequenceNumber(segment.acknowledgment)),
      offset > Int64(half[data].acked)
    else { return }
    half[data].acked = min(UInt64(offset), max(half[data].highest, half[data].acked))
    half[data].ackedBy = segment.packet
  }

  /// A client that waits for its SYN-ACK takes only a RST that acknowledges the SYN (RFC 9293 §3.10.7.3).
  private func acknowledgesSyn(_ segment: TCPSegment) -> Bool {
    guard segment.flags.contains(.ack),
      let offset = half.toServer.offset(of: SequenceNumber(segment.acknowledgment))
    else { return false }
    return offset >= 0 && offset <= Int64(half.toServer.highest)
  }

  /// How far a RST is from what its receiver takes (RFC 9293 §3.10.7.4: anything inside the window); nil when inside,
  /// or when the receiver was never heard and it cannot be known.
  private func distanceOutsideWindow(_ segment: TCPSegment, _ direction: Direction) -> Int64? {
    guard half[direction.opposite].counters.packets > 0,
      half[direction].acked > 0 || handshake.isAcknowledged || handshake.synAck != nil,
      let at = half[direction].offset(of: SequenceNumber(segment.sequence))
    else { return nil }
    let low = Int64(half[direction].acked)
    let high = max(low &+ Int64(half[direction].receiver.largest), Int64(half[direction].highest) + 1)
    if at < low { return at - low }
    return at > high ? at - high : nil
  }
}
