import Citation
import Testing

@testable import Reports

private func log(_ documents: String...) throws -> DocumentNode {
  try #require(try DocumentFixture.converted(.har, documents.map(DocumentFixture.document))["log"])
}

private func entries(_ documents: String...) throws -> [DocumentNode] {
  try DocumentFixture.converted(.har, documents.map(DocumentFixture.document))["log"]?.elements("entries") ?? []
}

@Suite("HAR")
struct HARTests {
  @Test("Times are exact to the nanosecond, and the handshakes are the first request's.")
  func times() throws {
    let all = try entries(DocumentFixture.capture(DocumentFixture.twoExchanges))
    try #require(all.count == 2)
    #expect(
      all.map { $0.text("startedDateTime") } == ["2024-02-29T23:59:59.999999999Z", "2024-03-01T00:00:01.000000000Z"])
    let keys = ["blocked", "dns", "connect", "ssl", "send", "wait", "receive"]
    let figures = all.map { entry in keys.map { entry["timings"]?[$0]?.figure ?? "nothing" } }
    #expect(figures[0] == ["0.000001", "-1", "52.000000", "30.000000", "1.000000", "100.000001", "47.000001"])
    // Nothing came: it waited until the connection was over, 3 s after its beginning.
    #expect(figures[1] == ["-1", "-1", "-1", "-1", "0.000000", "1999.999999", "0.000000"])
    // The sum without what is unknown, and without TLS, which is inside the connecting.
    #expect(all.map { $0["time"]?.figure } == ["200.000003", "1999.999999"])
  }

  @Test("Request and response have the fields of the format.")
  func messages() throws {
    let all = try entries(DocumentFixture.capture(DocumentFixture.twoExchanges))
    let request = try #require(all[0]["request"])
    #expect(request.text("method") == "POST")
    #expect(request.text("url") == "https://shop.example/buy?item=7&x")
    #expect(request.text("httpVersion") == "HTTP/1.1")
    #expect(
      request.elements("headers").first
        == .object([.init("name", .string("Host")), .init("value", .string("shop.example"))]))
    #expect(
      request.elements("queryString").map { "\($0.text("name") ?? "")=\($0.text("value") ?? "")" } == ["item=7", "x="])
    #expect(request.figures("headersSize", "bodySize") == ["120", "10"])
    #expect(request["postData"]?.text("mimeType") == "text/plain")
    let response = try #require(all[0]["response"])
    #expect(response.figures("status", "headersSize", "bodySize", "_transferSize") == ["302", "210", "40", "250"])
    #expect(response["content"]?.figures("size", "compression") == ["100", "60"])
    #expect(response["content"]?.text("mimeType") == "text/html")
    #expect(response.text("redirectURL") == "/done")
    #expect(all[0].text("serverIPAddress") == "2001:db8::2")
    #expect(all[0].text("connection") == "c-7")
    #expect(
      all[0]["_streamscope"]?["packets"]
        == .object([.init("request", .integers([9, 10])), .init("response", .integers([12, 15]))]))
    #expect(all[0]["_streamscope"]?.elements("interim").first?.figures("tMs", "status") == ["52.500001", "100"])
  }

  @Test("Without a response an entry has the status 0, and says in Chrome's words what became of it.")
  func unanswered() throws {
    let entry = try entries(DocumentFixture.capture(DocumentFixture.twoExchanges))[1]
    let response = try #require(entry["response"])
    #expect(response.figures("status", "headersSize", "bodySize", "_transferSize") == ["0", "-1", "-1", "0"])
    #expect(response["content"]?.text("mimeType") == "x-unknown")
    #expect(response.text("_error") == "net::ERR_ABORTED")
    let reset = DocumentFixture.twoExchanges.replacing(
      #""kind": "fin", "by": "client""#, with: #""kind": "reset", "by": "server""#)
    let second = try entries(DocumentFixture.capture(reset))[1]
    #expect(second["response"]?.text("_error") == "net::ERR_CONNECTION_RESET")
  }

  @Test("Cookies are taken apart only when nothing is redacted.")
  func cookies() throws {
    let redacted = try entries(DocumentFixture.capture(DocumentFixture.twoExchanges))
    #expect(redacted[0]["request"]?["cookies"] == .array([]) && redacted[0]["response"]?["cookies"] == .array([]))
    let open = try entries(DocumentFixture.capture(DocumentFixture.twoExchanges, mode: "none"))
    #expect(open[0]["request"]?.elements("cookies").map { $0.text("value") } == ["1", "2"])
    let cookie = try #require(open[0]["response"]?.elements("cookies").first)
    #expect([cookie.text("name"), cookie.text("path"), cookie.text("sameSite")] == ["s", "/", "Lax"])
    #expect(cookie.flag("secure") && cookie.flag("httpOnly"))
  }

  @Test("A connection that lay idle was opened ahead: its handshakes are nobody's.")
  func openedAhead() throws {
    let late = DocumentFixture.twoExchanges.replacing("\"startNs\": 52000001", with: "\"startNs\": 152000001")
    let entry = try entries(DocumentFixture.capture(late))[0]
    #expect(entry["timings"]?.figures("blocked", "connect", "ssl") == ["-1", "-1", "-1"])
    #expect(entry["_streamscope"]?["openedAheadMs"]?.figure == "100.000001")
    #expect(entry.text("startedDateTime") == "2024-03-01T00:00:00.152000000Z")
  }

  @Test(
    "The address is the one that the client wrote.",
    arguments: [
      ("/a b?q=\"<é>\"", "h.example:81", "n.example", 80, false, "http://h.example:81/a%20b?q=%22%3C%C3%A9%3E%22"),
      ("/?t=[12 B sha256:ab]", "h.example", "", 443, true, "https://h.example/?t=%5B12%20B%20sha256:ab%5D"),
      ("/", "", "n.example", 8080, false, "http://n.example:8080/"),
      ("/", "", "n.example:8080", 8080, false, "http://n.example:8080/"),
      ("/", "", "", 443, true, "https://[2001:db8::2]/"),
      ("/", "", "", 81, false, "http://[2001:db8::2]:81/"),
      ("/", "[::1]:81", "", 81, false, "http://[::1]:81/"),
      ("*", "h.example", "", 80, false, "http://h.example/"),
      ("HTTP://user:pass@p.example/x%2fy%zz#f", "h.example", "", 3128, false, "http://p.example/x%2fy%25zz#f"),
      ("no-slash", "h]\"<script>", "", 80, false, "http://h%5D%22%3Cscript%3E/no-slash"),
    ])
  func addresses(target: String, host: String, name: String, port: Int, isSecure: Bool, expected: String) throws {
    let request = DocumentNode.object([
      .init("method", .string("GET")), .init("target", .string(target)),
      .init("headers", .array([.array([.string("hOsT"), .string(host)])])),
    ])
    let connection = DocumentNode.object([
      .init(
        "server",
        .object([
          .init("ip", .string("2001:db8::2")), .init("port", .integer(Int64(port))), .init("name", .string(name)),
        ]))
    ])
    #expect(HARAddress(request, of: connection, isSocket: false, isAfterTLS: isSecure).text == expected)
  }

  @Test("A tunnel is asked for by its authority.")
  func tunnel() {
    let request = DocumentNode.object([.init("method", .string("CONNECT")), .init("target", .string("o.example:443"))])
    #expect(HARAddress(request, of: .object([]), isSocket: false, isAfterTLS: false).text == "https://o.example:443/")
  }

  // MARK: Items

  static let socket = """
    {"id": 1, "server": {"ip": "10.0.0.2", "port": 80, "name": "ws.example"}, "startNs": 0, "endNs": 9000000000, "midstream": true,
     "end": {"kind": "reset", "by": "server"}, "websocket": {"exchange": 1},
     "exchanges": [{"id": 1, "request": {"method": "GET", "target": "/chat", "version": "1.1", "headers": [], "bodyBytes": 0, "startNs": 1, "endNs": 1},
       "response": {"status": 101, "reason": "Switching Protocols", "version": "1.1", "headers": [], "framing": "tunnel", "bodyBytes": 0,
         "complete": true, "startNs": 1000001, "endNs": 1000001}}],
     "items": {"kinds": ["text", "ping", "binary", "close"], "labels": ["", "1001"], "ns": [2000000, 2000001, 3000000, 4000000, 5000000, 6000000],
       "spanNs": [0, 0, 1500000, 0, 0, 0], "packet": [5, 6, 8, 9, 10, 11], "direction": [0, 1, 1, 0, 0, 1], "kind": [0, 1, 2, 0, 3, 9],
       "exchange": [1, 1, 1, 1, 1, 1], "bytes": [5, 0, 3, 7, 2, 1], "label": [0, 0, 0, 0, 1, 0],
       "preview": ["hello", "", "base64:AQID"]}, "itemsCut": 4}
    """

  @Test("Messages have Chrome's types and opcodes, and times with every digit.")
  func socketMessages() throws {
    let log = try log(DocumentFixture.capture(Self.socket, first: "2026-11-22T00:00:00.000000001Z"))
    let entry = try #require(log.elements("entries").first)
    #expect(entry.text("_resourceType") == "websocket")
    #expect(entry["request"]?.text("url") == "ws://ws.example/chat")
    // It lasts as long as its connection.
    #expect(entry["timings"]?.figures("send", "wait", "receive") == ["0.000000", "1.000000", "8998.999999"])
    let lines = entry.elements("_webSocketMessages").map { message in
      "\(message.text("type") ?? "") \(message["time"]?.figure ?? "") \(message["opcode"]?.figure ?? "") \(message.text("data") ?? "")"
    }
    // The sixth names no kind.
    #expect(
      lines == [
        "send 1795305600.002000001 1 hello", "receive 1795305600.002000002 9 ", "receive 1795305600.003000001 2 AQID",
        "send 1795305600.004000001 1 [7 B]", "send 1795305600.005000001 8 1001",
      ])
    #expect(entry.elements("_webSocketMessages")[2]["_span"]?.figure == "1.500000")
    let comment = try #require(log.text("comment"))
    #expect(comment.contains("Only the length of 1 message is included."))
    #expect(comment.contains("Left out: 4 messages, events and chunks."))
  }

  @Test("The end of a socket that nobody closed is an error among its messages.")
  func socketFailure() throws {
    let cut = Self.socket.replacing(
      #""kinds": ["text", "ping", "binary", "close"]"#, with: #""kinds": ["text", "ping", "binary", "record"]"#)
    let entry = try #require(try entries(DocumentFixture.capture(cut)).first)
    let last = try #require(entry.elements("_webSocketMessages").last)
    #expect(last.text("type") == "error" && last.integer("opcode") == -1)
    #expect(last.text("data") == "Connection closed without a close frame: reset by the server")
  }

  @Test("A socket whose opening is before the capture is an entry, too.")
  func lateSocket() throws {
    let late = """
      {"id": 3, "server": {"ip": "10.0.0.2", "port": 80}, "startNs": 0, "endNs": 5000000, "midstream": true, "end": {"kind": "open"},
       "websocket": {"midstream": true}, "items": {"kinds": ["text"], "labels": [""], "ns": [7], "direction": [1], "kind": [0], "exchange": [0],
       "bytes": [2], "preview": ["hi"]}}
      """
    let all = try entries(DocumentFixture.capture(late))
    try #require(all.count == 1)
    #expect(all[0]["response"]?.integer("status") == 0)
    #expect(all[0].elements("_webSocketMessages").map { $0.text("data") } == ["hi"])
    #expect(all[0].text("comment")?.hasPrefix("The handshake of this WebSocket was before the capture.") == true)
  }

  static func eventStream(_ items: String) -> String {
    """
    {"id": 1, "server": {"ip": "10.0.0.2", "port": 80, "name": "e.example"}, "startNs": 0, "endNs": 9000000, "midstream": true, "end": {"kind": "open"},
     "exchanges": [{"id": 1, "request": {"method": "GET", "target": "/", "version": "1.1", "headers": [], "bodyBytes": 0, "startNs": 1000000, "endNs": 1000000},
       "response": {"status": 200, "reason": "OK", "version": "1.1", "headers": [["Content-Type", "text/event-stream; charset=utf-8"]], "framing": "chunked",
         "bodyBytes": 30, "complete": false, "incomplete": "still open", "startNs": 2000000},
       "stream": {"kind": "sse", "stalls": [{"cause": "server", "direction": "toClient", "ns": 3000000, "durationNs": 2500000, "firstPacket": 4,
         "lastPacket": 6, "confidence": "high"}]},
       "releases": [{"client": "fetch", "ns": 4000000, "bytes": 10}]}]\(items)}
    """
  }

  @Test("Events stand where Chrome looks for them, ticks of chunks and comments beside them.")
  func events() throws {
    let items = """
      , "items": {"kinds": ["event", "chunk", "comment"], "labels": ["", "ping"], "ns": [3000000, 3000000, 3000000, 4000000, 6000001, 6000001],
        "spanNs": [0, 0, 0, 0, 0, 0], "packet": [4, 4, 4, 5, 6, 6], "direction": [1, 1, 1, 1, 1, 1], "kind": [0, 0, 1, 2, 0, 1],
        "exchange": [1, 1, 1, 1, 1, 1], "bytes": [3, 4, 20, 2, 5, 9], "label": [0, 1, 0, 0, 0, 0], "preview": ["one", "four"]}
      """
    let entry = try #require(
      try entries(DocumentFixture.capture(Self.eventStream(items), first: "1970-01-01T00:00:01Z")).first)
    #expect(entry.text("_resourceType") == "eventsource")
    let messages = entry.elements("_eventSourceMessages")
    #expect(messages.map { $0["time"]?.figure } == ["1.003000000", "1.003000000", "1.006000001"])
    #expect(messages.map { $0.text("eventName") } == ["message", "ping", "message"])
    #expect(messages.map { $0.text("eventId") } == ["", "", ""])
    #expect(messages.map { $0.text("data") } == ["one", "four", "[5 B]"])
    let extras = try #require(entry["_streamscope"])
    // Milliseconds since the entry's beginning, bytes, events completed in it.
    #expect(
      extras.elements("chunks").map { $0.elements.map { $0.figure } } == [
        ["2.000000", "20", "2"], ["5.000001", "9", "1"],
      ])
    #expect(extras.elements("comments").map { $0.elements.map { $0.figure } } == [["3.000000", "2"]])
    #expect(extras.elements("stalls").first?.figures("tMs", "ms") == ["2.000000", "2.500000"])
    #expect(extras.elements("releases").first?["tMs"]?.figure == "3.000000")
    // Still open: up to the connection's last packet.
    #expect(entry["timings"]?["receive"]?.figure == "7.000000")
    #expect(entry.text("comment") == "The response is incomplete: still open.")
  }

  @Test("An event stream without events has an empty array, or Chrome would look in the body.")
  func noEvents() throws {
    let entry = try #require(try entries(DocumentFixture.capture(Self.eventStream(""))).first)
    #expect(entry["_eventSourceMessages"] == .array([]))
    let plain = try entries(DocumentFixture.capture(DocumentFixture.twoExchanges))
    #expect(plain.allSatisfy { $0["_eventSourceMessages"] == nil && $0["_webSocketMessages"] == nil })
  }

  @Test("What an older document does not hold is named.")
  func missing() throws {
    for counted in [#""events": {"count": 2}"#, #""lines": {"count": 1}"#] {
      let text = Self.eventStream("").replacing(#""kind": "sse","#, with: #""kind": "sse", \#(counted),"#)
      let old = try DocumentFixture.document(DocumentFixture.capture(text))
      #expect(DocumentFormat.har.missing(in: old).count == 1 && DocumentFormat.trace.missing(in: old).count == 1)
      // A person may have wanted none.
      let none = try DocumentFixture.document(
        DocumentFixture.capture(text.replacing(#"{"id": 1, "server""#, with: #"{"itemsCut": 9, "id": 1, "server""#)))
      #expect(DocumentFormat.har.missing(in: none).isEmpty)
    }
    let socket =
      #"{"id": 1, "websocket": {"exchange": 1, "frames": {"toClient": {"text": 1}}, "messages": {"toClient": {"text": 1}}}}"#
    let message = try DocumentFixture.document(DocumentFixture.capture(socket))
    #expect(DocumentFormat.har.missing(in: message).count == 1)
    let begun = socket.replacing(
      #""messages": {"toClient": {"text": 1}}"#, with: #""messages": {"toClient": {"text": 0}}"#)
    #expect(DocumentFormat.har.missing(in: try DocumentFixture.document(DocumentFixture.capture(begun))).isEmpty)
    let quiet = try DocumentFixture.document(DocumentFixture.capture(Self.eventStream("")))
    #expect(DocumentFormat.har.missing(in: quiet).isEmpty)
    let new = try DocumentFixture.document(DocumentFixture.capture(Self.socket))
    #expect(DocumentFormat.har.missing(in: new).isEmpty)
    let plain = try DocumentFixture.document(DocumentFixture.capture(DocumentFixture.twoExchanges))
    #expect(DocumentFormat.har.missing(in: plain).isEmpty)
  }

  // MARK: Whole archives

  @Test("Findings stand with their exchange, those of none with their capture.")
  func findings() throws {
    let finding =
      #"{"rule": "a/b", "connection": 7, "exchange": 2, "message": "m", "evidence": [{"packet": 4}, {"packet": 4}, {"packet": 2}]}"#
    let loose = #"{"rule": "c/d", "connection": 7, "message": "n", "evidence": []}"#
    let log = try log(DocumentFixture.capture(DocumentFixture.twoExchanges, findings: "\(finding), \(loose)"))
    let all = log.elements("entries")
    #expect(all[0]["_streamscope"]?["findings"] == nil)
    #expect(all[1]["_streamscope"]?.elements("findings").first?["packets"] == .integers([4, 2]))
    #expect(log["_streamscope"]?.elements("captures").first?.elements("findings").map { $0.text("rule") } == ["c/d"])
  }

  @Test("Several captures are one archive in the order of time.")
  func several() throws {
    let early = DocumentFixture.capture(DocumentFixture.twoExchanges, first: "2024-02-29T23:59:59.5Z")
    let all = try entries(DocumentFixture.capture(DocumentFixture.twoExchanges), early)
    #expect(all.map { $0.text("connection") } == ["f2-c-7", "f1-c-7", "f2-c-7", "f1-c-7"])
  }

  @Test("An empty capture is an empty archive, and a cut one says so.")
  func empty() throws {
    let bare = try log(#"{"schema": "streamscope.result/1"}"#)
    #expect(bare["entries"] == .array([]) && bare["pages"] == .array([]))
    #expect(bare["creator"]?.text("version") == "1.2.3")
    let cut = try log(
      #"{"capture": {"file": "x", "complete": false, "problems": ["ends inside packet 3"], "snaplenCut": 2}, "exchangesCut": 5, "connections": []}"#
    )
    let comment = try #require(cut.text("comment"))
    #expect(
      comment.contains(
        "Incomplete: the capture is incomplete; ends inside packet 3; 2 packets cut by the snapshot length."))
    #expect(comment.contains("Left out: 5 exchanges.") && comment.contains("Redacted:"))
    #expect(try #require(try log(#"{"redaction": {"mode": "none"}}"#).text("comment")).contains("NOT redacted"))
  }

  @Test(
    "No value in a wrong place stops the writing, or makes a time negative.",
    arguments: [
      .null, .string("\"<\u{202E}\n\u{1B}"), .integer(-1), .integer(.max), .integer(.min), .number("1e999"),
      .array([.null]), .object([]),
    ] as [DocumentNode])
  func hostile(_ value: DocumentNode) throws {
    let items =
      #", "items": {"kinds": ["event", "chunk"], "labels": [""], "ns": [1, 2], "direction": [1, 1], "kind": [0, 1], "exchange": [1, 1], "bytes": [3, 4], "label": [0, 0], "preview": ["a"]}"#
    let text = DocumentFixture.capture(
      [DocumentFixture.twoExchanges, Self.socket, Self.eventStream(items)].joined(separator: ","),
      findings: #"{"rule": "a/b", "connection": 1, "exchange": 1, "evidence": [{"packet": 1}]}"#)
    let variants = try DocumentFixture.document(text).replaced(by: value)
    #expect(variants.count > 200)
    for variant in variants {
      let text = try DocumentFixture.text(.har, [variant])
      let all = try DocumentParser.parse(Array(text.utf8))["log"]?.elements("entries") ?? []
      for entry in all {
        #expect(entry["time"]?.double ?? -1 >= 0)
        for key in ["send", "wait", "receive"] { #expect(entry["timings"]?[key]?.double ?? -1 >= 0) }
      }
      #expect(!text.unicodeScalars.contains { isForbidden($0) && $0 != "\n" })
    }
  }
}
