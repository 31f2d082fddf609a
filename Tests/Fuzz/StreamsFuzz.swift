import Citation
// Fuzzes the reassembler through FlowTable, the way a lane drives it.
//
// Input: one byte that chooses the bounds and where sequence numbers start, then operations of eight bytes, each a
// segment on one of four flows (or the end of a connection). Numbers are small and near each other, so that copies,
// overlaps, holes, ends and the wrap all meet. Checked of every direction: bytes and holes follow each other without a
// seam, nothing comes after the end, the end comes once, what a packet released it had itself brought or it came
// before, and the counters are the sums of what came out.
//
// fuzz: -max_len=2048
import Decode
import Reassembly

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzStreams(_ input: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let input, count > Operation.length else { return 0 }
  var lane = FuzzedLane(choice: input[0])
  var at = 1
  while at + Operation.length <= count {
    lane.perform(Operation(UnsafeBufferPointer(start: input + at, count: Operation.length)))
    at += Operation.length
  }
  lane.finish()
  return 0
}

/// A precondition that says in optimised code, too, what was wrong.
private func require(_ condition: Bool, _ words: @autoclosure () -> String) {
  if !condition { fatalError(words()) }
}

private struct Operation {
  static let length = 8
  let flow: UInt16
  let sentByLower: Bool
  let nanoseconds: Int64
  let endsFlow: Bool
  let flags: UInt8
  let differs: Bool
  let isFragmented: Bool
  let sequence: UInt32
  let acknowledgment: UInt32
  let captured: Int
  let cut: Int
  let window: UInt16
  let identification: UInt16

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    flow = UInt16(bytes[0] & 3)
    sentByLower = bytes[0] & 4 == 0
    nanoseconds = bytes[0] & 0x70 == 0x70 ? 40_000_000_000 : Int64(bytes[0] >> 4 & 7) * 30_000_000
    endsFlow = bytes[0] & 0x88 == 0x88
    flags = bytes[1] & 0x3F
    differs = bytes[1] & 0x40 != 0
    isFragmented = bytes[1] & 0x80 != 0
    sequence = Operation.number(bytes[2], scale: bytes[4] & 7)
    acknowledgment = Operation.number(bytes[3], scale: bytes[4] >> 3 & 7)
    captured = Int(bytes[5] & 0x3F)
    cut = bytes[5] >> 6 == 3 ? Int(bytes[6] & 0x1F) : 0
    window = bytes[6] & 0x80 == 0 ? 64 : UInt16(bytes[6] & 0x7F) &* 500
    identification = UInt16(bytes[7])
  }

  /// Steps of one for the most part, seldom of millions.
  private static func number(_ byte: UInt8, scale: UInt8) -> UInt32 {
    let steps: [UInt32] = [1, 1, 1, 1, 1, 16, 4_096, 16_777_216]
    return UInt32(bitPattern: Int32(Int8(bitPattern: byte))) &* steps[Int(scale)]
  }
}

/// What must hold for one direction of one connection.
private struct Ledger {
  var next: UInt64 = 0
  var bytes: UInt64 = 0
  var missing: UInt64 = 0
  var conflicts: UInt64 = 0
  var end: DirectionEnd?
  /// A SYN-ACK came before any byte: if a refusal had ended the direction, it begins anew.
  var mayBeginAnew = false
  var isOver: Bool { end != nil && !mayBeginAnew }
}

private struct FuzzedLane {
  private var table = FlowTable(seed: 1)
  private var scene: StreamScene
  private var outputs = ReassemblyOutputs()
  /// By slot; the first of a pair is the direction whose sender is the lower endpoint.
  private var ledgers: [[Ledger]] = []
  private var origin: UInt32
  private var number: UInt64 = 0
  private var time: Int64 = 0
  private var segments: UInt64 = 0
  private var counted: UInt64 = 0

