import Citation
import Events
import HTTP2Semantics
import HTTPSemantics
import Support
import Testing

@testable import Dialogues

@Suite("Exchanges of HTTP/2")
struct HTTP2DialogueTests {
  typealias Run = (direction: Direction, bytes: [UInt8])

  // MARK: What is sent

  static func frame(_ type: UInt8, _ flags: UInt8, _ stream: UInt32, _ payload: [UInt8] = []) -> [UInt8] {
    HTTP2Script.frame(type, flags, stream, payload)
  }

  static func word(_ number: UInt32) -> [UInt8] { HTTP2Script.word(number) }
  static func block(_ fields: [(String, String)]) -> [UInt8] { HTTP2Script.block(fields) }

  static func request(_ stream: UInt32, _ path: String, ends: Bool = true, method: String = "GET") -> [UInt8] {
    frame(
      1, ends ? 5 : 4, stream,
      block([(":method", method), (":scheme", "http"), (":path", path), (":authority", "a.example")]))
  }

  static func response(_ stream: UInt32, _ status: Int, ends: Bool = false, type: String = "text/plain") -> [UInt8] {
    frame(1, ends ? 5 : 4, stream, block([(":status", "\(status)"), ("content-type", type)]))
  }

  static func data(_ stream: UInt32, _ text: String, ends: Bool = false) -> [UInt8] {
    HTTP2Script.data(stream, text, ends: ends)
  }

  static let preface = HTTP2Script.preface
  static let settings = HTTP2Script.settings
  static let acknowledged = HTTP2Script.acknowledged

  static let opening: [Run] = [
    (.toServer, preface + settings), (.toClient, settings + acknowledged), (.toServer, acknowledged),
  ]

  /// Two at a time, whose frames take turns.
  static let interleaved: [Run] =
    opening + [
      (.toServer, request(1, "/a") + request(3, "/b", ends: false, method: "POST")),
      (.toServer, data(3, "up", ends: true)),
      (.toClient, response(3, 200) + data(3, "one")),
      (.toClient, response(1, 200, type: "text/event-stream") + data(1, "data: x\n\n")),
      (.toClient, data(3, "two", ends: true) + data(1, "data: y\n\n", ends: true)),
    ]

  // MARK: What is told

  static func told(
    _ runs: [Run], isMidstream: Bool = false, ends: Bool = true, _ options: DialogueOptions = DialogueOptions()
  ) -> [Event] {
    var dialogue = Dialogue(isMidstream: isMidstream, options)
    var events: [Event] = []
    var offsets = BothDirections<UInt64>(repeating: 0)
    var last = PacketRef.none
    for (index, run) in runs.enumerated() {
      let packet = PacketRef(number: UInt64(index + 1), time: Timestamp(nanoseconds: Int64(index) * 1_000_000))
      dialogue.consume(
        CitedBytes(run.bytes.span, at: offsets[run.direction], in: packet, released: packet), run.direction,
        into: &events)
      offsets[run.direction] += UInt64(run.bytes.count)
      last = packet
    }
    if ends {
      dialogue.finish(SideEnd(.fin, last), .toServer, into: &events)
      dialogue.finish(SideEnd(.fin, last), .toClient, into: &events)
    }
    dialogue.close(into: &events)
    return events
  }

  /// `1 s1 GET /a → 200 up 0 down 18`, in the order in which they were told.
  static func words(_ events: [Event]) -> [String] {
    events.compactMap { event in
      guard case .exchange(let exchange) = event else { return nil }
      var words = ["\(exchange.number)"]
      if let stream = exchange.key.stream { words.append("s\(stream)") }
      words.append(exchange.title)
      if let request = exchange.request { words.append("up \(request.bodyBytes)\(request.isComplete ? "" : " cut")") }
      if !exchange.interim.isEmpty { words.append("after \(exchange.interim.map(\.status.code))") }
      if let response = exchange.response {
        words.append("down \(response.bodyBytes)\(response.isComplete ? "" : " cut")")
        if let stream = response.stream { words.append("\(stream.items) items") }
        if response.trailers != nil { words.append("trailers") }
      }
      if exchange.isPushed { words.append("pushed") }
      if let code = exchange.end.resetCode {
        words.append("reset \(code) by \(exchange.end.closing?.by == .toServer ? "client" : "server")")
      }
      return words.joined(separator: " ")
    }
  }

