import Citation
import Events
import HTTPSemantics
import Testing

@testable import Dialogues

/// Connections whose first captured bytes are no beginning: what was being sent is found by what it is made of.
@Suite("Streams that were already open")
struct OpenStreamTests {
  private typealias Part = (Direction, String)

  private struct Told {
    var words: [String] = []
    var pieces: [Item] = []
    var open: OpenBody?
    var wantsTurn = false
  }

  /// What is told of a conversation, each part of it in segments of at most `length` bytes, or cut once at `at`.
  private static func told(
    _ parts: [Part], every length: Int = .max, at cut: Int = .max, roles: RoleGuess = RoleGuess(),
    end: DirectionEnd = .fin, isMidstream: Bool = true
  ) -> Told {
    var told = Told()
    var options = DialogueOptions()
    options.pieces = PieceOptions(isTold: true, previewLimit: 64)
    var dialogue = Dialogue(isMidstream: isMidstream, roles: roles, options)
    var events: [Event] = []
    var offsets = BothDirections<UInt64>(repeating: 7_000)
    var packet = PacketRef(number: 0, time: .zero)
    var isTurned = false
    for (index, part) in parts.enumerated() {
      var rest = Array(part.1.utf8)[...]
      var isFirst = index == 0
      while !rest.isEmpty {
        let count = min(rest.count, isFirst ? min(cut, length) : length)
        isFirst = false
        let bytes = Array(rest.prefix(count))
        rest = rest.dropFirst(count)
        packet.number += 1
        packet.time = Timestamp(nanoseconds: Int64(packet.number) * 1_000_000)
        let direction = isTurned ? part.0.opposite : part.0
        dialogue.consume(
          CitedBytes(bytes.span, at: offsets[part.0], in: packet, released: packet), direction, into: &events)
        offsets[part.0] += UInt64(count)
        if dialogue.wantsTurn {
          told.wantsTurn = true
          isTurned = true
          dialogue.resume(isTurned: true, into: &events)
        }
      }
    }
    told.open = dialogue.openBodies(.toClient, at: packet.time).first
    for direction in Direction.allCases {
      dialogue.finish(SideEnd(direction == .toClient ? end : .fin, packet), direction, into: &events)
    }
    dialogue.close(into: &events)
    for event in events {
      switch event {
      case .exchange(let exchange): told.words.append(words(exchange))
      case .piece(let piece): told.pieces.append(piece.value)
      case .stray(let stray, _, _): told.words.append("stray \(stray)")
      default: break
      }
    }
    return told
  }

  private static func words(_ exchange: ExchangeRecord) -> String {
    guard let response = exchange.response else { return "\(exchange.number) \(exchange.title)" }
    var words = "\(exchange.number) \(exchange.title) \(exchange.kind)"
    if let joined = response.joined { words += " \(joined)" }
    if let stream = response.stream { words += " \(stream.items) items" }
    if let parts = response.multipart { words += " \(parts.partCount) parts" }
    if let chunks = response.chunks { words += " \(chunks.count) chunks" }
    words += " \(response.bodyBytes) B"
    if let incomplete = response.incomplete { words += " \(incomplete.cause)" }
    if !response.errors.isEmpty || !response.leniences.isEmpty { words += " notes" }
    return words
  }

  private static func down(_ text: String) -> [Part] { [(.toClient, text)] }

  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let parts: [(Direction, String)]
    let words: [String]

