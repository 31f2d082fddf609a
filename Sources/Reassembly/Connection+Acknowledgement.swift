import Citation
import Decode

// What acknowledgements show: how far the receiver is, what the capture lacks, whether the receive window is closed.
extension Connection {
  /// A single acknowledgement this far past everything seen is believed only when a second one agrees.
  private static let believableJump: UInt64 = 16 << 20

  @inline(__always)
  mutating func acknowledge(
    _ segment: TCPSegment, _ direction: Direction, _ outputs: inout ReassemblyOutputs
  ) {
    let data = direction.opposite
    let number = SequenceNumber(segment.acknowledgment)
    if direction == .toServer { noteHandshakeAck(segment.packet) }
    guard let offset = half.ask(data, { $0.offset(of: number) }) else {
      half[data].origin = number
      half[data].receiver.advertise(segment.window, isSyn: segment.flags.contains(.syn))
      return
    }
    let isSyn = segment.flags.contains(.syn)
    let acked = half.ask(data) { Int64($0.acked) }
    if offset > acked {
      advance(data, to: UInt64(offset), segment.packet)
      half[data].duplicateAcks = 0
      half[data].receiver.probe = .none
    } else if offset == acked, segment.payloadLength == 0, !isSyn,
      !segment.flags.contains(.fin)
    {
      noteSameAck(segment, direction, &outputs)
    }
    let wasZero = half.ask(data) { $0.receiver.isZero }
    half[data].receiver.advertise(segment.window, isSyn: isSyn)
    if segment.window == 0 || wasZero { noteWindow(segment, direction, wasZero: wasZero, &outputs) }
    if half.ask(data, { $0.receiver.isFull && offset >= Int64($0.acked) }) { half[data].receiver.isFull = false }
  }

  private mutating func advance(_ data: Direction, to offset: UInt64, _ packet: PacketRef) {
    if offset > half.ask(data, { $0.highest }) &+ Self.believableJump {
      guard let suspect = half.ask(data, { $0.suspectAck }), offset &- suspect < Self.believableJump else {
        half[data].suspectAck = offset
        return
      }
    }
    half[data].suspectAck = nil
    half[data].acked = offset
    half[data].ackedBy = packet
    if half.ask(data, { $0.receiver.isClosed }) { half[data].receiver.open(at: packet) }
    let acknowledged = half.ask(data) { $0.ackedData }
    // Of a direction that was never captured nothing is missing: the capture is one-sided, and says so. Nor does
    // anything come after the end, which a reset may have brought.
    guard half.ask(data, { acknowledged > $0.next && !$0.isEnded }),
      half.ask(data, { $0.counters.packets > 0 }) || isOvertaken
    else { return }
    if half.ask(data, { $0.unseen == nil }) {
      half[data].unseen = HalfConnection.Unseen(ack: packet, upTo: acknowledged)
    } else {
      half[data].unseen?.upTo = acknowledged
    }
    mayHaveHoles = true
  }

  /// An ACK that acknowledges nothing new: a duplicate, a window update, or the answer to a probe.
  private mutating func noteSameAck(
    _ segment: TCPSegment, _ direction: Direction, _ outputs: inout ReassemblyOutputs
  ) {
    let data = direction.opposite
    let packet = segment.packet
    switch half[data].receiver.probe {
    case .none: break
    case .zeroWindow:
      half[data].receiver.probe = .none
      outputs.observe(TCPObservation(.zeroWindowProbeAck, packet, direction))
      return
    case .keepAlive:
      half[data].receiver.probe = .none
      outputs.observe(TCPObservation(.keepAliveAck, packet, direction))
      return
    }
    if !half[data].hold.isEmpty { half[data].askedFor = half[data].acked }
    if segment.window == 0, half[data].receiver.isZero, !half[direction].recent.holds(segment) {
      // Nobody repeats that its window is closed unless it is asked: the probe was not captured, or not known as one.
      outputs.observe(TCPObservation(.zeroWindowProbeAck, packet, direction))
      return
    }
    guard half[data].highest > half[data].ackedData, let current = half[data].receiver.current, segment.window != 0,
      current == UInt64(segment.window) << UInt64(half[data].receiver.scale ?? 0)
    else { return }
    if half[direction].recent.holds(segment) {
      half[direction].counters.duplicates &+= 1
      outputs.observe(TCPObservation(.duplicatePacket, packet, direction))
      return
    }
    half[data].duplicateAcks += 1
    outputs.observe(TCPObservation(.duplicateAck, packet, direction, value: UInt64(half[data].duplicateAcks)))
  }