  init(choice: UInt8) {
    var limits = ReassemblyLimits()
    if choice & 1 != 0 {
      limits.heldBytes = 100
      limits.heldSegments = 4
    }
    if choice & 2 != 0 {
      limits.gracePackets = 2
      limits.lingering = 1
    }
    if choice & 4 != 0 { limits.laneBytes = 8 << 10 }
    scene = StreamScene(limits: limits, history: DeliveredHistory(windows: 8, entries: 16))
    origin = choice & 8 == 0 ? .max - 20 : 1_000
  }

  mutating func perform(_ operation: Operation) {
    time += operation.nanoseconds
    number += 1
    let packet = PacketRef(number: number, time: Timestamp(nanoseconds: time))
    let lower = Endpoint(address: IPAddress(v4: 0x0A00_0001), port: 80)
    let upper = Endpoint(address: IPAddress(v4: 0x0A00_0002), port: 40_000 + operation.flow)
    let (key, isLower) = FlowKey.of(
      source: operation.sentByLower ? lower : upper, destination: operation.sentByLower ? upper : lower)
    while let expired = table.expired(at: packet.time) { close(expired.slot, .fin, packet) }
    if operation.endsFlow {
      outputs.removeAll()
      guard let slot = table.slot(of: key) ?? promoted(key) else { return }
      table.receive(icmpType: 3, code: 1, quotedSenderIsLower: isLower, at: packet, slot: slot, into: &outputs)
      check(slot, window: 0, packet)
      return
    }
    receive(operation, TCPSegment(packet: packet, key: key, sentByLower: isLower))
  }

  private mutating func receive(_ operation: Operation, _ empty: TCPSegment) {
    var segment = empty
    segment.flags = TCPFlags(rawValue: operation.flags)
    segment.sequence = origin &+ operation.sequence
    segment.acknowledgment = origin &+ operation.acknowledgment
    segment.window = operation.window
    segment.payloadCaptured = operation.captured
    segment.payloadLength = operation.captured + operation.cut
    segment.identification = operation.identification == 0 ? nil : operation.identification
    if operation.isFragmented { segment.encapsulation = .fragments }
    // The value of a byte follows from its place, so that copies are equal unless the operation says otherwise.
    let bytes = (0..<operation.captured).map { index in
      UInt8(truncatingIfNeeded: segment.sequence &+ UInt32(index)) ^ (operation.differs && index & 3 == 0 ? 0xFF : 0)
    }
    scene.history.enter(bytes)
    outputs.removeAll()
    segments += 1
    if case .connection(let slot, let isNew) = table.receive(segment, bytes.span, &scene, into: &outputs) {
      if isNew { open(slot) }
      check(slot, window: bytes.count, segment.packet)
    }
    clearLeftovers(segment.packet)
  }

  private mutating func clearLeftovers(_ packet: PacketRef) {
    while let slot = table.overdue.first {
      close(slot, table.connections[slot].wasEvicted ? .evicted : .captureEnded, packet)
    }
    outputs.removeAll()
    while let slot = table.takeAbandoned(into: &outputs) {
      open(slot)
      check(slot, window: 0, packet)
      close(slot, .captureEnded, packet)
      outputs.removeAll()
    }
    require(!table.hasLeftovers, "leftovers remain")
  }

  private mutating func promoted(_ key: FlowKey) -> Int? {
    guard let slot = table.promote(key, into: &outputs) else { return nil }
    open(slot)
    return slot
  }

  private mutating func open(_ slot: Int) {
    while ledgers.count <= slot { ledgers.append([]) }
    ledgers[slot] = [Ledger(), Ledger()]
  }

  mutating func finish() {
    let packet = PacketRef(number: number, time: Timestamp(nanoseconds: time))
    for slot in table.liveSlots { close(slot, .captureEnded, packet) }
    for key in table.halfOpenFlows.map(\.key) {
      outputs.removeAll()
      guard let slot = promoted(key) else { fatalError("a half-open flow is not found") }
      check(slot, window: 0, packet)
      close(slot, .captureEnded, packet)
    }
    require(table.liveSlots.isEmpty && table.halfOpenFlows.isEmpty, "something is left")
    require(counted == segments, "\(segments) segments, \(counted) counted")
  }

