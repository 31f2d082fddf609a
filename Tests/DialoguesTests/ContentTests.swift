import Events
import HTTPSemantics
import RunSupport
import Testing

/// What becomes of coded bodies.
@Suite("Content codings")
struct ContentTests {
  private static let gzip = "1f8b08000000000002ffcb48cdc9c957c84090008088f9e511000000"
  private static let zlib = "789ccb48cdc9c957c84090003a2e067d"
  private static let raw = "cb48cdc9c957c8409000"

  private static func exchange(_ coding: String, _ body: String, framing: String? = nil) async throws -> ExchangeRecord
  {
    let head = framing ?? "Content-Length: \(body.count / 2)"
    let run = try await CaptureRun(
      """
      > SYN
      < SYN ACK
      > ACK
      > "GET / HTTP/1.1\\r\\nHost: h\\r\\n\\r\\n"
      < "HTTP/1.1 200 OK\\r\\nContent-Encoding: \(coding)\\r\\n\(head)\\r\\n\\r\\n" x"\(body)"
      < FIN

      """)
    return try #require(run.exchanges.first)
  }

  @Test("A whole body is decoded and counted.", arguments: [("gzip", gzip), ("X-GZip", gzip), ("deflate", zlib)])
  func whole(_ coding: String, _ body: String) async throws {
    let content = try #require(try await Self.exchange(coding, body).response?.content)
    #expect(content.outcome == .decoded)
    #expect(content.bytes == 17)
    #expect(content.codings == coding)
    #expect(!content.isRawDeflate)
  }

  @Test("Deflate without its wrapper is decoded, and said to be that.")
  func rawDeflate() async throws {
    let content = try #require(try await Self.exchange("deflate", Self.raw).response?.content)
    #expect(content.outcome == .decoded)
    #expect(content.isRawDeflate)
  }

  @Test("A stream that ends before its end, though the body is whole, is cut.")
  func cut() async throws {
    let content = try #require(try await Self.exchange("gzip", String(Self.gzip.dropLast(20))).response?.content)
    #expect(content.outcome == .cut)
  }

  @Test("A body that is cut itself proves nothing about its coding.")
  func unfinished() async throws {
    let exchange = try await Self.exchange("gzip", String(Self.gzip.dropLast(20)), framing: "Content-Length: 999")
    #expect(exchange.response?.content?.outcome == .undecided)
  }

  @Test("Bytes that are no gzip are named with their packet.")
  func broken() async throws {
    let content = try #require(try await Self.exchange("gzip", "3c68746d6c3e").response?.content)
    guard case .broken(_, let packet) = content.outcome else {
      Issue.record("\(content.outcome)")
      return
    }
    #expect(packet.number == 5)
  }

  @Test("A coding that nobody knows is said to be that.")
  func unknown() async throws {
    let content = try #require(try await Self.exchange("snappy", "00").response?.content)
    #expect(content.outcome == .notDecoded("coding snappy is not supported"))
  }

  @Test("Identity is no coding, and a body without one has no record.", arguments: ["identity", "Identity", ""])
  func identity(_ coding: String) async throws {
    #expect(try await Self.exchange(coding, "00").response?.content == nil)
  }
}
