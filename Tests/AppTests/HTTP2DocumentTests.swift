import Foundation
import Testing

@testable import App

/// What documents say of connections of HTTP/2 and of calls of gRPC.
@Suite("HTTP/2 and gRPC in documents")
struct HTTP2DocumentTests {
  private static func word(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  private static func frame(_ type: UInt8, _ flags: UInt8, _ stream: UInt32, _ payload: [UInt8] = []) -> [UInt8] {
    word(UInt32(payload.count) << 8 | UInt32(type)) + [flags] + word(stream) + payload
  }

  private static func headers(_ stream: UInt32, _ fields: [(String, String)], ends: Bool = false) -> [UInt8] {
    var block: [UInt8] = []
    for (name, value) in fields {
      block += [0, UInt8(name.utf8.count)] + Array(name.utf8) + [UInt8(value.utf8.count)] + Array(value.utf8)
    }
    return frame(1, ends ? 5 : 4, stream, block)
  }

  private static func line(_ side: String, _ bytes: [UInt8]) -> String {
    "\(side) x\"\(bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined())\"\n"
  }

  private static func call(_ stream: UInt32) -> [UInt8] {
    headers(
      stream,
      [
        (":method", "POST"), (":scheme", "http"), (":path", "/shop.Cart/Add"), (":authority", "a.example"),
        ("content-type", "application/grpc"), ("te", "trailers"), ("grpc-timeout", "2S"),
      ]) + frame(0, 1, stream, [0, 0, 0, 0, 1, 7])
  }

  /// A call that is answered with NOT_FOUND, one that is refused, and a PING that takes 30 ms.
  private static let script =
    "> SYN\n< SYN ACK\n> ACK\n" + line(">", Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + frame(4, 0, 0))
    + line("<", frame(4, 0, 0, [0, 3] + word(100)) + frame(4, 1, 0)) + line(">", frame(4, 1, 0) + call(1))
    + line(">", frame(6, 0, 0, [1, 2, 3, 4, 5, 6, 7, 8])) + "+29ms\n"
    + line("<", frame(6, 1, 0, [1, 2, 3, 4, 5, 6, 7, 8]))
    + line("<", headers(1, [(":status", "200"), ("content-type", "application/grpc")]))
    + line("<", headers(1, [("grpc-status", "5")], ends: true)) + line(">", call(3))
    + line("<", frame(3, 0, 3, word(7))) + "> FIN\n< FIN ACK\n> ACK\n"

  @Test("Limits, refusals, acknowledgements, PINGs; how a call ended and how long it might take.")
  func document() async throws {
    let scratch = try Scratch()
    let run = await ProgramRun("--json", try scratch.capture(Self.script))
    #expect(run.code == .success && run.errors == "")
    let connection = try #require(try run.connections().first)
    #expect(connection["protocols"] as? [String] == ["h2", "grpc"])
    let http2 = try #require(connection["http2"] as? [String: Any])
    let streams = try #require(http2["streams"] as? [String: Any])
    #expect(streams["limit"] as? Int == 100)
    #expect(streams["refused"] as? Int == 1)
    let acknowledged = try #require(http2["acknowledgedNs"] as? [String: Int])
    #expect(acknowledged["toServer"] ?? 0 > 0 && acknowledged["toClient"] ?? 0 > acknowledged["toServer"] ?? 0)
    let pings = try #require((http2["pings"] as? [String: Any])?["toServer"] as? [String: Any])
    #expect(pings["count"] as? Int == 1)
    #expect(pings["max"] as? Int == 30_000_000)
    let exchanges = try #require(connection["exchanges"] as? [[String: Any]])
    let call = try #require(exchanges.first?["grpc"] as? [String: Any])
    #expect(call["status"] as? Int == 5)
    #expect(call["statusName"] as? String == "NOT_FOUND")
    #expect(call["timeoutNs"] as? Int == 2_000_000_000)
    #expect((exchanges.last?["grpc"] as? [String: Any])?["statusName"] == nil)
  }

  @Test("An archive names the stream of each entry.")
  func archive() async throws {
    let scratch = try Scratch()
    let run = await ProgramRun("-o", "har", try scratch.capture(Self.script))
    #expect(run.code == .success)
    #expect(run.output.contains("\"_streamId\": 1"))
    #expect(run.output.contains("\"_streamId\": 3"))
  }
}
