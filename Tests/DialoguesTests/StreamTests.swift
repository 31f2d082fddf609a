import Citation
import Events
import HTTPSemantics
import RunSupport
import Support
import Testing

@testable import Dialogues

/// What is kept of a streamed body.
@Suite("Streamed bodies")
struct StreamTests {
  private static func stream(_ head: String, _ lines: String, accept: String = "*/*") async throws -> ItemRecord? {
    let run = try await CaptureRun(
      """
      > SYN
      < SYN ACK
      > ACK
      > "GET / HTTP/1.1\\r\\nHost: h\\r\\nAccept: \(accept)\\r\\n\\r\\n"
      < "HTTP/1.1 200 OK\\r\\n\(head)\\r\\n\\r\\n"
      \(lines)
      < FIN

      """)
    return try #require(run.exchanges.first).response?.stream
  }

  private static let chunked = #"Content-Type: text/event-stream\r\nTransfer-Encoding: chunked"#

  @Test("Events lie in chunks and segments; one of them in two chunks.")
  func density() async throws {
    let stream = try #require(
      try await Self.stream(
        Self.chunked,
        #"""
        < "12\r\ndata: 1\n\ndata: 2\n\n\r\n"
        < "7\r\ndata: 3\r\n2\r\n\n\n\r\n3\r\n:\n\n\r\n0\r\n\r\n"
        """#))
    #expect(stream.kind == .sse && stream.isDeclared)
    #expect(stream.items == 3)
    #expect(stream.pieces == 4)
    #expect(stream.perChunk.most == 2 && stream.perChunk.units == 2)
    #expect(stream.perSegment.most == 2 && stream.perSegment.units == 2)
    #expect(stream.splitOverChunks == 1)
    #expect(stream.comments == 1)
    #expect(stream.itemGaps.count == 2)
    #expect(stream.firstItem?.number == 6 && stream.lastItem?.number == 7)
    #expect(stream.isOneBurst && stream.tail == nil)
  }

  @Test("Lines of JSON are told as such.")
  func lines() async throws {
    let stream = try #require(
      try await Self.stream(#"Content-Type: application/jsonl"#, #"< "{}\n{}\n\n{""#))
    #expect(stream.kind == .ndjson)
    #expect(stream.items == 2 && stream.comments == 1)
    #expect(stream.tail?.bytes == 1)
  }

  @Test("Another type is read as events where they were asked for and it begins like them.")
  func undeclared() async throws {
    let plain = #"Content-Type: text/plain"#
    let pieces = #"""
      < "da"
      < "ta: 1\n\nid: 7\ndata: 2\n\n"
      """#
    let asked = try #require(try await Self.stream(plain, pieces, accept: "text/event-stream"))
    #expect(!asked.isDeclared && asked.items == 2 && asked.lastID == Array("7".utf8))
    #expect(try await Self.stream(plain, pieces) == nil)
    #expect(try await Self.stream(plain, #"< "database: 1\n\n""#, accept: "text/event-stream") == nil)
    #expect(try await Self.stream(plain, #"< "dat""#, accept: "text/event-stream") == nil)
  }

  @Test("What a coding hides is no stream; what is lost is not guessed.")
  func unreadable() async throws {
    let coded = try #require(
      try await Self.stream(#"Content-Type: text/event-stream\r\nContent-Encoding: zz"#, #"< "data: 1\n\n""#))
    #expect(coded.items == 0)
    let hole = try #require(
      try await Self.stream(
        #"Content-Type: text/event-stream"#,
        #"""
        < "data: 1\n\ndata: "
        < "2\n\n" !lost
        > ACK
        < "data: 3\n\ndata: 4\n\n"
        > ACK
        """#))
    #expect(hole.items == 2 && hole.tail == nil && hole.anomalies.isEmpty)
  }

  /// The bytes say the same, however they are cut: packets apart.
  @Test("The same events at every cut of the response.")
  func cuts() throws {
    let response = Array(
      "HTTP/1.1 200 OK\r\n\(Self.chunked.replacing(#"\r\n"#, with: "\r\n"))\r\n\r\n9\r\ndata: 1\n\n\r\n7\r\ndata: 2\r\n2\r\n\n\n\r\n0\r\n\r\n"
        .utf8)
    for cut in 1..<response.count {
      var dialogue = Dialogue(isMidstream: false)
      var events: [Event] = []
      let request = Array("GET / HTTP/1.1\r\nHost: h\r\n\r\n".utf8)
      var packet = PacketRef(number: 1, time: .zero)
      dialogue.consume(CitedBytes(request.span, at: 0, in: packet, released: packet), .toServer, into: &events)
      for range in [0..<cut, cut..<response.count] {
        packet.number += 1
        dialogue.consume(
          CitedBytes(response.span.extracting(range), at: UInt64(range.lowerBound), in: packet, released: packet),
          .toClient, into: &events)
      }
      dialogue.close(into: &events)
      guard case .exchange(let exchange)? = events.last else {
        Issue.record("no exchange")
        return
      }
      let stream = try #require(exchange.response?.stream)
      #expect(stream.items == 2 && stream.pieces == 3 && stream.splitOverChunks == 1)
      #expect(stream.perChunk.units == 2 && stream.perChunk.most == 1)
    }
  }
}
