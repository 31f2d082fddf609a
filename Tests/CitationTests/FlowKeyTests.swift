import Citation
import Testing

/// Endpoints that differ in one place each, so that every part of the order decides somewhere.
private let endpoints: [Endpoint] = [
  Endpoint(address: IPAddress(v4: 0x0A00_0001), port: 80), Endpoint(address: IPAddress(v4: 0x0A00_0001), port: 81),
  Endpoint(address: IPAddress(v4: 0x0A00_0002), port: 80), Endpoint(address: IPAddress(high: 1, low: 0), port: 80),
  Endpoint(address: IPAddress(high: 1, low: 1), port: 80), Endpoint(address: IPAddress(high: .max, low: .max), port: 0),
  Endpoint(address: IPAddress(high: 0, low: 0), port: .max),
]

@Suite struct FlowKeyTests {
  @Test("the key and its hash are the same for both directions", arguments: endpoints)
  func directionBlind(source: Endpoint) {
    for destination in endpoints {
      let (there, sourceIsLower) = FlowKey.of(source: source, destination: destination)
      let (back, destinationIsLower) = FlowKey.of(source: destination, destination: source)
      #expect(there == back)
      #expect(there.hashValue == back.hashValue)
      for seed in [0, 1, 0x1234_5678_9ABC_DEF0, UInt64.max] { #expect(there.hash(seed: seed) == back.hash(seed: seed)) }
      #expect(source == destination ? sourceIsLower && destinationIsLower : sourceIsLower != destinationIsLower)
      #expect((sourceIsLower ? there.lower : there.upper) == source)
      #expect((sourceIsLower ? there.upper : there.lower) == destination)
    }
  }

  @Test("flows that differ anywhere have keys and hashes that differ")
  func distinct() {
    var keys: Set<FlowKey> = []
    var hashes: Set<UInt64> = []
    for (index, source) in endpoints.enumerated() {
      for destination in endpoints[index...] {
        let key = FlowKey.of(source: source, destination: destination).key
        keys.insert(key)
        hashes.insert(key.hash(seed: 7))
      }
    }
    let pairs = endpoints.count * (endpoints.count + 1) / 2
    #expect(keys.count == pairs)
    #expect(hashes.count == pairs)
  }

  @Test("the hash spreads a client's ports evenly over 32 lanes")
  func spread() {
    var lanes = [Int](repeating: 0, count: 32)
    let server = Endpoint(address: IPAddress(v4: 0x0A00_0001), port: 443)
    for port in UInt16(32768)..<49152 {
      let client = Endpoint(address: IPAddress(v4: 0x0A00_0002), port: port)
      let hash = FlowKey.of(source: client, destination: server).key.hash(seed: 0)
      lanes[Int(hash & 31)] += 1
    }
    // 512 in each on average; a fifth more or less is four standard deviations.
    #expect(lanes.allSatisfy { 410...614 ~= $0 }, "\(lanes)")
  }

  @Test("the seed changes the hash")
  func seeds() {
    let key = FlowKey.of(source: endpoints[0], destination: endpoints[2]).key
    #expect(Set((0..<1000).map { key.hash(seed: $0) }).count == 1000)
  }

  @Test("connections are ordered by their first packet")
  func flowID() {
    #expect(FlowID(firstPacket: 2) < FlowID(firstPacket: 10))
    #expect(!(FlowID(firstPacket: 2) < FlowID(firstPacket: 2)))
  }
}
