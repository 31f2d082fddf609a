import Testing

@testable import Reports

private func events(_ documents: String...) throws -> [DocumentNode] {
  try DocumentFixture.converted(.trace, documents.map(DocumentFixture.document)).elements("traceEvents")
}

/// What breaks the rules of viewers: order, negative times, slices that overlap on a track, arrows without an end.
private func breaches(_ events: [DocumentNode]) -> [String] {
  var wrong: [String] = []
  var open: [Int64: [Double]] = [:]
  var last = 0.0
  var arrows: [Int64: Int] = [:]
  for event in events {
    let name = event.text("name") ?? "?"
    let start = event["ts"]?.double ?? -1
    if start < 0 { wrong.append("\(name) begins at \(start)") }
    if start < last { wrong.append("\(name) is out of order") }
    last = start
    let track = event.integer("tid") ?? -1
    switch event.text("ph") {
    case "X":
      let duration = event["dur"]?.double ?? -1
      if duration < 0 { wrong.append("\(name) lasts \(duration)") }
      var ends = open[track, default: []]
      while let end = ends.last, end <= start { ends.removeLast() }
      // Thousandths of a microsecond, which a double of this size may not hold.
      if let end = ends.last, start + duration > end + 0.002 {
        wrong.append("\(name) ends outside of what it began in")
      }
      open[track] = ends + [start + duration]
    case "s": arrows[event.integer("id") ?? 0, default: 0] += 1
    case "f": arrows[event.integer("id") ?? 0, default: 0] -= 1
    case "i", "M": break
    default: wrong.append("\(name) is of no known phase")
    }
  }
  if arrows.values.contains(where: { $0 != 0 }) { wrong.append("an arrow has one end") }
  return wrong
}