  private mutating func close(_ slot: Int, _ end: DirectionEnd, _ packet: PacketRef) {
    outputs.removeAll()
    table.finish(slot, end, at: packet, &scene, into: &outputs)
    check(slot, window: 0, packet)
    let connection = table.connections[slot]
    for direction in Direction.allCases {
      let counters = connection.half[direction].counters
      let ledger = ledgers[slot][side(direction, slot)]
      require(ledger.end != nil, "a direction without an end")
      require(counters.bytes == ledger.bytes, "\(counters) for \(ledger)")
      // What lies before the first byte seen is missing, too, but it is no hole.
      require(counters.missingBytes >= ledger.missing, "\(counters) for \(ledger)")
      require(counters.overlapConflicts == ledger.conflicts, "\(counters) for \(ledger)")
      counted += counters.packets
    }
    table.release(slot)
  }

  // MARK: What came out

  private func side(_ direction: Direction, _ slot: Int) -> Int {
    (direction == .toServer) == table.connections[slot].clientIsLower ? 0 : 1
  }

  private mutating func check(_ slot: Int, window: Int, _ packet: PacketRef) {
    for item in outputs.items {
      switch item {
      case .data(let delivery): check(delivery, slot, window, packet)
      case .gap(let gap, let direction):
        let side = side(direction, slot)
        require(!ledgers[slot][side].isOver, "a hole after the end: \(outputs.items)")
        require(gap.range.lowerBound == ledgers[slot][side].next && !gap.range.isEmpty, "a seam at \(gap)")
        ledgers[slot][side].next = gap.range.upperBound
        ledgers[slot][side].missing += UInt64(gap.range.count)
      case .conflict(let at, let direction):
        let conflict = outputs.conflicts[at]
        require(conflict.differing > 0 && conflict.differing <= UInt64(conflict.range.count), "\(conflict)")
        require(conflict.first.number < conflict.second.number, "a copy that came before the first")
        ledgers[slot][side(direction, slot)].conflicts += 1
      case .pause(let pause):
        let packets = [pause.from.number, pause.to.number, packet.number]
        require(packets == packets.sorted(), "a pause out of order: \(pause)")
      case .observation(let seen):
        if seen.kind == .synAck, ledgers[slot].allSatisfy({ $0.next == 0 }) {
          for side in ledgers[slot].indices { ledgers[slot][side].mayBeginAnew = true }
        }
        require(seen.packet.number <= packet.number, "an observation of a later packet: \(seen)")
      case .end(let end, let direction, let last):
        let side = side(direction, slot)
        require(!ledgers[slot][side].isOver, "two ends: \(outputs.items)")
        require(last.number <= packet.number, "an end by a later packet")
        ledgers[slot][side].end = end
        ledgers[slot][side].mayBeginAnew = false
      }
    }
  }

  private mutating func check(_ delivery: Delivery, _ slot: Int, _ window: Int, _ packet: PacketRef) {
    let side = side(delivery.direction, slot)
    require(!ledgers[slot][side].isOver, "bytes after the end: \(outputs.items)")
    require(delivery.offset == ledgers[slot][side].next, "a seam at \(delivery)")
    require(delivery.count > 0 && delivery.packet.number <= delivery.released.number, "\(delivery)")
    require(delivery.released.number <= packet.number, "released by a later packet: \(delivery)")
    switch delivery.source {
    case .window(let range): require(range.upperBound <= window, "bytes outside the window")
    case .held(let at, let range): require(range.upperBound <= outputs.held[at].count, "bytes outside what was held")
    }
    ledgers[slot][side].next += UInt64(delivery.count)
    ledgers[slot][side].bytes += UInt64(delivery.count)
  }
}