    init(_ name: String, _ parts: [(Direction, String)], _ words: String...) {
      testDescription = name
      self.parts = parts
      self.words = words
    }
  }

  private static let part = "--frame\r\nContent-Type: image/jpeg\r\n\r\n\u{7F}\u{3}abcd\r\n\r\n"
  private static let chunk = "b\r\ndata: one\n\n\r\n"
  private static let object = #"{"id": 1, "text": "a } b"}"#

  static let rows = [
    Row(
      "chunked events", down(chunk + "b\r\ndata: two\n\n\r\n" + chunk + "0\r\n\r\n"),
      "1 (stream already open) sse chunked 3 items 3 chunks 33 B"),
    Row(
      "inside of the data of a chunk", down("a: zero\n\n\r\n" + chunk + "b\r\ndata: two\n\n\r\n"),
      "1 (stream already open) sse chunked 2 items 2 chunks 22 B fin"),
    Row(
      "behind the data of a chunk", down("\r\n" + chunk + chunk),
      "1 (stream already open) sse chunked 2 items 2 chunks 22 B fin"),
    Row(
      "comments in chunks", down("3\r\n:\n\n\r\n3\r\n:\n\n\r\n" + chunk),
      "1 (stream already open) sse chunked 1 items 3 chunks 17 B fin"),
    Row(
      "events that are longer than their chunks",
      down("7\r\nevent: \r\n2\r\na\n\r\n7\r\ndata: 1\r\n2\r\n\n\n\r\n" + chunk),
      "1 (stream already open) sse chunked 2 items 5 chunks 29 B fin"),
    Row(
      "lines of JSON in chunks", down("1b\r\n\(object)\n\r\n1b\r\n\(object)\n\r\n"),
      "1 (stream already open) ndjson chunked 2 items 2 chunks 54 B fin"),
    Row(
      "chunks of anything", down("e\r\n<p>Hello</p>\r\n\r\nb\r\n<p>you</p>\n\r\n0\r\n\r\n"),
      "1 (stream already open) chunked chunked 2 chunks 25 B"),
    Row(
      "events up to the close", down("data: one\n\nid: 2\ndata: two\n\n: ping\n\n"),
      "1 (stream already open) sse close 2 items 36 B"),
    Row(
      "the rest of an event", down("e text\n\ndata: one\n\ndata: two\n\n"),
      "1 (stream already open) sse close 2 items 30 B"),
    Row(
      "lines with CRLF", down("data: one\r\n\r\ndata: two\r\n\r\n"),
      "1 (stream already open) sse close 2 items 26 B"),
    Row(
      "lines of JSON up to the close", down("b\"}\n\(object)\n\(object)\n"),
      "1 (stream already open) ndjson close 2 items 58 B"),
    Row(
      "the next response on the connection",
      [
        (.toClient, chunk + "0\r\n\r\n"), (.toServer, "GET /next HTTP/1.1\r\nHost: h\r\n\r\n"),
        (.toClient, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"),
      ],
      "1 (stream already open) sse chunked 1 items 1 chunks 11 B", "2 GET /next → 200 plain 2 B"),
    Row(
      "the next response behind a body of some length",
      [
        (.toClient, "data: one\n\ndata: two\n\n"), (.toServer, "GET /next HTTP/1.1\r\nHost: h\r\n\r\n"),
        (.toClient, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"),
      ],
      "1 (stream already open) sse close 2 items 22 B", "2 GET /next → 200 plain 2 B"),
    Row(
      "parts, of which one had begun",
      down("\u{1}\u{2}\r\n" + part + part),
      "1 (stream already open) plain close 2 parts 94 B"),
    Row(
      "parts in chunks", down("2f\r\n\(part)\r\n2f\r\n\(part)\r\n"),
      "1 (stream already open) chunked chunked 2 parts 2 chunks 94 B fin"),
    // Near misses.
    Row("a form", down("--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nvalue\r\n--b--\r\n")),
    Row("mail", down("--b\r\nContent-Type: text/plain\r\nContent-Transfer-Encoding: 8bit\r\n\r\nhello\r\n--b--\r\n")),
    Row("one event without chunks", down("data: one\n\n")),
    Row("binary data", down("\u{0}\u{1}data: one\n\ndata: two\n\n\u{3}\u{4}")),
    Row("a record of TLS", down("\u{17}\u{3}\u{3}\u{0}\u{5}hello\u{17}\u{3}\u{3}\u{0}\u{2}hi")),
    Row(
      "lines of digits",
      down("0a\r\n0b\r\n0c\r\n0d\r\n0e\r\n0f\r\n10\r\n11\r\n12\r\n13\r\n14\r\n15\r\n16\r\n17\r\n")),
    Row("the same line of digits", down(String(repeating: "0a\r\n", count: 20))),
    Row("a document", down("<pre>\ndata: one\n\ndata: two\n\n</pre>\n{}\n{}\n")),
    Row("JSON over lines", down("{\n  \"a\": {\n  },\n  \"b\": [\n  ]\n}\n{\n}\n")),
    Row("JSON both ways", [(.toServer, "\(object)\n"), (.toClient, "\(object)\n\(object)\n")]),
    Row("chunks from the client", [(.toServer, "1b\r\n\(object)\n\r\n1b\r\n\(object)\n\r\n")]),
  ]

  @Test("What is found, at every cut.", arguments: rows)
  func found(row: Row) {
    #expect(Self.told(row.parts).words == row.words)
    for length in 1...20 { #expect(Self.told(row.parts, every: length).words == row.words, "every \(length)") }
    for cut in 1..<row.parts[0].1.utf8.count { #expect(Self.told(row.parts, at: cut).words == row.words, "at \(cut)") }
  }

  @Test("A response to an upload says who is who; the rest of its body is passed over.")
  func upload() {
    let parts: [Part] = [
      (.toServer, "b\r\nhello world\r\nb\r\nhello world\r\n0\r\n\r\n"),
      (.toClient, "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n"),
    ]
    let told = Self.told(parts, roles: RoleGuess(isOpen: true, isByPorts: true))
    #expect(told.words == ["1 (request not seen) → 201 plain 0 B"])
  }

  @Test("Who sends events is the server, whatever was guessed; chunks may come from a client, where the ports say so.")
  func turns() {
    let events: [Part] = [(.toServer, Self.chunk + Self.chunk)]
    let words = "1 (stream already open) sse chunked 2 items 2 chunks 22 B fin"
    for isByPorts in [false, true] {
      let told = Self.told(events, roles: RoleGuess(isOpen: true, isByPorts: isByPorts))
      #expect(told.wantsTurn && told.words == [words])
      #expect(told.pieces.allSatisfy { $0.direction == .toClient })
    }
    let chunks: [Part] = [(.toServer, "b\r\nhello world\r\nb\r\nhello world\r\n")]
    #expect(Self.told(chunks, roles: RoleGuess(isOpen: true, isByPorts: false)).wantsTurn)
    #expect(!Self.told(chunks, roles: RoleGuess(isOpen: true, isByPorts: true)).wantsTurn)
    #expect(!Self.told(events, roles: RoleGuess()).wantsTurn)
    let request: [Part] = [
      (.toClient, "GET / HTTP/1.1\r\nHost: h\r\n\r\n"), (.toServer, "HTTP/1.1 204 No Content\r\n\r\n"),
    ]
    let told = Self.told(request, roles: RoleGuess(isOpen: true, isByPorts: true))
    #expect(told.wantsTurn && told.words == ["1 GET / → 204 plain 0 B"])
  }

  @Test("It is open from its second item on, and each item has its packet.")
  func open() throws {
    let one = Self.told([(.toClient, "data: one\n\n"), (.toClient, "data: two\n\n")], end: .captureEnded)
    let body = try #require(one.open)
    #expect(body.title == "(stream already open)" && body.kind == "text/event-stream" && body.bytes == 22)
    #expect(body.key.number == 1 && body.first.number == 1 && body.last.number == 2)
    #expect(one.pieces.map(\.completed.number) == [1, 2] && one.pieces.map(\.key.number) == [1, 1])
    #expect(Self.told(Self.down(Self.chunk)).open?.kind == "text/event-stream")
  }

  @Test("A connection that is captured from its SYN is not searched.")
  func whole() {
    #expect(Self.told(Self.down(Self.chunk + Self.chunk), isMidstream: false).words.isEmpty)
  }

  @Test("A body of long items is found behind what was too long to be kept; so is a request behind a download.")
  func long() {
    let long = "data: " + String(repeating: "x", count: 40_000) + "\n\n"
    let told = Self.told([(.toClient, long), (.toClient, "data: one\n\ndata: two\n\n")])
    #expect(told.words == ["1 (stream already open) sse close 2 items 22 B"])
    let download = (0..<40).map { _ in (Direction.toClient, String(repeating: "\u{1}", count: 1_000)) }
    let next: [Part] = [
      (.toServer, "GET /next HTTP/1.1\r\nHost: h\r\n\r\n"),
      (.toClient, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"),
    ]
    #expect(Self.told(download + next).words == ["1 GET /next → 200 plain 2 B"])
  }
}
