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
  private var table: FlowTable
  private var scene: StreamScene
  private var outputs = ReassemblyOutputs()
  /// What is known of a connection besides its streams, by slot.
  private var companions: [Companion] = []
  private var events: [Event] = []
  private var endpoints = EndpointNames()
  /// Of the connection that is being reported: exchanges that are told only now belong there in the order, since the
  /// items of its last packet's time may have been handed on long ago.
  private var deathTime: Timestamp?
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
  private let share: Int
  private let connectionBytes: Int
  private static let looseShares = 4
  /// Slots whose connections may hold more than was counted last, how many of them may be, and the packets since.
  private var uncounted: [Int] = []
  private var uncountedLimit = Lane.usualUncounted
  private var uncountedPackets = 0
  /// Exchanges that were told before they were over, and connections whose content is read no more, for lack of memory.
  package private(set) var toldEarly: UInt64 = 0
  package private(set) var droppedContent: UInt64 = 0
  private var nextSweep = Timestamp(nanoseconds: .min)
  /// How far the window is processed.
  private var next = (segment: 0, error: 0)
  /// The time of the packet behind which it stopped in a slice, because what it has to report is much already.
  private(set) var stoppedAt: Timestamp?
  private static let pendingLimit = 512 << 10
  /// Where whoever works in the lane notes what it reads.
  var note: ReadingNote?
  private let faults: ReadingFaults
  /// Something is left unread, or is to fail.
  private let isWary: Bool
  private var leftOut: Set<FlowKey> = []
  /// What `items` hold in memory, but for what each of them takes.
  private var itemBytes = 0
  /// Of a finding: its words and its evidence.
  private static let findingBytes = 1_024

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

  /// What its connections hold, as it was counted last.
  package var usedBytes: Int { table.usedBytes(scene.limits) }

  /// What is to be reported takes in memory, about.
  var pendingBytes: Int { itemBytes + items.count * 1_024 }

  /// What is to be reported has been taken.
  mutating func clearItems() {
    items.removeAll(keepingCapacity: true)
    itemBytes = 0
  }

  /// A lane may hold a few times its share, and one connection of it more, while all lanes together hold no more than
  /// they may: their connections are dealt by chance.
  mutating func tighten(_ isTight: Bool) {
    scene.limits.laneBytes = isTight ? share : Self.looseShares * share
    scene.limits.slackBytes = isTight ? 0 : connectionBytes
    uncountedLimit = isTight ? Self.tightUncounted : Self.usualUncounted
  }

  package var evicted: UInt64 { table.evicted }
  package var idled: UInt64 { table.idled }

  /// Forgets all timelines, and keeps no more.
  mutating func stopTimelines() {
    guard keepsTimelines else { return }
    keepsTimelines = false
    for slot in companions.indices { companions[slot].stopTimeline() }
  }

  // MARK: Internal errors

  /// After an internal error: takes the packet's connection for one whose content is not read, if it came up there, or
  /// answers that it is left out.
  @inline(never)
  private mutating func isLeftOut(_ key: FlowKey, _ number: UInt64) -> Bool {
    if faults.connections.contains(number) { leftOut.insert(key) }
    guard !leftOut.contains(key) else { return true }
    let slot = table.slot(of: key)
    let isUnread = faults.contents.contains(number) || slot.map { companions[$0].isUnread } ?? false
    note?.read(number, of: isUnread ? table.firstPacket(of: key) ?? number : 0)
    if let slot, isUnread { companions[slot].leaveUnread() }
    faults.trial.pass(.follow, number)
    return false
  }

  /// The same, of a connection that this packet opened, or that was only a SYN.
  @inline(never)
  private mutating func heed(_ slot: Int, _ number: UInt64) {
    if faults.contents.contains(number) { companions[slot].leaveUnread() }
    guard companions[slot].listens else { return }
    faults.trial.pass(.content, number)
    faults.trial.pass(.overflow, number)
  }

  /// A connection is reported: what comes up then came up at its last packet.
  /// Mutating, or the lane is copied.
  private mutating func noteEnd(of id: FlowID, _ last: PacketRef, isUnread: Bool = false) {
    guard let note else { return }
    let isKnown = isWary && (isUnread || faults.contents.contains(last.number))
    note.read(last.number, of: isKnown ? id.firstPacket : 0)
  }

  // MARK: Packets

  /// Takes this lane's packets of a slice of a window, up to one after which there is much to report: then it has
  /// stopped, and goes on by `resume`.
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
    while next.segment < batch.segments.count, batch.segments[next.segment].packet.number <= slice.through {
      let at = next.segment
      if at > 0, pendingBytes > Self.pendingLimit {
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

  /// A walk over all connections: a few times in what they may be idle for is often enough.
  private mutating func drop(idleFor limit: Int64, at clock: Timestamp) {
    guard clock >= nextSweep, clock.nanoseconds > .min else { return }
    nextSweep = clock.advanced(by: limit / 4)
    table.drop(idleSince: clock.advanced(by: -limit))
    if table.hasLeftovers { retireOverdue(at: PacketRef(number: 0, time: clock)) }
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
    case .halfOpen(let id, let isNew):
      if isNew { announce(id, FindingParties(opening: segment), at: segment.packet) }
    }
    if table.hasLeftovers { retireOverdue(at: segment.packet) }
  }

  // MARK: Memory

  /// Counted is now and then: every few connections that something came of, and every few packets. A connection may
  /// open a window of a codec meanwhile, in every lane.
  private static let usualUncounted = 16
  private static let tightUncounted = 4
  private static let uncountedPacketLimit = 512

  @inline(__always)
  private mutating func noteUncounted(_ slot: Int) {
    uncountedPackets += 1
    if !companions[slot].isUncounted, !companions[slot].isSteady {
      companions[slot].isUncounted = true
      uncounted.append(slot)
    }
    if uncounted.count >= uncountedLimit || uncountedPackets >= Self.uncountedPacketLimit { count() }
  }

  @inline(never)
  private mutating func count() {
    for slot in uncounted where table.isLive(slot) {
      companions[slot].isUncounted = false
      var bytes = companions[slot].countHeld()
      if bytes > connectionBytes {
        let before = bytes
        note?.read(table.connections[slot].lastPacket.number)
        companions[slot].shed(to: connectionBytes / 2, into: &events)
        hear(slot)
        bytes = companions[slot].countHeld()
        if bytes < before { droppedContent += 1 }
      }
      table.count(slot, bytes)
    }
    uncounted.clear()
    uncountedPackets = 0
    table.makeRoom(scene.limits)
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
  private mutating func open(_ slot: Int, at packet: PacketRef) {
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
  private mutating func take(_ slot: Int, _ bytes: Span<UInt8>) {
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
    companions[slot].take(pause, others: others, roundTrip, into: &events)
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
        delivery.direction, into: &events)
    case .held(let at, let range):
      let bytes = outputs.held[at]
      companions[slot].hear(
        CitedBytes(
          bytes.span.extracting(range), at: delivery.offset, in: delivery.packet, released: delivery.released),
        delivery.direction, into: &events)
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
  private mutating func hear(_ slot: Int) {
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
        if exchange.response == nil, table.ask(slot, { $0.isOneSided }) {
          exchange.isResponseMissing = true
          events[index] = .exchange(exchange)
        }
        companions[slot].judge(events[index], in: context, selection)
        companions[slot].note(exchange)
        itemBytes += exchange.heldBytes
        let packet = table.connections[slot].lastPacket
        items.append(
          LaneItem(
            clock: deathTime ?? packet.time, packet: packet.number, flow: context.id,
            .exchange(exchange, context, endpoints.name(of: exchange))))
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

  private mutating func digest(_ delivery: Delivery, _ slot: Int, _ window: Span<UInt8>) {
    switch delivery.source {
    case .window(let range): companions[slot].digests?[delivery.direction].update(window.extracting(range))
    case .held(let at, let range):
      let bytes = outputs.held[at]
      companions[slot].digests?[delivery.direction].update(bytes.span.extracting(range))
    }
  }

  private mutating func judge(_ event: Event, _ slot: Int) {
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

  // MARK: Ends

  /// Reports the closed connections whose time is up. Their time of death is the deadline, not the moment it is
  /// noticed, so that the order does not depend on where windows end.
  private mutating func retire(at clock: Timestamp) {
    while let expired = table.expired(at: clock) {
      report(expired.slot, .fin, at: table.connections[expired.slot].lastPacket, clock: expired.until)
    }
  }

  private mutating func retireOverdue(at packet: PacketRef) {
    while let slot = table.overdue.first {
      let end: DirectionEnd = table.connections[slot].wasEvicted ? .evicted : .captureEnded
      report(slot, end, at: table.connections[slot].lastPacket, clock: packet.time)
    }
    outputs.removeAll()
    while let slot = table.takeAbandoned(into: &outputs) {
      noteEnd(of: table.connections[slot].id, table.connections[slot].lastPacket)
      open(slot, at: .none)
      take(slot, Span<UInt8>())
      report(slot, .captureEnded, at: table.connections[slot].lastPacket, clock: packet.time)
      outputs.removeAll()
    }
  }

  /// A connection, or a flow that is only a SYN, which the capture leaves open.
  package struct OpenFlow: Sendable, Comparable {
    let last: PacketRef
    let id: FlowID
    let lane: Int
    fileprivate let place: Place

    fileprivate enum Place: Sendable {
      case slot(Int)
      case halfOpen(Int)
    }

    package static func < (left: Self, right: Self) -> Bool {
      left.last.number == right.last.number ? left.id < right.id : left.last.number < right.last.number
    }

    package static func == (left: Self, right: Self) -> Bool { left.id == right.id }
  }

  package var openCount: Int { table.openCount }

  /// Adds them in no order that means anything.
  package func addOpenFlows(to flows: inout [OpenFlow]) {
    for slot in table.liveSlots {
      let connection = table.connections[slot]
      flows.append(OpenFlow(last: connection.lastPacket, id: connection.id, lane: index, place: .slot(slot)))
    }
    for flow in table.halfOpenFlows {
      flows.append(OpenFlow(last: flow.last, id: flow.id, lane: index, place: .halfOpen(flow.place)))
    }
  }

  /// Ends and reports some of what is left. What is cited is each connection's own last packet: the last one of the
  /// capture belongs to one of them only.
  package mutating func finish(_ flows: [OpenFlow], at packet: PacketRef) {
    for flow in flows {
      noteEnd(of: flow.id, flow.last)
      switch flow.place {
      case .slot(let slot):
        report(slot, .captureEnded, at: table.connections[slot].lastPacket, clock: packet.time)
      case .halfOpen(let place):
        outputs.removeAll()
        guard let slot = table.promote(at: place, into: &outputs) else { continue }
        open(slot, at: .none)
        take(slot, Span<UInt8>())
        report(slot, .captureEnded, at: table.connections[slot].lastPacket, clock: packet.time)
      }
    }
  }

  private mutating func report(_ slot: Int, _ end: DirectionEnd, at packet: PacketRef, clock: Timestamp) {
    deathTime = clock
    defer { deathTime = nil }
    noteEnd(of: table.connections[slot].id, table.connections[slot].lastPacket, isUnread: companions[slot].isUnread)
    outputs.removeAll()
    table.finish(slot, end, at: packet, &scene, into: &outputs)
    take(slot, Span<UInt8>())
    companions[slot].close(into: &events)
    hear(slot)
    judge(.connectionClosed(table.ask(slot) { $0.recordedEnd }), slot)
    var findings = companions[slot].findings.taken()
    Consequences.attribute(&findings)
    findings.sort(by: Finding.isBefore)
    var record = table.ask(slot) { $0.record }
    let (id, last) = (record.id, record.lastPacket.number)
    companions[slot].complete(&record)
    record.isHurt = findings.contains(where: \.isDiagnosis)
    for var finding in findings {
      finding.parties = FindingParties(client: record.client, server: record.server)
      items.append(LaneItem(clock: clock, packet: last, flow: id, .finding(finding)))
    }
    itemBytes += record.heldBytes + findings.count * Self.findingBytes
    items.append(LaneItem(clock: clock, packet: last, flow: id, .connection(record)))
    companions[slot] = Companion()
    table.release(slot)
  }
}

extension FindingParties {
  /// Of a SYN that opens a connection: its sender is the client.
  fileprivate init(opening syn: TCPSegment) {
    let (lower, upper) = (syn.key.lower, syn.key.upper)
    self.init(client: syn.sentByLower ? lower : upper, server: syn.sentByLower ? upper : lower)
  }
}
