import Citation
import Decode

// Ethernet pads short frames to 60 bytes, and the IP length says where the packet ends. Some devices on the way write the
// padding into that length, and then an ACK seems to bring two or six bytes. Nobody ever acknowledges them, and the next
// data of the sender has the same numbers. Which of both it is the packets after it tell.
extension TCPSegment {
  /// Headers and payload are as long as what a short frame is padded to: 46 bytes, or 42 beside a VLAN tag.
  @inline(__always)
  var mayEndInPadding: Bool {
    payloadLength <= 6 && payloadLength > 0 && (payloadLength &+ Int(optionsLength)) & ~4 == 2
      && !flags.contains(.psh)
  }

  /// So long, and all of it zero.
  @inline(__always)
  func endsInPadding(_ window: Span<UInt8>) -> Bool { mayEndInPadding && isZero(window) }

  @inline(never)
  private func isZero(_ window: Span<UInt8>) -> Bool {
    guard payloadCaptured == payloadLength else { return false }
    for at in payloadRange where window[at] != 0 { return false }
    return true
  }

  var withoutPayload: TCPSegment {
    var bare = self
    bare.payloadLength = 0
    bare.payloadCaptured = 0
    return bare
  }
}

extension Connection {
  /// Keeps what looks like padding until the next packets tell. A SYN, FIN or RST tells by itself: nobody sends such
  /// zeros with it and does not push them.
  mutating func suspectPadding(_ segment: TCPSegment, _ scene: StreamScene) {
    let direction = direction(sentByLower: segment.sentByLower)
    guard segment.flags.lacks(.syn | .fin | .rst), half[direction].padding.isEmpty,
      !half[direction].isEnded, half[direction].fin == nil,
      let start = half[direction].offset(of: SequenceNumber(segment.sequence)), start >= 0,
      start < Int64(half[direction].next) &+ scene.limits.farthest
    else { return }
    let known = max(0, Int64(half[direction].next) - start)
    guard known < Int64(segment.payloadLength) else { return }
    half[direction].padding.append(
      HoldQueue.Segment(
        offset: UInt64(start + known), length: UInt64(Int64(segment.payloadLength) - known),
        bytes: [UInt8](repeating: 0, count: segment.payloadLength - Int(known)), packet: segment.packet,
        segment: segment, window: scene.window(of: segment), position: segment.payloadOffset + Int(known), needs: 0))
    mayHaveHoles = true
  }

  /// What a packet says of the zeros before it: the sender counts them or the receiver acknowledges them, and they are
  /// data; or the sender uses their numbers again, and they were padding.
  @inline(__always)
  mutating func settlePadding(
    before segment: TCPSegment, at sequence: SequenceNumber, _ direction: Direction, _ scene: inout StreamScene,
    _ outputs: inout ReassemblyOutputs
  ) {
    guard half.toServer.padding.count + half.toClient.padding.count > 0 else { return }
    settle(before: segment, at: sequence, direction, &scene, &outputs)
  }

  @inline(never)
  private mutating func settle(
    before segment: TCPSegment, at sequence: SequenceNumber, _ direction: Direction, _ scene: inout StreamScene,
    _ outputs: inout ReassemblyOutputs
  ) {
    if let own = half[direction].padding.first, let start = half[direction].offset(of: sequence) {
      if start >= Int64(own.end) {
        deliverPadding(direction, releasedBy: segment.packet, &scene, &outputs)
      } else if start == Int64(own.offset)
        || start < Int64(own.offset) && segment.payloadLength > 0
          && start &+ Int64(segment.payloadLength) > Int64(own.offset)
      {
        half[direction].padding.removeAll()
      }
    }
    let data = direction.opposite
    if segment.flags.contains(.ack), let their = half[data].padding.first,
      let offset = half[data].offset(of: SequenceNumber(segment.acknowledgment)), offset >= Int64(their.end)
    {
      // Of more than these was something not captured, and that may stand in their place.
      if offset == Int64(their.end) {
        deliverPadding(data, releasedBy: segment.packet, &scene, &outputs)
      } else {
        half[data].padding.removeAll()
      }
    }
  }

  private mutating func deliverPadding(
    _ direction: Direction, releasedBy packet: PacketRef, _ scene: inout StreamScene,
    _ outputs: inout ReassemblyOutputs
  ) {
    guard let held = half[direction].padding.popLast() else { return }
    half[direction].holdBack(held, direction, releasedBy: packet, &scene, &outputs)
  }
}

extension HalfConnection {
  /// Takes bytes that were kept out of the stream into it.
  fileprivate mutating func holdBack(
    _ kept: HoldQueue.Segment, _ direction: Direction, releasedBy packet: PacketRef, _ scene: inout StreamScene,
    _ outputs: inout ReassemblyOutputs
  ) {
    let source = HoldQueue.Source(segment: kept.segment, window: kept.window, position: kept.position)
    guard !isEnded, kept.offset >= next else { return }
    _ = hold.insert(kept.bytes.span, length: kept.length, at: kept.offset, source) { _, _ in }
    if kept.end > highest { rememberHighest(kept.end, kept.segment) }
    lastData = kept.packet
    drain(direction, releasedBy: packet, seen: 0, &scene, &outputs)
  }
}