  private mutating func noteWindow(
    _ segment: TCPSegment, _ direction: Direction, wasZero: Bool, _ outputs: inout ReassemblyOutputs
  ) {
    guard segment.flags.lacks(.syn | .fin | .rst) else { return }
    if segment.window == 0, !wasZero {
      outputs.observe(TCPObservation(.zeroWindow, segment.packet, direction))
    } else if segment.window != 0, wasZero {
      let window = half[direction.opposite].receiver.current ?? 0
      outputs.observe(TCPObservation(.windowUpdate, segment.packet, direction, value: window))
    }
  }

  // MARK: Probes

  /// One byte at the next number of a closed window, or one garbage byte just before it; true when there is nothing
  /// more to do with the segment.
  mutating func noteProbe(
    _ segment: TCPSegment, _ byte: Span<UInt8>, _ start: Int64, _ direction: Direction, _ delivered: DeliveredHistory,
    _ outputs: inout ReassemblyOutputs
  ) -> Bool {
    let next = Int64(half[direction].next)
    if start == next, half[direction].receiver.isZero {
      half[direction].receiver.probe = .zeroWindow
      outputs.observe(
        TCPObservation(.zeroWindowProbe, segment.packet, direction, range: UInt64(next)..<UInt64(next + 1)))
      return false
    }
    // A byte that is not acknowledged yet is retransmitted for its own sake, whatever Wireshark calls it.
    // Where the other side was never captured, that it is acknowledged is the likelier reading.
    guard segment.flags.lacks(.syn | .fin | .rst) else { return false }
    let isLast =
      start == next - 1
      && (half[direction].ackedData == half[direction].next || half[direction.opposite].counters.packets == 0)
    guard isLast || repeatsAcknowledged(segment, byte, at: start, direction, delivered) else { return false }
    note(segment, probe: half[direction].receiver.isZero ? .zeroWindow : .keepAlive, direction, &outputs)
    return true
  }

  /// One byte that the other side has acknowledged already and that is not the one it acknowledged: what stands in a
  /// probe means nothing (RFC 9293 §3.8.4). Some devices on the way probe so where their own copy of the stream ended.
  /// Just below what was acknowledged and without PSH it is one, also where the byte itself was not captured.
  private func repeatsAcknowledged(
    _ segment: TCPSegment, _ byte: Span<UInt8>, at start: Int64, _ direction: Direction, _ delivered: DeliveredHistory
  ) -> Bool {
    guard start >= 0, start < Int64(half[direction].ackedData) else { return false }
    if start == Int64(half[direction].ackedData) - 1, !segment.flags.contains(.psh) { return true }
    guard start < Int64(half[direction].next), byte.count == 1 else { return false }
    if case .differs = delivered.compare(byte, at: UInt64(start), from: half[direction].history) { return true }
    return false
  }

  /// An empty segment one before the next number. Linux probes a closed window like this, too; tshark calls both
  /// keep-alives.
  @inline(__always)
  mutating func probeIfEmpty(
    _ segment: TCPSegment, _ sequence: SequenceNumber, _ direction: Direction,
    _ outputs: inout ReassemblyOutputs
  ) {
    guard half.ask(direction, { $0.fin == nil }), segment.flags.lacks(.syn | .fin | .rst),
      let offset = half.ask(direction, { $0.offset(of: sequence) })
    else { return }
    let (next, highest) = half.ask(direction) { (Int64($0.next), Int64($0.highest)) }
    // One number more may be a FIN that was not captured.
    if offset > highest &+ 1, offset &- highest <= Self.farthestAcknowledgement, !isMidstream {
      outputs.observe(
        TCPObservation(.sentUnseen, segment.packet, direction, range: UInt64(highest)..<UInt64(offset)))
    }
    guard offset == next - 1 else { return }
    note(segment, probe: half[direction].receiver.isZero ? .zeroWindow : .keepAlive, direction, &outputs)
  }

  private mutating func note(
    _ segment: TCPSegment, probe: ReceiveWindow.Probe, _ direction: Direction,
    _ outputs: inout ReassemblyOutputs
  ) {
    if half[direction].recent.holds(segment) {
      half[direction].counters.duplicates &+= 1
      outputs.observe(TCPObservation(.duplicatePacket, segment.packet, direction))
      return
    }
    // Those without data are remembered with all others.
    if segment.payloadLength > 0 { half[direction].recent.add(segment) }
    half[direction].receiver.probe = probe
    outputs.observe(
      TCPObservation(
        probe == .zeroWindow ? .zeroWindowProbe : .keepAlive, segment.packet, direction,
        range: half[direction].next..<half[direction].next, value: half[direction.opposite].next))
  }
}
