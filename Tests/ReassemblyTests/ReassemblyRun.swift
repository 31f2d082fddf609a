import Citation
import Decode
import Support

@testable import Reassembly

/// Feeds scripted packets to a flow table and keeps what comes out.
struct ReassemblyRun {
  private(set) var table = FlowTable(seed: 7)
  private(set) var scene: StreamScene
  private(set) var items: [ReassemblyOutput] = []
  private(set) var conflicts: [OverlapConflict] = []
  private(set) var bytes = BothDirections<[UInt8]>(repeating: [])
  /// The packet each delivered byte cites, and the one that released it.
  private(set) var owners = BothDirections<[UInt64]>(repeating: [])
  private(set) var releasers = BothDirections<[UInt64]>(repeating: [])
  private(set) var places: [FlowTable.Place] = []
  private(set) var last = PacketRef.none
  private var outputs = ReassemblyOutputs()
  /// The newest stamp; what is stamped before it lies behind the clock, as in a capture.
  private var clock = Timestamp.zero

  static let client = Endpoint(address: IPAddress(v4: 0x0A00_0001), port: 40_000)
  static let server = Endpoint(address: IPAddress(v4: 0x0A00_0002), port: 80)

  init(limits: ReassemblyLimits = ReassemblyLimits()) {
    scene = StreamScene(limits: limits, history: DeliveredHistory(windows: 64))
  }

  init(_ script: WireScript, limits: ReassemblyLimits = ReassemblyLimits(), finishes: Bool = true) {
    self.init(limits: limits)
    for (index, packet) in script.packets.enumerated() { receive(packet, number: UInt64(index + 1)) }
    if finishes { finish() }
  }

  mutating func receive(_ packet: WireScript.Packet, number: UInt64) {
    let isClient = packet.direction == .toServer
    let (key, sourceIsLower) = FlowKey.of(
      source: isClient ? Self.client : Self.server, destination: isClient ? Self.server : Self.client)
    clock = max(clock, Timestamp(nanoseconds: packet.nanoseconds))
    var segment = TCPSegment(packet: PacketRef(number: number, time: clock), key: key, sentByLower: sourceIsLower)
    segment.behind = UInt32((clock.nanoseconds - packet.nanoseconds + 999) / 1_000)
    let options: [UInt8] = packet.scale.map { [3, 3, $0, 0] } ?? []
    segment.flags = TCPFlags(rawValue: packet.flags)
    segment.sequence = packet.sequence
    segment.acknowledgment = packet.acknowledgment
    segment.window = packet.window
    segment.timeToLive = packet.timeToLive
    segment.identification = packet.identification == 0 ? nil : packet.identification
    segment.optionsLength = UInt8(options.count)
    segment.payloadOffset = options.count
    segment.payloadCaptured = packet.payload.count
    segment.payloadLength = packet.wireLength
    receive(segment, options + packet.payload)
  }

  mutating func receive(_ segment: TCPSegment, _ window: [UInt8]) {
    last = segment.packet
    scene.history.enter(window)
    outputs.removeAll()
    places.append(table.receive(segment, window.span, &scene, into: &outputs))
    take(window)
  }

  /// Forgets connections, and moves the others together where that is worth it.
  mutating func release(where isGone: (Connection) -> Bool) -> [Int]? {
    for slot in table.liveSlots where isGone(table.connections[slot]) { table.release(slot) }
    return table.compact()
  }

  /// Makes a connection of the first flow that never got past its SYN.
  mutating func promoteHalfOpen() {
    guard let key = table.halfOpenFlows.first?.key else { return }
    outputs.removeAll()
    _ = table.promote(key, into: &outputs)
    take([])
  }

  /// Ends every connection, as at the end of a capture.
  mutating func finish() {
    for slot in table.liveSlots {
      outputs.removeAll()
      table.finish(slot, .captureEnded, at: last, &scene, into: &outputs)
      take([])
    }
  }

  private mutating func take(_ window: [UInt8]) {
    for item in outputs.items {
      if case .data(let delivery) = item {
        let taken: [UInt8]
        switch delivery.source {
        case .window(let range): taken = Array(window[range])
        case .held(let at, let range): taken = Array(outputs.held[at][range])
        }
        bytes[delivery.direction] += taken
        owners[delivery.direction] += taken.map { _ in delivery.packet.number }
        releasers[delivery.direction] += taken.map { _ in delivery.released.number }
      }
      items.append(item)
    }
    conflicts += outputs.conflicts
  }

  var connection: Connection? { table.connections.last }

  var observations: [TCPObservation] {
    items.compactMap { if case .observation(let seen) = $0 { seen } else { nil } }
  }

  func observed(_ kind: TCPObservation.Kind) -> [UInt64] {
    observations.filter { $0.kind == kind }.map(\.packet.number)
  }

  var gaps: [SequenceGap] {
    items.compactMap { if case .gap(let gap, _) = $0 { gap } else { nil } }
  }

  var ends: [(DirectionEnd, Direction)] {
    items.compactMap { if case .end(let end, let direction, _) = $0 { (end, direction) } else { nil } }
  }

  func text(_ direction: Direction) -> String { String(decoding: bytes[direction], as: UTF8.self) }
}