  static func record(_ events: [Event]) -> HTTP2Record? {
    for case .http2Closed(let record) in events { return record }
    return nil
  }

  // MARK: Tests

  @Test("Two exchanges whose frames take turns, the events of one of them read.")
  func turns() throws {
    let events = Self.told(Self.interleaved)
    #expect(
      Self.words(events) == ["2 s3 POST /b → 200 up 2 down 6", "1 s1 GET /a → 200 up 0 down 18 2 items"])
    let record = try #require(Self.record(events))
    #expect(record.beginning == .prior && record.opened == 2 && record.most == 2)
    #expect(
      record.sides.toServer.frames.map { "\($0.type.name) \($0.count)" } == ["DATA 1", "HEADERS 2", "SETTINGS 2"])
  }

  /// What it holds in memory once both sides of the connection have ended in one way.
  private static func held(after end: DirectionEnd) -> Int {
    var dialogue = Dialogue(isMidstream: false, DialogueOptions())
    var events: [Event] = []
    var offsets = BothDirections<UInt64>(repeating: 0)
    for (index, run) in interleaved.enumerated() {
      let packet = PacketRef(number: UInt64(index + 1), time: Timestamp(nanoseconds: Int64(index)))
      dialogue.consume(
        CitedBytes(run.bytes.span, at: offsets[run.direction], in: packet, released: packet), run.direction,
        into: &events)
      offsets[run.direction] += UInt64(run.bytes.count)
    }
    for direction in Direction.allCases { dialogue.finish(SideEnd(end, .none), direction, into: &events) }
    return dialogue.countHeld()
  }

  @Test("Behind a FIN of each side it holds less than behind resets, which may be none.")
  func memory() {
    #expect(Self.held(after: .fin) < Self.held(after: .reset))
  }

  /// A line that a load balancer writes, and the client's first bytes in the same segment.
  private static func behindLine(_ line: String, cut: Int = .max) -> [String] {
    let first = Array(line.utf8) + preface + settings + request(1, "/a")
    let runs: [Run] = [
      (.toServer, Array(first.prefix(cut))), (.toServer, Array(first.dropFirst(cut))),
      (.toClient, settings + acknowledged + response(1, 200) + data(1, "one", ends: true)),
    ]
    return words(told(runs.filter { !$0.bytes.isEmpty }))
  }

  @Test("The preface is found behind a PROXY line in the same segment, wherever the two are cut.")
  func proxyLine() {
    let expected = ["1 s1 GET /a → 200 up 0 down 3"]
    for line in [
      "PROXY TCP4 192.0.2.1 192.0.2.2 5000 80\r\n", "PROXY TCP6 2001:db8::1 2001:db8::2 5000 80\r\n",
      "PROXY UNKNOWN\r\n",
    ] {
      for cut in [.max] + (1..<line.utf8.count + Self.preface.count) {
        #expect(Self.behindLine(line, cut: cut) == expected, "\(line.prefix(10)) cut at \(cut)")
      }
    }
  }

  /// As haproxy and load balancers of clouds write it: over TCP and IPv4, with an extension behind the addresses.
  private static func binaryHeader(_ extra: Int = 0, version: UInt8 = 0x21) -> [UInt8] {
    let rest: [UInt8] = [192, 0, 2, 1, 192, 0, 2, 2, 0x13, 0x88, 0, 80] + [UInt8](repeating: 4, count: extra)
    let length = [UInt8(rest.count >> 8), UInt8(rest.count & 0xFF)]
    return Array("\r\n\r\n\0\r\nQUIT\n".utf8) + [version, 0x11] + length + rest
  }

  @Test("And behind a PROXY header in binary, alone or with what follows, wherever they are cut.")
  func proxyHeader() {
    let answer: Run = (
      .toClient, Self.settings + Self.acknowledged + Self.response(1, 200) + Self.data(1, "one", ends: true)
    )
    let asked = Self.preface + Self.settings + Self.request(1, "/a")
    for header in [Self.binaryHeader(), Self.binaryHeader(300)] {
      for cut in [header.count + asked.count] + (1..<header.count + Self.preface.count) {
        let first = header + asked
        let runs: [Run] = [
          (.toServer, Array(first.prefix(cut))), (.toServer, Array(first.dropFirst(cut))), answer,
        ]
        #expect(
          Self.words(Self.told(runs.filter { !$0.bytes.isEmpty })) == ["1 s1 GET /a → 200 up 0 down 3"], "cut at \(cut)"
        )
      }
    }
    // HTTP/1 as well; another version is not read.
    let plain = Array("GET /a HTTP/1.1\r\nHost: h\r\n\r\n".utf8)
    let reply: Run = (.toClient, Array("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\none".utf8))
    #expect(Self.words(Self.told([(.toServer, Self.binaryHeader() + plain), reply])) == ["1 GET /a → 200 up 0 down 3"])
    let unknown = Self.binaryHeader(version: 0x31)
    #expect(Self.words(Self.told([(.toServer, unknown + asked), answer])) == [])
  }

  @Test(
    "What is no such line is not passed over.",
    arguments: [
      "PROXY TCP5 192.0.2.1 192.0.2.2 5000 80\r\n", "PROXY TCP4 192.0.2.1 192.0.2.2 5000 80\n",
      "PROXY TCP4 " + String(repeating: "1", count: 100) + "\r\n", "XPROXY TCP4 192.0.2.1 192.0.2.2 5000 80\r\n",
    ])
  func noProxyLine(_ line: String) { #expect(Self.behindLine(line) == []) }

  @Test("All that is going on is told while it is: bodies of both directions, and sockets.")
  func going() {
    var dialogue = Dialogue(isMidstream: false, DialogueOptions())
    var events: [Event] = []
    let socket = Self.block([
      (":method", "CONNECT"), (":protocol", "websocket"), (":scheme", "http"), (":path", "/ws"), (":authority", "a"),
    ])
    let runs: [Run] =
      Self.opening + [
        (.toServer, Self.request(1, "/a") + Self.request(3, "/b", ends: false, method: "POST") + Self.data(3, "up")),
        (.toServer, Self.request(5, "/c") + Self.frame(1, 4, 7, socket)),
        (.toClient, Self.response(1, 200, type: "text/event-stream") + Self.data(1, "data: x\n\n")),
        (.toClient, Self.response(5, 200) + Self.data(5, "whole", ends: true) + Self.response(3, 200)),
        (.toClient, Self.response(7, 200) + Self.frame(0, 0, 7, [0x81, 2, 0x68, 0x69])),
      ]
    var offsets = BothDirections<UInt64>(repeating: 0)
    for (index, run) in runs.enumerated() {
      let packet = PacketRef(number: UInt64(index + 1), time: Timestamp(nanoseconds: Int64(index) * 1_000_000))
      dialogue.consume(
        CitedBytes(run.bytes.span, at: offsets[run.direction], in: packet, released: packet), run.direction,
        into: &events)
      offsets[run.direction] += UInt64(run.bytes.count)
    }
    let words = { (body: OpenBody) in "\(body.key.stream ?? 0) \(body.kind) \(body.title) \(body.bytes)" }
    #expect(dialogue.openBodies(.toServer, at: .zero).map(words) == ["3 body POST /b 2"])
    #expect(
      dialogue.openBodies(.toClient, at: .zero).map(words) == [
        "1 text/event-stream GET /a 9", "3 text/plain POST /b 0", "7 websocket CONNECT /ws 0",
      ])
  }

  @Test("The same in any segments.")
  func segments() {
    let whole = Self.words(Self.told(Self.interleaved))
    var random = SplitMix64(seed: 3)
    for _ in 0..<2_000 {
      var runs: [Run] = []
      for run in Self.interleaved {
        let cuts = (0..<3).map { _ in Int.random(in: 0...run.bytes.count, using: &random) }.sorted()
        for (from, to) in zip([0] + cuts, cuts + [run.bytes.count]) where to > from {
          runs.append((run.direction, Array(run.bytes[from..<to])))
        }
      }
      #expect(Self.words(Self.told(runs)) == whole)
    }
  }

  @Test("Interim responses, trailers, padding.")
  func parts() {
    let events = Self.told(
      Self.opening + [
        (.toServer, Self.request(1, "/a", ends: false)),
        (.toClient, Self.frame(1, 4, 1, Self.block([(":status", "100")]))),
        (.toServer, Self.frame(0, 9, 1, [2] + Array("body".utf8) + [0, 0])),
        (
          .toClient, Self.response(1, 200) + Self.data(1, "x") + Self.frame(1, 5, 1, Self.block([("grpc-status", "0")]))
        ),
      ])
    #expect(Self.words(events) == ["1 s1 GET /a → 200 up 4 after [100] down 1 trailers"])
  }

  @Test("A reset ends an exchange, and says by whom and why; a refusal says that nothing was done.")
  func resets() {
    let events = Self.told(
      Self.opening + [
        (.toServer, Self.request(1, "/a") + Self.request(3, "/b") + Self.request(5, "/c")),
        (.toClient, Self.response(1, 200) + Self.data(1, "begin")),
        (.toServer, Self.frame(3, 0, 1, [0, 0, 0, 8])),
        (.toClient, Self.frame(3, 0, 3, [0, 0, 0, 7]) + Self.data(1, "late") + Self.response(5, 204, ends: true)),
      ])
    #expect(
      Self.words(events) == [
        "1 s1 GET /a → 200 up 0 down 5 cut reset 8 by client", "2 s3 GET /b → no response up 0 reset 7 by server",
        "3 s5 GET /c → 204 up 0 down 0",
      ])
    let causes = events.compactMap { if case .exchange(let exchange) = $0 { exchange.end.cause } else { nil } }
    #expect(causes == [.reset(code: 8), .refusal(code: 7), .messages])
  }

  @Test("A promise is an exchange that the server began.")
  func push() {
    let events = Self.told(
      Self.opening + [
        (.toServer, Self.request(1, "/a")),
        (
          .toClient,
          Self.frame(5, 4, 1, [0, 0, 0, 2] + Self.block([(":method", "GET"), (":path", "/style")]))
            + Self.response(1, 200, ends: true) + Self.response(2, 200) + Self.data(2, "css", ends: true)
        ),
      ])
    #expect(
      Self.words(events) == ["1 s1 GET /a → 200 up 0 down 0", "2 s2 GET /style → 200 up 0 down 3 pushed"])
  }

  @Test("What is open when the connection ends is told as it stands.")
  func ends() {
    let events = Self.told(
      Self.opening + [
        (.toServer, Self.request(1, "/a") + Self.request(3, "/b")),
        (.toClient, Self.response(1, 200) + Self.data(1, "be")),
      ])
    #expect(
      Self.words(events) == ["1 s1 GET /a → 200 up 0 down 2 cut", "2 s3 GET /b → no response up 0"])
    let causes = events.compactMap { if case .exchange(let exchange) = $0 { exchange.end.cause } else { nil } }
    #expect(causes == [.connection(.fin), .connection(.fin)])
  }

  @Test("In the middle of a connection, whoever is the client, and from any packet on.")
  func middles() {
    let frames = Self.interleaved.dropFirst(3)
    #expect(Self.words(Self.told(Array(frames), isMidstream: true)).contains("1 s1 GET /a → 200 up 0 down 18 2 items"))
    let turned = frames.map { (direction: $0.direction.opposite, bytes: $0.bytes) }
    let words = Self.words(Self.told(turned, isMidstream: true))
    #expect(words.contains { $0.contains("POST /b → 200 up 2 down 6") })
    for start in 1..<Self.interleaved.count {
      let events = Self.told(Array(Self.interleaved[start...]), isMidstream: true)
      #expect(events.filter(\.isFault).isEmpty)
    }
  }

  @Test("After a 101 to Upgrade: h2c, and inside of a tunnel.")
  func successors() {
    let upgrade =
      "GET /a HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: \r\n\r\n"
    let switching = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"
    var events = Self.told([
      (.toServer, Array(upgrade.utf8)), (.toClient, Array(switching.utf8) + Self.settings),
      (.toServer, Self.preface + Self.settings), (.toClient, Self.acknowledged + Self.response(1, 200, ends: true)),
      (.toServer, Self.request(3, "/b")), (.toClient, Self.response(3, 204, ends: true)),
    ])
    #expect(
      Self.words(events) == [
        "1 GET /a → 101 up 0 down 0", "2 s1 GET /a → 200 down 0", "3 s3 GET /b → 204 up 0 down 0",
      ])
    #expect(Self.record(events)?.beginning == .upgrade)
    let connect = "CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n"
    events = Self.told(
      [(.toServer, Array(connect.utf8)), (.toClient, Array("HTTP/1.1 200 OK\r\n\r\n".utf8))] + Self.interleaved)
    #expect(Self.words(events).contains("2 s1 GET /a → 200 up 0 down 18 2 items"))
    #expect(Self.record(events)?.beginning == .prior)
  }

  @Test("A hole in data is counted where its length is known; behind one that hides a header frames are found again.")
  func holes() {
    var dialogue = Dialogue(isMidstream: false, DialogueOptions())
    var events: [Event] = []
    let packet = PacketRef(number: 1, time: .zero)
    func send(_ bytes: [UInt8], at offset: UInt64, _ direction: Direction) {
      dialogue.consume(CitedBytes(bytes.span, at: offset, in: packet, released: packet), direction, into: &events)
    }
    send(Self.preface + Self.settings + Self.request(1, "/a") + Self.request(3, "/b"), at: 0, .toServer)
    let answer = Self.settings + Self.response(1, 200) + Self.frame(0, 1, 1, Array("0123456789".utf8))
    send(Array(answer.dropLast(6)), at: 0, .toClient)
    let end = UInt64(answer.count)
    var gap = SequenceGap(end - 6..<end - 2, .notCaptured, packet)
    gap.isLengthKnown = true
    dialogue.skip(gap, .toClient, into: &events)
    send(Array(answer.suffix(2)), at: end - 2, .toClient)
    dialogue.skip(SequenceGap(end..<end + 50, .notCaptured, packet), .toClient, into: &events)
    let later = Self.data(3, "a") + Self.data(3, "b") + Self.data(3, "c", ends: true)
    send(later, at: end + 50, .toClient)
    dialogue.close(into: &events)
    #expect(Self.words(events).first == "1 s1 GET /a → 200 up 0 down 10")
    #expect(events.filter(\.isFault).isEmpty)
  }

  @Test("A million empty frames, and streams that are opened and reset, take no memory that stays.")
  func floods() throws {
    var runs = Self.opening
    for batch in 0..<50 as Range<UInt32> {
      let streams = (0..<1_000).map { batch * 2_000 + $0 * 2 + 1 } as [UInt32]
      runs.append((.toServer, streams.flatMap { Self.request($0, "/") + Self.frame(3, 0, $0, [0, 0, 0, 8]) }))
    }
    let record = try #require(Self.record(Self.told(runs)))
    #expect(record.opened == 50_000 && record.most == 1)
    #expect(record.resets.map(\.count) == [50_000])
  }
}

extension Event {
  fileprivate var isFault: Bool {
    switch self {
    case .http2Fault, .http2BlockFault: true
    default: false
    }
  }
}
