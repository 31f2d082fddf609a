import Citation
import Decode

/// All TCP connections of one lane.
///
/// A connection lives in a slot, a number that stays the same until it is released; the lane keeps what else it knows
/// of the connection under the same number. Slots are found through an open-addressing index by a hash with a secret
/// seed, so that crafted flows collide no more than others; nothing ever iterates in hash order.
///
/// When state outgrows the lane's budget, connections that have closed are reported without waiting for late packets;
/// if that is not enough, those idle for longest are evicted, and counted. From then on only a SYN opens a connection:
/// were each packet of an evicted one to begin it again, it would evict another, whose next packet would do the same.
package struct FlowTable: Sendable {
  /// Where a segment went.
  package enum Place: Sendable {
    case connection(slot: Int, isNew: Bool)
    /// Still only a SYN; `isNew` when it is the first.
    case halfOpen(FlowID, isNew: Bool)
    /// Nowhere: it opens no connection, belongs to none that is known, and there is no room for more.
    case nowhere
  }

  package internal(set) var connections: [Connection] = []
  /// Slots that closed and wait for late packets, oldest first.
  package internal(set) var lingering: [Lingering] = [] {
    didSet { nextExpiry = lingering.first?.until ?? .distantFuture }
  }
  private var nextExpiry = Timestamp(nanoseconds: .max)
  /// Slots that must be finished and released before the next segment.
  package internal(set) var overdue: [Int] = []
  package internal(set) var evicted: UInt64 = 0
  /// Dropped because it was idle for long.
  package internal(set) var idled: UInt64 = 0
  /// Segments that went nowhere.
  package private(set) var unread: UInt64 = 0
  /// Since connections were evicted.
  var crowd: Crowd?
  var isLive: [Bool] = []
  var isLingering: [Bool] = []
  var freeSlots: [Int] = []
  var halfOpen = HalfOpenPlaces()
  var index: FlowIndex
  /// Bytes that wait for their turn.
  var heldBytes = 0
  /// What the lane keeps of each connection, by slot, as it was counted last, and the sum.
  var costs: [Int] = []
  var costSum = 0
  /// The slot that costs most, as far as is known.
  var costliest: Int?
  /// Half-open flows that lost their place before anything answered them.
  var abandoned: [HalfOpen] = []

  package struct Lingering: Sendable {
    package let slot: Int
    package let until: Timestamp
  }

  package init(seed: UInt64) {
    index = FlowIndex(seed: seed)
  }

  // MARK: Segments

  /// Hands a segment to its connection. The outputs are of that connection alone.
  @inline(__always)
  package mutating func receive(
    _ segment: TCPSegment, _ window: Span<UInt8>, _ scene: inout StreamScene, into outputs: inout ReassemblyOutputs
  ) -> Place {
    scene.history.move(to: segment)
    let hash = index.hash(segment.key)
    if let slot = index.find(segment.key, hash, connections), slot >= 0 {
      guard segment.flags.contains(.syn), !segment.flags.contains(.ack), connections[slot].isReused(by: segment) else {
        receive(segment, slot, window, &scene, &outputs)
        return .connection(slot: slot, isNew: false)
      }
      return reuse(slot, segment, hash, window, &scene, &outputs)
    }
    return receiveUnknown(segment, hash, window, &scene, &outputs)
  }

  @inline(__always)
  private mutating func receive(
    _ segment: TCPSegment, _ slot: Int, _ window: Span<UInt8>, _ scene: inout StreamScene,
    _ outputs: inout ReassemblyOutputs
  ) {
    let wasOver = connections[slot].closing.isComplete
    heldBytes += connections[slot].receive(segment, window, &scene, into: &outputs)
    if wasOver != connections[slot].closing.isComplete {
      if wasOver { unlinger(slot) } else { linger(slot, from: segment.packet.time, scene.limits) }
    }
  }

  private mutating func receiveUnknown(
    _ segment: TCPSegment, _ hash: UInt64, _ window: Span<UInt8>, _ scene: inout StreamScene,
    _ outputs: inout ReassemblyOutputs
  ) -> Place {
    if let at = index.findHalfOpen(segment.key, hash, halfOpen), let flow = halfOpen[at] {
      if flow.isRepeated(by: segment) {
        halfOpen.take(segment, window, at: at)
        return .halfOpen(FlowID(firstPacket: flow.first.packet.number), isNew: false)
      }
      index.remove(segment.key, hash, connections, halfOpen)
      halfOpen.release(at)
      // A SYN from the other side is the same connection, opened from both ends or in two halves.
      guard HalfOpen.fits(segment), segment.sentByLower == flow.first.sentByLower else {
        let slot = add(Connection(flow, into: &outputs), hash)
        receive(segment, slot, window, &scene, &outputs)
        return .connection(slot: slot, isNew: true)
      }
      // Another SYN on the endpoints of one that nobody answered: another attempt.
      abandoned.append(flow)
    }
    if crowd != nil, !segment.flags.contains(.syn), isCrowded(scene.limits, at: segment.packet.time) {
      unread &+= 1
      return .nowhere
    }
    makeRoom(scene.limits)
    guard !HalfOpen.fits(segment) else {
      index.insert(hash, ~halfOpen.insert(HalfOpen(segment, window)))
      return .halfOpen(FlowID(firstPacket: segment.packet.number), isNew: true)
    }
    let slot = add(Connection(first: segment), hash)
    receive(segment, slot, window, &scene, &outputs)
    return .connection(slot: slot, isNew: true)
  }

  /// The endpoints serve a new connection: the old one gives up its place in the index and becomes overdue.
  private mutating func reuse(
    _ old: Int, _ segment: TCPSegment, _ hash: UInt64, _ window: Span<UInt8>, _ scene: inout StreamScene,
    _ outputs: inout ReassemblyOutputs
  ) -> Place {
    let earlier = connections[old].lastPacket
    index.remove(segment.key, hash, connections, halfOpen)
    overdue.append(old)
    let slot = add(Connection(first: segment), hash)
    receive(segment, slot, window, &scene, &outputs)
    outputs.observe(
      TCPObservation(
        .portReused, segment.packet, connections[slot].direction(sentByLower: segment.sentByLower), earlier: earlier))
    return .connection(slot: slot, isNew: true)
  }

  /// Asks a connection in its place: one that is taken out of the table is copied.
  @inline(__always)
  package mutating func ask<Answer>(_ slot: Int, _ question: (inout Connection) -> Answer) -> Answer {
    question(&connections[slot])
  }

  /// The connection that an ICMP error talks about.
  package func slot(of key: FlowKey) -> Int? {
    index.find(key, index.hash(key), connections)
  }

  /// Of the connection that a packet with this key would come to, or of the flow that is only a SYN.
  package func firstPacket(of key: FlowKey) -> UInt64? {
    let hash = index.hash(key)
    if let slot = index.find(key, hash, connections) { return connections[slot].id.firstPacket }
    return index.findHalfOpen(key, hash, halfOpen).flatMap { halfOpen[$0]?.first.packet.number }
  }

  /// Whether a side of a connection has sent or acknowledged bytes.
  package func hasTakenPart(_ side: Direction, in slot: Int) -> Bool {
    connections[slot].half.read(side) { $0.next > 0 } || connections[slot].half.read(side.opposite) { $0.acked > 0 }
  }

  /// Makes a connection of a flow that is still only a SYN, for a packet that is not TCP (an ICMP error).
  package mutating func promote(_ key: FlowKey, into outputs: inout ReassemblyOutputs) -> Int? {
    let hash = index.hash(key)
    return index.findHalfOpen(key, hash, halfOpen).flatMap { promote(at: $0, into: &outputs) }
  }

  /// The same of one of `halfOpenFlows`.
  package mutating func promote(at place: Int, into outputs: inout ReassemblyOutputs) -> Int? {
    guard let flow = halfOpen[place] else { return nil }
    return add(Connection(flow, into: &outputs), forget(flow, at: place))
  }

  /// Forgets one of `halfOpenFlows` that is a lone SYN; nil where it is more.
  package mutating func takeLone(at place: Int) -> LoneSyn? {
    guard let flow = halfOpen[place], let lone = flow.lone else { return nil }
    forget(flow, at: place)
    return lone
  }

  @discardableResult
  private mutating func forget(_ flow: HalfOpen, at place: Int) -> UInt64 {
    let hash = index.hash(flow.first.key)
    index.remove(flow.first.key, hash, connections, halfOpen)
    halfOpen.release(place)
    return hash
  }

  package mutating func receive(
    icmpType: UInt8, code: UInt8, quotedSenderIsLower: Bool, at packet: PacketRef, slot: Int,
    into outputs: inout ReassemblyOutputs
  ) {
    connections[slot].receive(
      icmpType: icmpType, code: code, quotedSenderIsLower: quotedSenderIsLower, at: packet, into: &outputs)
  }

  /// Client and server of a connection change places, because of what they say. Answers whether they did.
  package mutating func turnRound(_ slot: Int) -> Bool {
    let clientIsLower = connections[slot].clientIsLower
    connections[slot].setClient(isLower: !clientIsLower, by: .content)
    return connections[slot].clientIsLower != clientIsLower
  }

  // MARK: Slots

  /// Puts a connection in a free slot; without a hash it is not to be found, only to be reported.
  private mutating func add(_ connection: consuming Connection, _ hash: UInt64?) -> Int {
    let slot: Int
    if let free = freeSlots.popLast() {
      slot = free
      connections[slot] = connection
      isLive[slot] = true
    } else {
      slot = connections.count
      // By a quarter: doubled, as many places would be empty as are taken.
      if slot == connections.capacity { connections.reserveCapacity(slot + max(16, slot / 4)) }
      connections.append(connection)
      costs.append(0)
      isLive.append(true)
      isLingering.append(false)
    }
    if let hash { index.insert(hash, slot) }
    return slot
  }

  /// Delivers what still waits in a connection that is about to be evicted.
  package mutating func finish(
    _ slot: Int, _ end: DirectionEnd, at packet: PacketRef, _ scene: inout StreamScene,
    into outputs: inout ReassemblyOutputs
  ) {
    let held = connections[slot].countHeld()
    connections[slot].finish(end, at: packet, &scene, into: &outputs)
    heldBytes += connections[slot].countHeld() - held
  }

  /// Forgets a connection. Its slot may be used again at once.
  package mutating func release(_ slot: Int) {
    let key = connections[slot].key
    let hash = index.hash(key)
    if index.find(key, hash, connections) == slot { index.remove(key, hash, connections, halfOpen) }
    overdue.removeAll { $0 == slot }
    unlinger(slot)
    heldBytes -= connections[slot].heldBytes
    count(slot, 0)
    isLive[slot] = false
    freeSlots.append(slot)
  }

  private mutating func linger(_ slot: Int, from time: Timestamp, _ limits: ReassemblyLimits) {
    isLingering[slot] = true
    lingering.append(Lingering(slot: slot, until: time.advanced(by: limits.lingerNanoseconds)))
    if lingering.count > limits.lingering, let first = lingering.first { overdue.append(first.slot) }
  }

  private mutating func unlinger(_ slot: Int) {
    guard isLingering[slot] else { return }
    isLingering[slot] = false
    lingering.removeAll { $0.slot == slot }
  }

  /// Whether the time of a closed connection is up.
  @inline(__always)
  package func hasExpired(at clock: Timestamp) -> Bool { nextExpiry <= clock }

  package func expired(at clock: Timestamp) -> Lingering? {
    guard let first = lingering.first, first.until <= clock else { return nil }
    return first
  }

  /// Whether anything is overdue or abandoned.
  @inline(__always)
  package var hasLeftovers: Bool { !overdue.isEmpty || !abandoned.isEmpty }

  /// The next half-open flow that was evicted, as a connection in a slot to be reported and released.
  package mutating func takeAbandoned(into outputs: inout ReassemblyOutputs) -> Int? {
    guard let flow = abandoned.popLast() else { return nil }
    return add(Connection(flow, into: &outputs), nil)
  }

  /// The same, where it is a lone SYN: there is no need to make a connection of it.
  package mutating func takeAbandonedLone() -> LoneSyn? {
    guard let lone = abandoned.last?.lone else { return nil }
    abandoned.removeLast()
    return lone
  }

  // MARK: The end

  /// Live slots in the order of their connections.
  package var liveSlots: [Int] {
    connections.indices.filter { isLive[$0] }.sorted { connections[$0].id < connections[$1].id }
  }

  /// The flows that never got past a SYN, in order; each can be made a connection and reported.
  package var halfOpenFlows: [(place: Int, last: PacketRef, id: FlowID, key: FlowKey)] {
    halfOpen.live.compactMap { place in
      halfOpen[place].map { (place, $0.last, FlowID(firstPacket: $0.first.packet.number), $0.first.key) }
    }.sorted { $0.id < $1.id }
  }

  /// How many there are of both.
  package var openCount: Int { liveConnections + halfOpen.liveCount }
}
