import Capture
import Citation
import Decode
import Dialogues
import Events
import Platform
import Queries
import Reassembly
import Rules
import TLSProtection

/// A fixed share of all connections: every packet of a connection comes to the same lane, in order.
///
/// Lanes share nothing, so they may work side by side; what a lane does depends on its own packets and the clock alone.
package struct Lane: Sendable {
  package static let count = 32
  private static let laneSeed: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// The lane of a connection: the same in every run.
  @inline(__always)
  static func index(of key: FlowKey) -> Int {
    Int(truncatingIfNeeded: key.hash(seed: laneSeed) >> 59)
  }

  /// What is to be reported, in the order it became known.
  package var items: [LaneItem] = []
  package internal(set) var holdLimitReached: UInt64 = 0
  var table: FlowTable
  var scene: StreamScene
  var outputs = ReassemblyOutputs()
  /// What is known of a connection besides its streams, by slot.
  var companions: [Companion] = []
  var events: [Event] = []
  /// For the tokens of whichever dialogue reads.
  var rooms = TokenRooms()
  var endpoints = EndpointNames()
  /// Of the connection that is being reported: exchanges that are told only now belong there in the order, since the
  /// items of its last packet's time may have been handed on long ago.
  var deathTime: Timestamp?
  let index: Int
  private let timelineLimit: Int
  /// Off once nobody will print a timeline, because there are too many connections to tell each one's story.
  private(set) var keepsTimelines = true
  /// With the key log as far as it has been read.
  private(set) var dialogues: DialogueOptions
  let selection: ItemSelection
  let thresholds: Thresholds
  private let idleLimit: Int64?
  /// What the lane may hold in memory, and one connection of it.
  let share: Int
  let connectionBytes: Int
  static let looseShares = 4
  /// Slots whose connections may hold more than was counted last, what they weigh, how much that may be, and the
  /// packets since.
  var uncounted: [Int] = []
  var uncountedWeight = 0
  var uncountedLimit = Lane.usualUncounted
  var uncountedPackets = 0
  /// Exchanges that were told before they were over, and connections whose content is read no more, for lack of memory.
  package internal(set) var toldEarly: UInt64 = 0
  package internal(set) var droppedContent: UInt64 = 0
  var nextSweep = Timestamp(nanoseconds: .min)
  /// How far the window is processed.
  private var next = (segment: 0, error: 0)
  /// The time of the packet behind which it stopped in a slice, because it has much to report, or its connections have
  /// grown much: many that begin at once would hold more than all lanes may before it is added up.
  private(set) var stoppedAt: Timestamp?
  private static let pendingLimit = 96 << 10
  /// Where it stops: what its connections held when that of all lanes was added up, and what they may grow by
  /// meanwhile. Asked whenever connections were counted, and every few packets: a sum of many is not free.
  var stopBytes = Lane.growthLimit
  var hasGrown = false
  static let growthLimit = 64 << 10
  /// Where whoever works in the lane notes what it reads.
  var note: ReadingNote?
  let faults: ReadingFaults
  /// Something is left unread, or is to fail.
  let isWary: Bool
  var leftOut: Set<FlowKey> = []
  /// What `items` hold in memory, but for what each of them takes.
  var itemBytes = 0
  /// Of a finding: its words and its evidence.
  static let findingBytes = 1_024

  init(_ index: Int, _ limits: ReassemblyLimits, _ options: PipelineOptions, seed: UInt64) {
    self.index = index
    table = FlowTable(seed: seed)
    scene = StreamScene(limits: limits)
    scene.limits.besideBytes = MemoryLayout<Companion>.stride * 5 / 4
    share = limits.laneBytes
    connectionBytes = limits.slackBytes
    scene.limits.laneBytes *= Self.looseShares
    timelineLimit = options.timelineLimit
    dialogues = options.dialogues
    selection = options.selection
    thresholds = options.thresholds
    idleLimit = options.idleLimit
    faults = options.faults
    isWary = !options.faults.isEmpty
  }

  /// Nothing of a connection is kept but what its record holds anyway: no story, no digest.
  var keepsFiguresOnly: Bool { !(keepsTimelines && timelineLimit > 0) && !dialogues.digests }

  package var evicted: UInt64 { table.evicted }
  package var idled: UInt64 { table.idled }
  package var unread: UInt64 { table.unread }

  /// Forgets all timelines, and keeps no more.
  mutating func stopTimelines() {
    keepsTimelines = false
    for slot in companions.indices { companions[slot].stopTimeline() }
  }

  // MARK: Packets

  /// Takes this lane's packets of a slice of a window, up to one after which there is much to report or to hold: then
  /// it has stopped, and goes on by `resume`.
  package mutating func process(_ window: Window, _ slice: WindowSlice) {
    if slice.isFirst {
      if let more = window.keyLog { dialogues.keyLog = more }
      enter(window.raw)
      next = (0, 0)
    }
    advance(window, slice)
  }

  /// Goes on where it stopped in a slice.
  mutating func resume(_ window: Window, _ slice: WindowSlice) {
    if stoppedAt != nil { advance(window, slice) }
  }

  private mutating func advance(_ window: Window, _ slice: WindowSlice) {
    stoppedAt = nil
    let batch = window.batches[index]
    let raw = window.raw.bytes.span
    let reassembled = window.reassembled.span
    if next.segment < batch.segments.count, batch.segments[next.segment].packet.number <= slice.through {
      makeRoom(at: batch.segments[next.segment].packet)
    }
    while next.segment < batch.segments.count, batch.segments[next.segment].packet.number <= slice.through {
      let at = next.segment
      if at > 0, pendingBytes > Self.pendingLimit || hasGrown || at % 4 == 0 && usedBytes > stopBytes {
        stoppedAt = batch.segments[at - 1].packet.time
        return
      }
      if next.error < batch.errors.count { process(batch.errors, before: batch.segments[at].packet.number) }
      process(batch.segments[at], batch.segments[at].encapsulation.hasFragments ? reassembled : raw)
      next.segment = at + 1
    }
    process(batch.errors, before: slice.through == .max ? .max : slice.through + 1)
    retire(at: slice.clock)
    if let idleLimit { drop(idleFor: idleLimit, at: slice.clock) }
  }

  private mutating func process(_ errors: [ICMPError], before number: UInt64) {
    while next.error < errors.count, errors[next.error].packet.number < number {
      process(errors[next.error])
      next.error += 1
    }
  }

  private mutating func enter(_ window: PacketWindow) {
    guard !window.packets.isEmpty else { return }
    if window.continues { scene.history.extend(window.bytes) } else { scene.history.enter(window.bytes) }
  }

  @inline(__always)
  private mutating func process(_ segment: TCPSegment, _ bytes: Span<UInt8>) {
    if table.hasExpired(at: segment.packet.time) { retire(at: segment.packet.time) }
    note?.read(segment.packet.number)
    if isWary, isLeftOut(segment.key, segment.packet.number) { return }
    outputs.removeAll()
    switch table.receive(segment, bytes, &scene, into: &outputs) {
    case .connection(let slot, let isNew):
      if isNew { open(slot, at: segment.packet) }
      if isWary { heed(slot, segment.packet.number) }
      take(slot, bytes)
      if !outputs.items.isEmpty { noteUncounted(slot) }
      if segment.isUnanswered { noteUnanswered(segment, slot) }
    case .halfOpen(let id, let isNew):
      if isNew { announce(id, FindingParties(opening: segment), at: segment.packet) }
      if segment.isUnanswered { noteUnanswered(segment, id, of: nil) }
    case .nowhere: break
    }
    if table.hasLeftovers { retireOverdue(at: segment.packet) }
  }

  private mutating func process(_ error: ICMPError) {
    note?.read(error.packet.number)
    if isWary, isLeftOut(error.key, error.packet.number) { return }
    outputs.removeAll()
    var slot = table.slot(of: error.key)
    if slot == nil {
      slot = table.promote(error.key, into: &outputs)
      if let slot { open(slot, at: error.packet) }
    }
    guard let slot else { return }
    table.receive(
      icmpType: error.type, code: error.code, quotedSenderIsLower: error.quotedSenderIsLower, at: error.packet,
      slot: slot, into: &outputs)
    take(slot, Span<UInt8>())
  }

  private mutating func announce(_ id: FlowID, _ parties: FindingParties, at packet: PacketRef) {
    items.append(LaneItem(clock: packet.time, packet: packet.number, flow: id, .opened(parties)))
  }

  /// Prepares the companion of a connection. One that was half open has been announced before.
  mutating func open(_ slot: Int, at packet: PacketRef) {
    // By a quarter, as their connections.
    if companions.count == companions.capacity { companions.reserveCapacity(slot + max(16, slot / 4)) }
    while companions.count <= slot { companions.append(Companion()) }
    let (id, client, server, isMidstream, roles) = table.ask(slot) {
      ($0.id, $0.client, $0.server, $0.isMidstream, $0.roles)
    }
    companions[slot] = Companion(
      timelineLimit: keepsTimelines ? timelineLimit : 0, dialogues, isMidstream: isMidstream, serverPort: server.port,
      roles: roles)
    guard id.firstPacket == packet.number else { return }
    announce(id, FindingParties(client: client, server: server), at: packet)
  }

  // MARK: What is going on

  /// A walk over all connections: a few times a second is often enough.
  package func openStreams(at now: Timestamp, into streams: inout [OpenStream]) {
    for slot in companions.indices where companions[slot].isTelling {
      streams += companions[slot].openStreams(on: table.connections[slot], at: now)
    }
  }
}

extension FindingParties {
  /// Of a SYN that opens a connection: its sender is the client.
  fileprivate init(opening syn: TCPSegment) {
    let (lower, upper) = (syn.key.lower, syn.key.upper)
    self.init(client: syn.sentByLower ? lower : upper, server: syn.sentByLower ? upper : lower)
  }
}
