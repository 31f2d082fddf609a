import Citation
import Decode
import Events
import Testing

@testable import Engine

@Suite("Hosts of which nothing comes")
struct HostSilenceTests {
  private static let second: Int64 = 1_000_000_000

  /// Packets in the order of a capture, with their times in milliseconds.
  private struct Scene {
    var silences = HostSilences(least: 3 * second)
    var number: UInt64 = 0

    mutating func send(_ from: UInt32, _ to: UInt32, port: UInt16 = 4_000, at time: Int64, sequence: UInt32 = 100) {
      number += 1
      let (client, server) = (from < to ? from : to, from < to ? to : from)
      let (one, other) = (
        Endpoint(address: IPAddress(v4: client), port: port), Endpoint(address: IPAddress(v4: server), port: 80)
      )
      let (key, isLower) = FlowKey.of(source: from == client ? one : other, destination: from == client ? other : one)
      let packet = PacketRef(number: number, time: Timestamp(nanoseconds: time * 1_000_000))
      var segment = TCPSegment(packet: packet, key: key, sentByLower: isLower)
      segment.sequence = sequence
      segment.payloadLength = 10
      segment.flags = TCPFlags(rawValue: 0x18)
      if silences.hears(key, sentByLower: isLower, packet) { _ = silences.look(at: segment) }
    }

    /// Two connections are asked, and again, and the host answers in the end.
    mutating func outage(of host: UInt32, to end: Int64) {
      send(host, 1, at: 0)
      for time in stride(from: Int64(600), to: end, by: 600) {
        send(1, host, port: 4_000, at: time)
        send(1, host, port: 4_001, at: time + 1)
      }
      send(host, 1, at: end)
    }
  }

  @Test("It is reported while it lasts, and when it is over.")
  func reported() {
    var scene = Scene()
    scene.outage(of: 2, to: 5_000)
    let silences = scene.silences.taken()
    #expect(silences.count == 2)
    #expect(silences.first?.back == nil && silences.last?.back != nil)
    #expect(silences.last?.nanoseconds == 5 * Self.second)
    #expect(silences.last?.flows == 2 && silences.last?.packets == 16)
    #expect(scene.silences.atEnd().isEmpty)
  }

  @Test("What is recorded twice is no copy.")
  func twice() {
    var scene = Scene()
    scene.send(2, 1, at: 0)
    for port: UInt16 in [4_000, 4_001] {
      scene.send(1, 2, port: port, at: 600)
      scene.send(1, 2, port: port, at: 601)
    }
    scene.send(2, 1, at: 5_000)
    #expect(scene.silences.taken().isEmpty)
  }

  @Test("What goes on is no retransmission: the host's packets take another way.")
  func onward() {
    var scene = Scene()
    scene.send(2, 1, at: 0)
    for step in 1...20 {
      scene.send(1, 2, port: 4_000, at: Int64(600 * step), sequence: UInt32(100 * step))
      scene.send(1, 2, port: 4_001, at: Int64(600 * step), sequence: UInt32(100 * step))
    }
    #expect(scene.silences.taken().isEmpty)
  }

  @Test("Of hosts that share a place none is called silent while the other is heard.")
  func shared() throws {
    // The product with an odd number has the same first nine bits again for some host of a few thousand.
    func place(_ host: UInt32) -> UInt64 { ((0xFFFF_0000_0000 | UInt64(host)) &* 0x9E37_79B9_7F4A_7C15) >> 55 }
    let twin = try #require((3...9_000).first { place($0) == place(2) })
    var scene = Scene()
    scene.send(2, 1, at: 0)
    for step in 1...20 {
      scene.send(1, 2, port: 4_000, at: Int64(600 * step))
      scene.send(1, 2, port: 4_001, at: Int64(600 * step) + 1)
      scene.send(twin, 1, at: Int64(600 * step) + 2)
    }
    #expect(scene.silences.taken().isEmpty)
  }

  @Test("Many hosts that are silent at once cost no more than a bounded number.")
  func bounded() {
    var scene = Scene()
    for host: UInt32 in 2..<400 { scene.send(host, 1, at: 0) }
    for time in stride(from: Int64(600), to: 6_000, by: 600) {
      for host: UInt32 in 2..<400 {
        scene.send(1, host, port: 4_000, at: time)
        scene.send(1, host, port: 4_001, at: time)
      }
    }
    #expect(scene.silences.atEnd().count <= 64)
  }
}
