import Citation
import HTTP1
import HTTPSemantics
import Support
import Testing

/// Holes, streams picked up in the middle, limits, and what the dialogue says.
struct ContinuityTests {
  /// A parser fed with text and holes.
  private struct Session {
    var parser: HTTP1Parser
    var tokens: [HTTP1Token] = []
    var offset: UInt64 = 0
    var packet: UInt64 = 1

    init(_ role: HTTP1Role, start: HTTP1Parser.Start = .atMessage, _ requests: Method...) {
      parser = HTTP1Parser(role, start: start)
      for method in requests { parser.expect(RequestContext(method: method)) }
    }

    mutating func feed(_ text: String) {
      let bytes = wire(text)
      let ref = PacketRef.numbered(packet)
      parser.consume(CitedBytes(bytes.span, at: offset, in: ref, released: ref), into: &tokens)
      offset += UInt64(bytes.count)
      packet += 1
    }

    mutating func lose(_ count: UInt64) {
      parser.skip(gap: offset..<offset + count, into: &tokens)
      offset += count
    }

    mutating func finish(_ end: DirectionEnd = .fin) -> [String] {
      parser.finish(end, into: &tokens)
      return tokens.joined.summary
    }
  }

  @Test("a hole inside a body of known length leaves the next message readable")
  func holeInLength() {
    var session = Session(.response, .get, .get)
    session.feed("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nab")
    session.lose(5)
    session.feed("xyzHTTP/1.1 204 No\r\n\r\n")
    #expect(
      session.finish() == [
        "start 0", "head 200 1.1 length 10 contentLength", "body 39-41 @0", "gap 41-46", "body 46-49 @7",
        "end 49 body 10 missing 5", "start 49", "head 204 1.1 none status", "end 68 body 0",
      ])
  }

  @Test("a hole up to the end of a body completes the message")
  func holeToTheEnd() {
    var session = Session(.response, .get)
    session.feed("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n")
    session.lose(3)
    #expect(session.finish().last == "end 41 body 3 missing 3")
  }

  @Test("a hole beyond the body breaks the message, and reading goes on at the next start line")
  func holeBeyondBody() {
    var session = Session(.response, .get, .get)
    session.feed("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n")
    session.lose(30)
    session.feed("Date: x\r\n\r\nHTTP/1.1 204 No\r\n\r\n")
    #expect(
      session.finish().dropFirst(2) == [
        "gap 38-68", "broken 38 body 0 gap in body", "resync 79 skipped 11", "start 79", "head 204 1.1 none status",
        "end 98 body 0",
      ])
  }

  @Test("a hole inside a chunk keeps the chunks in step")
  func holeInChunk() {
    var session = Session(.response, .get)
    session.feed("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\na")
    session.lose(3)
    session.feed("e\r\n0\r\n\r\n")
    #expect(
      session.finish().dropFirst(2) == [
        "size 5 47-50", "body 50-51 @0", "gap 51-54", "body 54-55 @4", "chunk 0 47-57", "last 57-60",
        "end 62 body 5 missing 3",
      ])
  }

  @Test("chunks are found again behind a hole over their borders")
  func holeOverChunks() {
    var session = Session(.response, .get)
    session.feed("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n")
    session.lose(40)
    session.feed("rest\r\n2\r\nxy\r\n0\r\n\r\n")
    #expect(
      session.finish().dropFirst(5) == [
        "gap 57-97", "resync 103 skipped 6", "size 2 103-106", "body 106-108 @5", "chunk 1 103-110", "last 110-113",
        "end 115 body 7 missing 40",
      ])
  }

  @Test("a hole in a head breaks it")
  func holeInHead() {
    var session = Session(.request)
    session.feed("GET / HTTP/1.1\r\nHost: h\r\nCook")
    session.lose(3)
    session.feed("x\r\n\r\nGET /2 HTTP/1.1\r\n\r\n")
    #expect(
      session.finish() == [
        "start 0", "gap 29-32", "partial head GET / 1.1 none noFields", "broken 29 body 0 gap in fields",
        "resync 37 skipped 5", "start 37", "head GET /2 1.1 none noFields", "end 56 body 0",
      ])
  }

  @Test("in the middle of a stream reading begins at the first start line")
  func midstream() {
    var session = Session(.response, start: .midstream)
    session.feed("of a body, then\r\nquoted HTTP/1.1 200 OK\r\nHTTP/1.1 404 Not")
    session.feed(" Found\r\nContent-Length: 0\r\n\r\n")
    #expect(
      session.finish() == [
        "resync 41 skipped 41", "start 41", "head 404? 1.1 length 0 contentLength", "end 86 body 0",
      ])
  }

  @Test("in the middle of a stream a request line is found at once", arguments: ["GET", "PROPFIND", "ODD"])
  func midstreamRequest(method: String) {
    var session = Session(.request, start: .midstream)
    session.feed("\(method) /x HTTP/1.1\r\n\r\n")
    #expect(session.finish().first == "start 0")
  }

  @Test("a head of more than 64 KiB is an error at the same byte however it is cut", arguments: [1, 1000, 70_000])
  func headTooLarge(step: Int) {
    let text = "GET / HTTP/1.1\r\nX: \(String(repeating: "x", count: 66_000))\r\n\r\nGET /2 HTTP/1.1\r\n\r\n"
    let tokens = Feeding(role: .request).tokens(text, cutAt: Array(stride(from: step, to: text.utf8.count, by: step)))
    #expect(
      tokens.summary == [
        "start 0", "partial head GET / 1.1 none noFields",
        "error headTooLarge 0-32 'GET / HTTP/1.1\\r\\nX: xxxxxxxxxxxxx'",
        "broken 0 body 0 framingError in fields", "resync 66023 skipped 66023", "start 66023",
        "head GET /2 1.1 none noFields", "end 66042 body 0",
      ])
  }

  @Test("fields beyond a thousand are counted and still frame the body")
  func manyFields() throws {
    let fields = (0..<1005).map { "F\($0): v\r\n" }.joined()
    let tokens = Feeding(role: .request).tokens("POST / HTTP/1.1\r\n\(fields)Content-Length: 2\r\n\r\nab")
    let head = try #require(tokens.heads.first)
    #expect(head.block.fields.count == 1000)
    #expect(head.block.fieldsCut == 6)
    #expect(head.contentLength == 2)
    #expect(tokens.kinds == [.fieldsCut])
    #expect(tokens.ends.first?.isComplete == true)
  }

  @Test("a chunk extension without end is an error", arguments: [1, 100, 20_000])
  func longExtension(step: Int) {
    let text =
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;\(String(repeating: "e", count: 17_000))\r\nx\r\n"
      + "HTTP/1.1 204 No\r\n\r\n"
    let tokens = Feeding().tokens(text, cutAt: Array(stride(from: step, to: text.utf8.count, by: step)))
    #expect(tokens.errors.map(\.kind) == [.chunkLineTooLong])
    #expect(tokens.heads.map(\.status.code) == [200, 204])
  }

  @Test(
    "an open message ends with the reason its stream ends",
    arguments: zip(
      [DirectionEnd.fin, .reset, .evicted, .captureEnded],
      [Incomplete.Cause.fin, .reset, .evicted, .captureEnded]))
  func reasons(end: DirectionEnd, cause: Incomplete.Cause) {
    var session = Session(.response, .get)
    session.feed("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\na")
    #expect(session.finish(end).last == "broken 39 body 1 \(cause) in body -2")
    var open = Session(.response, .get)
    open.feed("HTTP/1.1 200 OK\r\n\r\na")
    #expect(open.finish(end).last == (end == .fin ? "end 20 body 1" : "broken 20 body 1 \(cause) in body"))
  }

  @Test("a tunnel that the dialogue announces begins at the end of the message")
  func announcedTunnel() {
    var session = Session(.request)
    session.feed("POST / HTTP/1.1\r\nContent-Length: 4\r\n\r\nab")
    session.parser.switchToTunnel(into: &session.tokens)
    session.feed("cdGET / HTTP/1.1\r\n\r\n")
    #expect(session.finish().suffix(2) == ["end 42 body 4", "tunnel 42 agreed"])
  }

  @Test("a tunnel announced late takes what was held for a start line")
  func lateTunnel() {
    var session = Session(.request)
    session.feed("GET / HTTP/1.1\r\n\r\nab")
    session.parser.switchToTunnel(into: &session.tokens)
    session.feed("cd")
    #expect(session.finish().suffix(2) == ["end 18 body 0", "tunnel 18 agreed"])
    var odd = Session(.request)
    odd.feed("GET / HTTP/1.1\r\n\r\n\u{81}\u{82}ab")
    odd.parser.switchToTunnel(into: &odd.tokens)
    #expect(odd.finish().suffix(2) == ["end 18 body 0", "tunnel 18 agreed"])
  }

  @Test("a chunk shows whether its parts came in packets of their own")
  func chunkParts() {
    let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    var session = Session(.response, .get)
    for piece in [head, "2\r\n", "xy", "\r\n", "2\r\nxy\r\n", "2\r\nx", "y\r\n", "2\r", "\nxy", "\r", "\n0\r\n\r\n"] {
      session.feed(piece)
    }
    let chunks = session.tokens.chunks
    #expect(chunks.map(\.sizeLineApart) == [true, false, false, false])
    #expect(chunks.map(\.endApart) == [true, false, false, true])
    #expect(chunks.map(\.dataFirst.number) == [3, 5, 6, 9])
    #expect(chunks.map(\.dataLast.number) == [3, 5, 7, 9])
    #expect(chunks.map(\.span.first.number) == [2, 5, 6, 8])
    #expect(chunks.map(\.span.last.number) == [4, 5, 7, 11])
  }

  @Test("requests beyond the limit of the queue are answered as unknown")
  func queueLimit() {
    var parser = HTTP1Parser(.response)
    for _ in 0..<5000 { parser.expect(RequestContext(method: .head)) }
    #expect(parser.expectedResponses == 4096)
    let bytes = wire(String(repeating: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", count: 5000))
    var tokens: [HTTP1Token] = []
    let ref = PacketRef.numbered(1)
    parser.consume(CitedBytes(bytes.span, at: 0, in: ref, released: ref), into: &tokens)
    #expect(tokens.heads.count { $0.reason == .headRequest } == 4096)
    #expect(tokens.heads.count { !$0.isRequestKnown } == 904)
  }

  @Test("offsets near the end of the number range do not trap")
  func greatOffsets() {
    var parser = HTTP1Parser(.response)
    var tokens: [HTTP1Token] = []
    let ref = PacketRef.numbered(1)
    let bytes = wire("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\nabc")
    parser.consume(CitedBytes(bytes.span, at: UInt64.max - 20, in: ref, released: ref), into: &tokens)
    parser.finish(.fin, into: &tokens)
    #expect(tokens.heads.count == 1)
  }
}
