import Digests
import Events
import Rules
import Streams
import Trace

/// What a lane knows of a connection besides its streams: its story, its rules' state, their findings.
struct Companion: Sendable {
  var timeline: TimelineRecorder
  var digests: BothDirections<SHA256>?
  var findings = FindingSet()
  /// Made at the first event a rule asked for: a connection on which nothing happens owns no rule.
  private var rules: ConnectionRules?

  init(timelineLimit: Int = 0, digests: Bool = false) {
    timeline = TimelineRecorder(limit: timelineLimit)
    self.digests = digests ? BothDirections(repeating: SHA256()) : nil
  }

  mutating func judge(_ event: Event, in context: FlowContext, _ selection: ItemSelection) {
    var found: [Finding] = []
    rules = rules ?? ConnectionRules()
    rules?.observe(event, in: context) { if selection.accepts($0.rule) { found.append($0) } }
    for finding in found { findings.add(finding) }
  }

  mutating func complete(_ record: inout ConnectionRecord) {
    record.timeline = timeline.entries
    record.timelineCut = timeline.cut
    for direction in Direction.allCases { record.sides[direction].sha256 = digests?[direction].finish() }
  }
}

extension Connection {
  var context: FlowContext {
    FlowContext(
      id: id, client: client, server: server, firstPacket: firstPacket, isMidstream: isMidstream, roundTrip: roundTrip)
  }

  private var roundTrip: RoundTrip {
    RoundTrip(
      clientNanoseconds: handshake.clientNanoseconds, serverNanoseconds: handshake.serverNanoseconds)
  }

  var recordedEnd: ConnectionEnd {
    let kind: ConnectionEnd.Kind =
      switch closing.kind {
      case .open: wasEvicted ? .evicted : .open
      case .fin: .fin
      case .reset: .reset
      case .evicted: .evicted
      }
    let side: ConnectionEnd.Side =
      closing.isByBoth ? .both : closing.by.map { $0 == .toServer ? .client : .server } ?? .none
    return ConnectionEnd(kind: kind, by: side, packet: closing.packet)
  }

  var record: ConnectionRecord {
    var record = ConnectionRecord(
      id: id, client: client, server: server, isMidstream: isMidstream,
      isOneSided: (half.toServer.counters.packets == 0) != (half.toClient.counters.packets == 0)
        && handshake.syn == nil,
      firstPacket: firstPacket, lastPacket: lastPacket, roundTrip: roundTrip, end: recordedEnd,
      sides: BothDirections(toServer: half.toServer.record, toClient: half.toClient.record))
    record.encapsulation = encapsulation.names
    return record
  }
}

extension HalfStream {
  fileprivate var record: DirectionRecord {
    var record = DirectionRecord()
    record.packets = counters.packets
    record.bytes = counters.bytes
    record.retransmittedBytes = counters.retransmittedBytes
    record.outOfOrder = counters.outOfOrder
    record.missingBytes = counters.missingBytes
    record.overlapConflicts = counters.overlapConflicts
    record.duplicatePackets = counters.duplicates
    return record
  }
}
