import Citation
import Engine
import Events
import RunSupport
import Support
import Testing

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

  private static func overTCP(_ script: String, _ port: Int = 53) async throws -> [String?] {
    let text = """
      == 10.0.0.1:5353 10.0.0.53:\(port)
      \(script)
      == 10.0.0.1:40000 10.0.0.2:80 +1s
      > SYN
      < SYN ACK
      > ACK
      > "x"
      """
    return try await CaptureRun(WireFile(text).capture.bytes).connections.map(\.serverName)
  }

  private static let handshake = "> SYN\n< SYN ACK\n> ACK\n"

  @Test("Answers over TCP count as well, in pieces and behind others.")
  func overTCP() async throws {
    let both = "< dns=other.example/10.0.0.7\n< dns=www.example.com/10.0.0.2\n> FIN\n< FIN\n"
    #expect(try await Self.overTCP(Self.handshake + both) == [nil, "www.example.com"])
    let message = DNSWire.response("www.example.com", ["10.0.0.2"])
    let bytes = (UInt16(message.count).wire + message).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    let pieces = bytes.map { "< x\"\($0)\"\n" }.joined()
    #expect(try await Self.overTCP(Self.handshake + pieces) == [nil, "www.example.com"])
  }

  @Test("On another port, behind a hole or behind something else nothing is read.")
  func notOverTCP() async throws {
    let answer = "< dns=www.example.com/10.0.0.2\n"
    #expect(try await Self.overTCP(Self.handshake + answer, 5_300) == [nil, nil])
    #expect(try await Self.overTCP(Self.handshake + "< len=40 !lost\n" + answer + "> ACK\n") == [nil, nil])
    #expect(try await Self.overTCP(Self.handshake + "< \"220 hello\\r\\n\"\n" + answer) == [nil, nil])
    #expect(try await Self.overTCP(Self.handshake + "> dns=www.example.com/10.0.0.2\n") == [nil, nil])
  }

  @Test("Whoever speaks HTTP on that port is understood.")
  func webOnPort() async throws {
    let exchange = """
      > "GET / HTTP/1.1\\r\\nHost: odd.example\\r\\n\\r\\n"
      < "HTTP/1.1 204 No Content\\r\\n\\r\\n"
      """
    #expect(try await Self.overTCP(Self.handshake + exchange) == ["odd.example", nil])
  }
}