@Suite("Trace events")
struct TraceEventTests {
  @Test("A connection, its handshakes and its exchanges are slices.")
  func slices() throws {
    let all = try events(DocumentFixture.capture(DocumentFixture.twoExchanges))
    #expect(breaches(all) == [])
    let slices = all.filter { $0.text("ph") == "X" }.map { event in
      "\(event.integer("tid") ?? 0) \(event.text("name") ?? "") \(event["ts"]?.figure ?? "") \(event["dur"]?.figure ?? "")"
    }
    #expect(
      slices == [
        "2 connection 7 0.000 3000000.000", "2 TCP handshake 0.000 21000.000", "2 TLS handshake 22000.000 30000.000",
        "3 POST /buy?item=7&x 52000.001 148000.002", "3 request 52000.001 1000.000", "3 wait 53000.001 100000.001",
        "3 receive 153000.002 47000.001", "3 GET /again 1000000.001 1999999.999", "3 request 1000000.001 0.000",
        "3 wait, no response 1000000.001 1999999.999",
      ])
    let names = all.filter { $0.text("name") == "thread_name" || $0.text("name") == "process_name" }
    #expect(names.map { $0["args"]?.text("name") } == ["shop.example:443", "c7 connection", "c7 exchanges"])
  }

  @Test("Exchanges that overlap get tracks of their own.")
  func pipelined() throws {
    let pipelined = DocumentFixture.twoExchanges.replacing("1000000001", with: "60000000")
    let all = try events(DocumentFixture.capture(pipelined))
    #expect(breaches(all) == [])
    #expect(
      all.filter { $0.text("name") == "thread_name" }.map { $0["args"]?.text("name") } == [
        "c7 connection", "c7 exchanges", "c7 exchanges (2)",
      ])
  }

  @Test("Items and findings are instants; silence and holds are slices on tracks of their own.")
  func instants() throws {
    let items =
      #", "items": {"kinds": ["event", "chunk"], "labels": ["", "tick"], "ns": [3000000, 3500000], "direction": [1, 1], "kind": [0, 1], "exchange": [1, 1], "bytes": [3, 4], "label": [1, 0], "packet": [4, 5]}"#
    let finding =
      #"{"rule": "a/b", "connection": 1, "exchange": 1, "message": "m", "evidence": [{"packet": 5, "ns": 3500000}]}, {"rule": "c/d", "evidence": []}"#
    let all = try events(DocumentFixture.capture(HARTests.eventStream(items), findings: finding))
    #expect(breaches(all) == [])
    let instants = all.filter { $0.text("ph") == "i" }
    #expect(instants.map { $0.text("name") } == ["c/d", "event tick", "chunk", "a/b"])
    #expect(instants.map { $0["ts"]?.figure } == ["0.000", "3000.000", "3500.000", "3500.000"])
    #expect(instants[1]["args"]?.figures("bytes", "packet") == ["3", "4"])
    let names = all.filter { $0.text("name") == "thread_name" }.map { $0["args"]?.text("name") }
    #expect(names == ["c1 connection", "c1 exchanges", "c1 held by fetch", "c1 silence of the server", "findings"])
    let silence = try #require(all.first { $0.text("cat") == "stall" })
    #expect(silence.figures("ts", "dur") == ["3000.000", "2500.000"] && silence.text("name") == "silent: server")
    let hold = try #require(all.first { $0.text("cat") == "hold" })
    #expect(hold.figures("ts", "dur") == ["2000.000", "2000.000"])
  }

  @Test("An arrow joins both sides of a proxy.")
  func hops() throws {
    let connections = """
      {"id": 1, "server": {"ip": "10.0.0.2", "port": 80}, "startNs": 1000, "endNs": 9000}, \
      {"id": 2, "server": {"ip": "10.0.0.3", "port": 81}, "startNs": 2000, "endNs": 8000, "hopOf": 1}
      """
    let all = try events(DocumentFixture.capture(connections))
    #expect(breaches(all) == [])
    let arrows = all.filter { $0.text("cat") == "hop" }
    #expect(arrows.map { $0.text("ph") } == ["s", "f"] && arrows.map { $0["ts"]?.figure } == ["1.000", "2.000"])
    #expect(arrows[0].integer("tid") != arrows[1].integer("tid"))
  }

  @Test("More instants than a viewer draws are counted.")
  func limit() throws {
    var story = TraceStory(instantLimit: 2)
    var reading = DocumentReading(try DocumentFixture.document(DocumentFixture.capture(HARTests.socket)))
    story.add(&reading, offset: 0, isOneOfSeveral: false)
    #expect(story.instantsCut == 3 && story.itemsCut == 4)
  }

  @Test("Captures stand beside each other as their clocks do.")
  func several() throws {
    let late = DocumentFixture.capture(DocumentFixture.twoExchanges, first: "2024-03-01T00:00:00.999999999Z")
    let all = try events(late, DocumentFixture.capture(DocumentFixture.twoExchanges))
    #expect(breaches(all) == [])
    #expect(all.filter { $0.text("cat") == "connection" }.map { $0["ts"]?.figure } == ["0.000", "1000000.000"])
  }

  @Test("An empty document is an empty trace.")
  func empty() throws {
    let trace = try DocumentFixture.converted(.trace, #"{"schema": "streamscope.result/1"}"#)
    #expect(trace["traceEvents"] == .array([]))
    #expect(trace.text("displayTimeUnit") == "ms")
  }

  @Test(
    "No value in a wrong place stops the writing, or breaks what viewers want.",
    arguments: [
      .null, .string("\"<\u{202E}\n\u{1B}"), .integer(-1), .integer(1 << 60), .integer(.max), .integer(.min),
      .object([]),
    ] as [DocumentNode])
  func hostile(_ value: DocumentNode) throws {
    let items =
      #", "items": {"kinds": ["event"], "labels": [""], "ns": [1, 2], "direction": [1, 1], "kind": [0, 0], "exchange": [1, 1], "bytes": [3, 4], "label": [0, 0]}"#
    let text = DocumentFixture.capture(
      [DocumentFixture.twoExchanges, HARTests.socket, HARTests.eventStream(items)].joined(separator: ","),
      findings: #"{"rule": "a/b", "connection": 1, "exchange": 1, "evidence": [{"packet": 1, "ns": 5}]}"#)
    for variant in try DocumentFixture.document(text).replaced(by: value) {
      let text = try DocumentFixture.text(.trace, [variant])
      #expect(!text.unicodeScalars.contains { isForbidden($0) && $0 != "\n" })
      let all = try DocumentParser.parse(Array(text.utf8)).elements("traceEvents")
      #expect(breaches(all) == [])
    }
  }
}
