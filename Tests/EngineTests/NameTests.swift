import Engine
import Events
import RunSupport
import Support
import Testing
import Trace

@Suite("Names from DNS")
struct NameTests {
  private static let start: Int64 = 1_700_000_000_000_000_000

  /// An answer to `client`: www.example.com is 10.0.0.2.
  private static func answer(to client: Endpoint, at time: Int64) -> CapturedFrame {
    let message = DNSWire.response("www.example.com", ["10.0.0.2"])
    let datagram = Wire.udp(from: "10.0.0.53:53", to: client, payload: message)
    let packet = Wire.ip(
      from: "10.0.0.53", to: client.address, protocol: 17, timeToLive: 64, identification: 0, payload: datagram)
    return CapturedFrame(time: start + time, bytes: Wire.ethernet(packet))
  }

  private static func record(_ client: Endpoint, answerAt time: Int64) async throws -> ConnectionRecord {
    let conversation = Conversation("> SYN\n< SYN ACK\n> ACK\n> \"x\"\n", start: start + 10_000_000)
    let frames = (conversation.frames + [answer(to: client, at: time)]).sorted { $0.time < $1.time }
    return try #require(try await CaptureRun(CapturedFrame.file(frames)).connections.first)
  }

  @Test("A server is called what its client was told before it connected.")
  func named() async throws {
    let record = try await Self.record("10.0.0.1:5000", answerAt: 0)
    #expect(record.serverName == "www.example.com")
    #expect(record.namedBy?.number == 1)
  }

  @Test("What somebody else was told, or what was told later, names nothing.")
  func notNamed() async throws {
    #expect(try await Self.record("10.0.0.9:5000", answerAt: 0).serverName == nil)
    #expect(try await Self.record("10.0.0.1:5000", answerAt: 1_000_000_000).serverName == nil)
  }
}
