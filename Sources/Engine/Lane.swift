import Capture
import Citation
import Decode
import Dialogues
import Digests
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
  package private(set) var holdLimitReached: UInt64 = 0
  var table: FlowTable
  var scene: StreamScene
  var outputs = ReassemblyOutputs()
  /// What is known of a connection besides its streams, by slot.
  var companions: [Companion] = []
  var events: [Event] = []
  /// For the tokens of whichever dialogue reads.
  private var rooms = TokenRooms()
  private var endpoints = EndpointNames()
  /// Of the connection that is being reported: exchanges that are told only now belong there in the order, since the
  /// items of its last packet's time may have been handed on long ago.
  var deathTime: Timestamp?
  let index: Int
  private let timelineLimit: Int
  /// Off once nobody will print a timeline, because there are too many connections to tell each one's story.
  private var keepsTimelines = true
  /// With the key log as far as it has been read.
  private var dialogues: DialogueOptions
  private let selection: ItemSelection
  private let thresholds: Thresholds
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
  package private(set) var toldEarly: UInt64 = 0
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

  // MARK: What the streams gave

  @inline(__always)
  mutating func take(_ slot: Int, _ bytes: Span<UInt8>) {
    for index in outputs.items.indices {
      switch outputs.items[index] {
      case .data(let delivery):
        converse(delivery, slot, bytes)
        if !companions[slot].isTelling, companions[slot].wantsTurn { turn(slot) }
        if keepsTimelines { companions[slot].record(delivery) }
        if dialogues.digests, case .data(let delivery) = outputs.items[index] { digest(delivery, slot, bytes) }
      case .gap(let gap, let direction):
        if gap.cause == .holdLimit { holdLimitReached += 1 }
        companions[slot].timeline.gap(gap, direction)
        judge(.gap(gap, direction), slot)
        companions[slot].skip(gap, direction, into: &events)
        hear(slot)
      case .observation(let seen):
        companions[slot].note(seen)
        judge(.segment(seen), slot)
      case .pause(let pause): take(pause, slot)
      case .conflict(let at, let direction):
        companions[slot].timeline.conflict(outputs.conflicts[at], direction)
        judge(.overlapConflict(outputs.conflicts[at], direction), slot)
      case .end(let end, let direction, let packet):
        judge(.directionEnded(end, direction, packet), slot)
        companions[slot].end(SideEnd(end, packet), direction, into: &events)
        hear(slot)
      }
    }
  }

  private mutating func take(_ pause: DeliveryPause, _ slot: Int) {
    let (others, roundTrip) = table.ask(slot) { ($0.lastGiven(pause.direction.opposite), $0.roundTrip) }
    let survived = companions[slot].hasResumption ? companions[slot].survived(on: table.connections[slot]) : 0
    companions[slot].take(pause, others: others, survived: survived, roundTrip, into: &events)
    hear(slot)
  }

  /// Hands bytes to whoever understands them.
  @inline(__always)
  private mutating func converse(_ delivery: Delivery, _ slot: Int, _ window: Span<UInt8>) {
    guard companions[slot].listens else { return }
    switch delivery.source {
    case .window(let range):
      companions[slot].hear(
        CitedBytes(
          window.extracting(range), at: delivery.offset, in: delivery.packet, released: delivery.released,
          acknowledged: delivery.acknowledged),
        delivery.direction, lending: &rooms, into: &events)
    case .held(let at, let range):
      let bytes = outputs.held[at]
      companions[slot].hear(
        CitedBytes(
          bytes.span.extracting(range), at: delivery.offset, in: delivery.packet, released: delivery.released,
          isAhead: delivery.isAhead),
        delivery.direction, lending: &rooms, into: &events)
    }
    hear(slot)
  }

  /// What was said on a connection that began before the capture shows who its server is.
  private mutating func turn(_ slot: Int) {
    let isTurned = table.turnRound(slot)
    if isTurned { outputs.turnRound() }
    companions[slot].resume(isTurned: isTurned, into: &events)
    hear(slot)
  }

  /// What the dialogue told: for the rules, and for the report.
  mutating func hear(_ slot: Int) {
    guard !events.isEmpty else { return }
    // What is known of the connection is the same for all that one packet made.
    var known: FlowContext?
    for index in events.indices {
      if case .moment(let entry) = events[index] {
        companions[slot].timeline.moment(entry)
        continue
      }
      if case .piece(let piece) = events[index] {
        let packet = table.connections[slot].lastPacket
        items.append(
          LaneItem(
            clock: deathTime ?? packet.time, packet: packet.number, flow: table.connections[slot].id, .piece(piece)))
        continue
      }
      let context = known ?? context(slot)
      known = context
      switch events[index] {
      case .exchange(var exchange):
        if deathTime == nil, exchange.end.cause == .connection(.evicted) { toldEarly += 1 }
        if exchange.response == nil, table.ask(slot, { $0.isOneSided }) { exchange.isResponseMissing = true }
        companions[slot].judge(exchange, in: context, selection)
        companions[slot].note(exchange)
        itemBytes += exchange.heldBytes
        let packet = table.connections[slot].lastPacket
        items.append(
          LaneItem(
            clock: deathTime ?? packet.time, packet: packet.number, flow: context.id,
            .exchange(exchange, context, endpoints.name(of: exchange))))
      case .streamBegan(let first): tell(streamFrom: first, slot, context)
      case .socketOpened(let opening):
        if opening.exchangeKey.stream == nil { tell(streamFrom: opening.response ?? .none, slot, context) }
        companions[slot].judge(events[index], in: context, selection)
      case .socketClosed(let record):
        companions[slot].judge(events[index], in: context, selection)
        companions[slot].note(record)
      case .http2Closed(let record):
        companions[slot].judge(events[index], in: context, selection)
        companions[slot].note(record)
      case .tlsClosed(let session):
        companions[slot].judge(events[index], in: context, selection)
        companions[slot].note(session)
      case .http2Frame(let frame, _, _):
        if frame.type == .settings { companions[slot].know(table.ask(slot) { $0.roundTrip }) }
        companions[slot].judge(events[index], in: context, selection)
      case .named(var answer):
        answer.client = table.ask(slot) { $0.client.address }
        items.append(
          LaneItem(
            clock: deathTime ?? answer.packet.time, packet: answer.packet.number,
            flow: FlowID(firstPacket: answer.packet.number), .named(answer)))
      default:
        guard !ConnectionRules.interests.isDisjoint(with: events[index].kind) else { continue }
        companions[slot].judge(events[index], in: context, selection)
      }
    }
    events.clear()
  }

  private mutating func tell(streamFrom first: PacketRef, _ slot: Int, _ context: FlowContext) {
    let packet = table.connections[slot].lastPacket
    items.append(
      LaneItem(
        clock: deathTime ?? packet.time, packet: packet.number, flow: context.id, .streamBegan(first, context)))
  }

  private mutating func digest(_ delivery: Delivery, _ slot: Int, _ window: Span<UInt8>) {
    switch delivery.source {
    case .window(let range): companions[slot].digests?[delivery.direction].update(window.extracting(range))
    case .held(let at, let range):
      let bytes = outputs.held[at]
      companions[slot].digests?[delivery.direction].update(bytes.span.extracting(range))
    }
  }

  mutating func judge(_ event: Event, _ slot: Int) {
    let kind = event.kind
    guard !ConnectionRules.interests.isDisjoint(with: kind),
      companions[slot].isJudged || EventKinds.sequels.isDisjoint(with: kind)
    else { return }
    if companions[slot].keepsPlain {
      companions[slot].tellPlain(into: &events)
      hear(slot)
    }
    companions[slot].judge(event, in: context(slot), selection)
  }

  /// Mutating, or the lane is copied.
  private mutating func context(_ slot: Int) -> FlowContext {
    let thresholds = thresholds
    let isSecure = companions[slot].isSecure
    let goodbye = isSecure ? companions[slot].goodbye : nil
    let unanswered =
      companions[slot].hasResumption ? companions[slot].unanswered(on: table.connections[slot]) : nil
    return table.ask(slot) { $0.context(thresholds, unanswered, goodbye, isSecure: isSecure) }
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
