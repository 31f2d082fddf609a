import Citation
import Decode
import Support
import Testing

@testable import Reassembly

/// The obviously right reassembler: an array of first-seen bytes with the packet that brought each.
private struct ByteMap {
  var bytes: [Int: (value: UInt8, packet: UInt64)] = [:]
  var conflicts: Set<UInt64> = []

  mutating func insert(_ payload: [UInt8], at offset: Int, packet: UInt64) {
    for (index, value) in payload.enumerated() {
      if let seen = bytes[offset + index] {
        if seen.value != value { conflicts.insert(packet) }
      } else {
        bytes[offset + index] = (value, packet)
      }
    }
  }

  var inOrder: [(value: UInt8, packet: UInt64)] { bytes.keys.sorted().compactMap { bytes[$0] } }

  /// The ranges below the last byte that nobody brought.
  var holes: [Range<UInt64>] {
    var holes: [Range<UInt64>] = []
    var next = 0
    for offset in bytes.keys.sorted() {
      if offset > next { holes.append(UInt64(next)..<UInt64(offset)) }
      next = offset + 1
    }
    return holes
  }
}

@Suite("The reassembler agrees with a byte map")
struct ByteMapModelTests {
  private static let shards = 16
  private static let listsPerShard = 6_400

  @Test("on seeded random operation lists", arguments: 0..<shards)
  func agrees(shard: Int) {
    for list in 0..<Self.listsPerShard {
      var random = SplitMix64(seed: UInt64(shard * Self.listsPerShard + list))
      let failure = Self.compare(&random)
      #expect(failure == nil, "seed \(shard * Self.listsPerShard + list): \(failure ?? "")")
      if failure != nil { return }
    }
  }

  /// Of a client whose numbers begin with 0.
  private static let handshake = WireScript(
    "> SYN\n< SYN ACK\n> ACK", origins: BothDirections(toServer: 0, toClient: 90)
  ).packets

  /// Runs one list of segments of the client; nil when both agree.
  private static func compare(_ random: inout SplitMix64) -> String? {
    let limit = 48
    // Close to the wrap as often as not.
    let origin = Bool.random(using: &random) ? UInt32.max - UInt32.random(in: 0...60, using: &random) : 7_000
    let differs = Int.random(in: 0..<4, using: &random) == 0
    var model = ByteMap()
    var run = ReassemblyRun()
    guard var template = handshake.last else { return "no script" }
    for (index, var packet) in handshake.enumerated() {
      if packet.direction == .toServer { packet.sequence &+= origin } else { packet.acknowledgment &+= origin }
      run.receive(packet, number: UInt64(index + 1))
    }
    for number in 4..<UInt64(Int.random(in: 5...14, using: &random)) {
      let start = Int.random(in: 0..<limit, using: &random)
      let payload = (start..<min(limit, start + Int.random(in: 1...14, using: &random))).map { at in
        differs && Int.random(in: 0..<12, using: &random) == 0 ? UInt8(255) : UInt8(at)
      }
      // A lone byte right behind the delivered ones is a probe to TCP; the model knows no probes.
      if payload.count == 1 { continue }
      template.nanoseconds += 1_000_000
      template.sequence = origin &+ 1 &+ UInt32(start)
      template.payload = payload
      template.wireLength = payload.count
      run.receive(template, number: number)
      model.insert(payload, at: start, packet: number)
    }
    run.finish()
    let expected = model.inOrder
    if run.bytes.toServer != expected.map(\.value) { return "bytes \(run.bytes.toServer) for \(expected.map(\.value))" }
    if run.owners.toServer != expected.map(\.packet) {
      return "packets \(run.owners.toServer) for \(expected.map(\.packet))"
    }
    if run.gaps.map(\.range) != model.holes { return "holes \(run.gaps.map(\.range)) for \(model.holes)" }
    let conflicts = Set(run.conflicts.map(\.second.number))
    if conflicts != model.conflicts { return "conflicts \(conflicts) for \(model.conflicts)" }
    let isOrdered = zip(run.owners.toServer, run.releasers.toServer).allSatisfy { $0 <= $1 }
    return isOrdered ? nil : "released before it came"
  }
}
