import Citation
import Decode
import Support
import Testing

@testable import Reassembly

@Suite("Which connection a segment belongs to")
struct FlowTableTests {
  struct Reuse: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var first: String
    var secondOrigin: UInt32
    var connections: Int
  }

  static let reuses: [Reuse] = [
    Reuse(
      testDescription: "after both FINs", first: "> SYN\n< SYN ACK\n> ACK\n> FIN\n< FIN\n> ACK\n",
      secondOrigin: 900_000_000, connections: 2),
    Reuse(
      testDescription: "after a RST", first: "> SYN\n< SYN ACK\n> ACK\n< RST\n", secondOrigin: 900_000_000,
      connections: 2),
    Reuse(
      testDescription: "after a SYN without an answer", first: "> SYN\n", secondOrigin: 900_000_000, connections: 2),
    Reuse(
      testDescription: "in the middle of an open one, far from its numbers",
      first: "> SYN\n< SYN ACK\n> ACK\n> \"x\"\n", secondOrigin: 900_000_000, connections: 2),
    Reuse(
      testDescription: "the same SYN again is the same connection", first: "> SYN\n", secondOrigin: 1_000,
      connections: 1),
    Reuse(
      testDescription: "the same SYN again after its answer", first: "> SYN\n< SYN ACK\n", secondOrigin: 1_000,
      connections: 1),
  ]

  @Test("a SYN on known endpoints", arguments: reuses)
  func reuse(_ row: Reuse) {
    var run = ReassemblyRun(WireScript(row.first), finishes: false)
    let second = WireScript(
      "> SYN\n", start: 1_700_000_001_000_000_000, origins: BothDirections(toServer: row.secondOrigin, toClient: 1))
    for packet in second.packets { run.receive(packet, number: 100) }
    var ids: Set<UInt64> = []
    for place in run.places {
      switch place {
      case .connection(let slot, _): ids.insert(run.table.connections[slot].id.firstPacket)
      case .halfOpen(let id, _): ids.insert(id.firstPacket)
      case .nowhere: break
      }
    }
    #expect(ids.count == row.connections)
  }

  @Test("what waited behind a hole is given back when its connection ends")
  func heldBytes() {
    let script = WireScript("> SYN\n< SYN ACK\n> ACK\n> \"abc\" !lost\n> \"defgh\"\n")
    var run = ReassemblyRun(script, finishes: false)
    let limits = run.scene.limits
    let before = run.table.usedBytes(limits)
    run.finish()
    #expect(before - run.table.usedBytes(limits) >= 5)
  }

  @Test("two SYNs that meet are one connection")
  func splitHandshake() {
    let run = ReassemblyRun(WireScript("> SYN\n< SYN noack\n> SYN ACK\n< ACK\n> \"data\"\n"))
    #expect(run.table.connections.count == 1)
    #expect(run.text(.toServer) == "data")
  }

  @Test("one connection whose packets were shuffled, SYN last, is still one connection")
  func shuffled() {
    let script = WireScript("> SYN\n< SYN ACK\n> ACK\n> \"GET\"\n< \"200\"\n> ACK\n< FIN\n> FIN\n< ACK\n")
    for seed in 0..<200 {
      var random = SplitMix64(seed: UInt64(seed))
      var run = ReassemblyRun()
      let shuffled = script.packets.shuffled(using: &random)
      for (index, packet) in shuffled.enumerated() { run.receive(packet, number: UInt64(index + 1)) }
      run.finish()
      #expect(run.table.connections.count <= 1, "seed \(seed)")
    }
  }

  @Test("a refusal that is followed by the server's answer ended nothing")
  func revived() {
    let run = ReassemblyRun(WireScript("> SYN\n< RST ack=0\n< SYN ACK\n> ACK\n> \"GET\"\n< \"200\"\n"))
    #expect(run.text(.toServer) == "GET")
    #expect(run.text(.toClient) == "200")
    #expect(run.connection?.closing.kind == .open)
    #expect(run.table.lingering.isEmpty)
  }

  @Test("many connections at once stay apart, and each is found again")
  func many() {
    var limits = ReassemblyLimits()
    limits.laneBytes = 16 << 20
    var run = ReassemblyRun(limits: limits)
    var rng = SplitMix64(seed: 3)
    let ports = (1...2_000).map(UInt16.init).shuffled(using: &rng)
    for round in 0..<3 {
      for (index, port) in ports.enumerated() {
        run.receive(Self.data(port, round), ["a", "b", "c"][round].utf8.map { $0 }); _ = index
      }
    }
    #expect(run.table.connections.count == 2_000)
    #expect(run.table.connections.allSatisfy { $0.half.toServer.counters.bytes == 3 })
  }

  @Test("where most connections are gone the others move together, and each is found again", arguments: [2, 10])
  func compaction(each: UInt16) throws {
    var limits = ReassemblyLimits()
    limits.laneBytes = 16 << 20
    var run = ReassemblyRun(limits: limits)
    let ports: ClosedRange<UInt16> = 1...1_000
    for port in ports { run.receive(Self.data(port, 0), [UInt8(ascii: "a")]) }
    run.receive(Self.syn(from: 7, number: 9_000), [])
    var reset = Self.data(ports.upperBound, 0)
    reset.flags = [.rst, .ack]
    run.receive(reset, [UInt8(ascii: "a")])
    let places = run.release { $0.key.lower.port % each != 0 }
    guard each > 2 else {
      #expect(places == nil)
      return
    }
    let moved = try #require(places)
    #expect(moved.count == ports.count)
    #expect(moved.filter { $0 >= 0 } == Array(0..<100))
    #expect(run.table.lingering.map(\.slot) == [99])
    for port in ports where port % each == 0 { run.receive(Self.data(port, 1), [UInt8(ascii: "b")]) }
    #expect(run.table.connections.count == 100)
    // All but the one that was reset.
    #expect(run.table.connections.dropLast().allSatisfy { $0.half.toServer.counters.bytes == 2 })
    #expect(run.table.halfOpenFlows.count == 1)
    // Numbers that are free are used again.
    run.receive(Self.data(1, 2), [UInt8(ascii: "c")])
    #expect(run.table.openCount == 102)
  }

  @Test("the room of half-open flows is given back behind a flood")
  func pieces() {
    var places = HalfOpenPlaces()
    let syns = (1...1_000).map { HalfOpen(Self.syn(from: UInt32($0), number: UInt64($0)), Span()) }
    let taken = syns.map { places.insert($0) }
    for (syn, place) in zip(syns, taken).dropLast() {
      #expect(places[place]?.first.key == syn.first.key)
      places.release(place)
    }
    #expect(places.liveCount == 1)
    #expect(places.count <= 256)
    #expect(places[taken[999]]?.first.key == syns[999].first.key)
    let again = syns.dropLast().map { places.insert($0) }
    #expect(Set(again + [taken[999]]).count == 1_000)
    #expect(zip(syns, again).allSatisfy { syn, place in places[place]?.first.key == syn.first.key })
    #expect(places.live.count == 1_000)
  }

  private static func syn(from client: UInt32, number: UInt64) -> TCPSegment {
    let (key, isLower) = FlowKey.of(
      source: Endpoint(address: IPAddress(v4: client), port: 1_000),
      destination: Endpoint(address: IPAddress(v4: 0x0A00_0002), port: 443))
    var syn = TCPSegment(
      packet: PacketRef(number: number, time: Timestamp(nanoseconds: Int64(number))), key: key, sentByLower: isLower)
    syn.flags = .syn
    return syn
  }

  private static func data(_ port: UInt16, _ round: Int) -> TCPSegment {
    let (key, isLower) = FlowKey.of(
      source: Endpoint(address: IPAddress(v4: 0x0A00_0001), port: port),
      destination: Endpoint(address: IPAddress(v4: 0x0A00_0002), port: 443))
    var segment = TCPSegment(
      packet: PacketRef(number: UInt64(round) * 10_000 + UInt64(port), time: .zero), key: key, sentByLower: isLower)
    segment.flags = [.ack, .psh]
    segment.sequence = 100 + UInt32(round)
    segment.payloadCaptured = 1
    segment.payloadLength = 1
    return segment
  }

  @Test("half-open flows are small, and the oldest go first when there are too many")
  func flood() {
    #expect(MemoryLayout<HalfOpen>.stride <= 128)
    var limits = ReassemblyLimits()
    limits.laneBytes = 64 << 10
    var run = ReassemblyRun(limits: limits)
    for number in 1...5_000 { run.receive(Self.syn(from: UInt32(number), number: UInt64(number)), []) }
    #expect(run.table.evicted > 4_000)
    #expect(run.table.halfOpenFlows.count < 600)
    #expect(run.table.halfOpenFlows.last?.key.lower.address == IPAddress(v4: 5_000))
  }

  @Test("a closed connection stays for late packets, and expires by the clock of the capture")
  func linger() {
    let run = ReassemblyRun(WireScript("> SYN\n< SYN ACK\n> ACK\n> FIN\n< FIN\n> ACK\n"), finishes: false)
    let closed = run.last.time
    #expect(run.table.expired(at: closed.advanced(by: 29_000_000_000)) == nil)
    #expect(run.table.expired(at: closed.advanced(by: 31_000_000_000)) != nil)
  }
}
