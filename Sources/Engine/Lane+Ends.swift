import Citation
import Events
import Reassembly
import Rules

// How connections end and are reported: when their time is up, when they are evicted, and at the end of the capture.
extension Lane {
  /// Reports the closed connections whose time is up. Their time of death is the deadline, not the moment it is
  /// noticed, so that the order does not depend on where windows end.
  mutating func retire(at clock: Timestamp) {
    while let expired = table.expired(at: clock) {
      report(expired.slot, .fin, at: table.connections[expired.slot].lastPacket, clock: expired.until)
    }
  }

  /// A walk over all connections: a few times in what they may be idle for is often enough.
  mutating func drop(idleFor limit: Int64, at clock: Timestamp) {
    guard clock >= nextSweep, clock.nanoseconds > .min else { return }
    nextSweep = clock.advanced(by: limit / 4)
    table.drop(idleSince: clock.advanced(by: -limit))
    if table.hasLeftovers { retireOverdue(at: PacketRef(number: 0, time: clock)) }
  }

  mutating func retireOverdue(at packet: PacketRef) {
    while let slot = table.overdue.first {
      let end: DirectionEnd = table.connections[slot].wasEvicted ? .evicted : .captureEnded
      report(slot, end, at: table.connections[slot].lastPacket, clock: packet.time)
    }
    outputs.removeAll()
    while true {
      if keepsFiguresOnly, let syn = table.takeAbandonedLone() {
        report(syn, clock: packet.time)
        continue
      }
      guard let slot = table.takeAbandoned(into: &outputs) else { break }
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
    let place: Place

    enum Place: Sendable {
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
      // In their places: a connection in a constant is copied.
      let (last, id) = (table.connections[slot].lastPacket, table.connections[slot].id)
      flows.append(OpenFlow(last: last, id: id, lane: index, place: .slot(slot)))
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
        if keepsFiguresOnly, let syn = table.takeLone(at: place) {
          report(syn, clock: packet.time)
          continue
        }
        outputs.removeAll()
        guard let slot = table.promote(at: place, into: &outputs) else { continue }
        open(slot, at: .none)
        take(slot, Span<UInt8>())
        report(slot, .captureEnded, at: table.connections[slot].lastPacket, clock: packet.time)
      }
    }
  }

  /// A SYN that nothing followed: most connections of a scan or a flood. No rule of connections has anything to say of
  /// it, so none is asked, and nothing is made of it but its record.
  private mutating func report(_ syn: LoneSyn, clock: Timestamp) {
    let record = syn.record
    let (id, last) = (record.id, record.lastPacket)
    noteEnd(of: id, last)
    itemBytes += record.heldBytes
    items.append(LaneItem(clock: clock, packet: last.number, flow: id, .connection(consume record)))
  }

  mutating func report(_ slot: Int, _ end: DirectionEnd, at packet: PacketRef, clock: Timestamp) {
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
    items.append(LaneItem(clock: clock, packet: last, flow: id, .connection(consume record)))
    companions[slot] = Companion()
    table.release(slot)
  }
}

extension LoneSyn {
  /// As it would be after the way through a connection.
  fileprivate var record: ConnectionRecord {
    var sides = BothDirections(repeating: DirectionRecord())
    sides.toServer.packets = 1
    var record = ConnectionRecord(
      id: FlowID(firstPacket: packet.number), client: client, server: server, isMidstream: false, isOneSided: false,
      firstPacket: packet, lastPacket: packet, roundTrip: RoundTrip(),
      end: ConnectionEnd(kind: .open, by: .none, packet: nil), sides: sides)
    record.encapsulation = encapsulation.names
    record.opening = ConnectionOpening(
      syn: packet, lastSyn: packet, synCount: 1, answer: nil, unreachable: nil, isUsed: false, linkSource: linkSource)
    return record
  }
}
