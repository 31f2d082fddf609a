import Events

/// All rows of the family.
enum SSERows {
  static let rows: [RuleRow] =
    EventLineRows.rows + EventHeadRows.rows + EventEndRows.rows + EventPaceRows.rows + EventCaptureRows.rows

  static let accept = #"Accept: text/event-stream\r\n"#
  static let head = #"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\n"#
  /// As a browser's EventSource asks.
  static let browsers = #"Accept: text/event-stream\r\nCache-Control: no-cache\r\nUser-Agent: Mozilla/5.0\r\n"#
  /// Its end is the connection's.
  static let stream = head + #"\r\n"#
  static let chunked = head + #"Transfer-Encoding: chunked\r\n\r\n"#

  /// A request for events, marked ①, and what follows it; `line` by `line`.
  static func get(_ lines: String..., fields: String = accept, method: String = "GET") -> String {
    handshake + #"> "\#(method) /events HTTP/1.1\r\nHost: h.example\r\n\#(fields)\r\n" ①"# + "\n"
      + lines.joined(separator: "\n") + "\n"
  }
}

/// What stands in the lines.
enum EventLineRows {
  private typealias S = SSERows

  static let rows: [RuleRow] = [
    .fires(
      "sse/extra-bom", "The second event begins with a mark.",
      S.get(#"< "\#(S.stream)data: a\n\n""#, #"< x"efbbbf" "data: b\n\n" ②"#, "< FIN"), at: [2], .toClient,
      cost: .lost(bytes: 10), says: "1 line with EF BB BF"),
    .silent(
      "sse/extra-bom", "One mark at the very beginning.",
      S.get(#"< "\#(S.stream)""#, #"< x"efbb""#, #"< x"bf" "data: b\n\n""#, "< FIN")),
    .fires(
      "sse/event-split-by-newline", "Indented JSON behind one data field.",
      S.get(#"< "\#(S.stream)data: {\n  \"a\": 1\n}\n\n" ②"#, "< FIN"), at: [2], .toClient, cost: .lost(bytes: 9),
      count: 2, says: "2 lines of an event's data without data:"),
    .silent(
      "sse/event-split-by-newline", "Every line has its field.",
      S.get(#"< "\#(S.stream)data: {\ndata:   \"a\": 1\ndata: }\n\n""#, "< FIN")),
    .silent(
      "sse/event-split-by-newline", "A field in capitals is another fault.",
      S.get(#"< "\#(S.stream)data: a\nEvent: x\n\n""#, "< FIN")),
    .fires(
      "sse/unknown-field", "Data in capitals.", S.get(#"< "\#(S.stream)Data: a\n\nDATA: b\n\n" ②"#, "< FIN"), at: [2],
      .toClient, count: 2),
    .silent(
      "sse/unknown-field", "The four fields, and a comment.",
      S.get(#"< "\#(S.stream)id: 1\nevent: x\nretry: 1000\ndata: a\n\n: c\n\n""#, "< FIN")),
    .fires(
      "sse/id-nul", "A C string with its end.",
      S.get(#"< "\#(S.stream)id: 7" x"00" "\ndata: a\n\n" ②"#, "< FIN"), at: [2], .toClient),
    .silent("sse/id-nul", "A zero that is a digit.", S.get(#"< "\#(S.stream)id: 70\ndata: a\n\n""#, "< FIN")),
    .fires(
      "sse/retry-invalid", "Seconds with their unit.", S.get(#"< "\#(S.stream)retry: 3s\n\n" ②"#, "< FIN"), at: [2],
      .toClient, says: "not digits alone"),
    .fires(
      "sse/retry-invalid", "Ten milliseconds.", S.get(#"< "\#(S.stream)retry: 10\n\n" ②"#, "< FIN"), at: [2],
      .toClient, severity: .note, says: "after 10 ms"),
    .fires(
      "sse/error-event", "The database is gone behind the first event.",
      S.get(#"< "\#(S.stream)data: a\n\n""#, #"< "event: error\ndata: x\n\n" ②"#, "< FIN"), at: [2], .toClient,
      cost: .failed(.exchange), says: "reports an error by an event"),
    .silent(
      "sse/error-event", "An event of another name that speaks of errors.",
      S.get(#"< "\#(S.stream)event: errors\ndata: error\n\n""#, "< FIN")),
    .silent("sse/retry-invalid", "Three seconds.", S.get(#"< "\#(S.stream)retry: 3000\n\n""#, "< FIN")),
  ]
}

/// What heads say.
enum EventHeadRows {
  private typealias S = SSERows
  private static let latin =
    #"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=iso-8859-1\r\nCache-Control: no-cache\r\n\r\n"#
  private static let plain = #"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n"#
  private static let empty = #"Content-Length: 0\r\n\r\n"#

  static let rows: [RuleRow] = [
    .fires(
      "sse/bad-charset", "Latin-1, and it says so.",
      S.get(#"< "\#(latin)data: a\n\n" ②"#, #"< "data: caf" x"e9" "\n\n" ③"#, "< FIN"), at: [2, 3], .toClient,
      says: "is declared as iso-8859-1, and has 1 byte"),
    .fires(
      "sse/bad-charset", "Latin-1, and it does not.",
      S.get(#"< "\#(S.stream)data: caf" x"e9" "\n\n" ②"#, "< FIN"), at: [2], .toClient),
    .silent(
      "sse/bad-charset", "A character in two packets.",
      S.get(#"< "\#(S.stream)data: caf" x"c3""#, #"< x"a9" "\n\n""#, "< FIN")),
    .fires(
      "sse/content-length", "A stream of nine bytes.",
      S.get(#"< "\#(S.head)Content-Length: 9\r\n\r\ndata: a\n\n" ②"#), at: [2], .toClient,
      says: "ends after 9 B, and was collected before it was sent."),
    .fires(
      "sse/content-length", "A stream of eighteen bytes, event by event.",
      S.get(#"< "\#(S.head)Content-Length: 18\r\n\r\ndata: a\n\n" ②"#, "+1s", #"< "data: b\n\n""#), at: [2], .toClient,
      says: "ends after 18 B."),
    .silent("sse/content-length", "Chunks.", S.get(#"< "\#(S.chunked)9\r\ndata: a\n\n\r\n0\r\n\r\n""#)),
    .fires(
      "sse/wrong-content-type", "The page hangs up at once.",
      S.get(#"< "\#(plain)9\r\ndata: a\n\n\r\n" ②"#, "> FIN", "< RST"), at: [1, 2, 2], .toClient,
      cost: .failed(.exchange), says: "its type is text/plain; the client closed"),
    .fires(
      "sse/wrong-content-type", "A client that takes it all the same.",
      S.get(#"< "\#(plain)9\r\ndata: a\n\n\r\n" ②"#, #"< "0\r\n\r\n""#), at: [1, 2, 2], .toClient),
    .fires(
      "sse/wrong-content-type", "A browser's EventSource, which reads a short stream to its end before it gives up.",
      S.get(
        #"< "\#(plain)9\r\ndata: a\n\n\r\n" ②"#, #"< "0\r\n\r\n""#,
        fields: SSERows.browsers),
      at: [1, 2, 2],
      .toClient, cost: .failed(.exchange)),
    .silent(
      "sse/wrong-content-type", "Nobody asked for events.",
      S.get(#"< "\#(plain)9\r\ndata: a\n\n\r\n0\r\n\r\n""#, fields: "")),
    .silent(
      "sse/wrong-content-type", "A text that is none.",
      S.get(#"< "\#(plain)9\r\ndatabase\n\r\n0\r\n\r\n""#)),
    .fires(
      "sse/not-a-stream", "The page of the application, which a server sends for any path.",
      S.get(
        #"< "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>" ②"#,
        fields: SSERows.browsers),
      at: [1, 2], .toClient, cost: .failed(.exchange), says: "was answered with text/html: it stops for good"),
    .fires(
      "sse/not-a-stream", "A response without a type.",
      S.get(#"< "HTTP/1.1 200 OK\r\n\#(empty)" ②"#, fields: SSERows.browsers),
      at: [1, 2], .toClient, cost: .failed(.exchange), says: "a response without a type"),
    .silent(
      "sse/not-a-stream", "A script may read it by itself.",
      S.get(#"< "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>""#)),
    .silent(
      "sse/not-a-stream", "A stream in which nothing came.",
      S.get(
        #"< "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 0\r\n\r\n""#,
        fields: SSERows.browsers)),
    .silent(
      "sse/not-a-stream", "A refusal is another rule's.",
      S.get(#"< "HTTP/1.1 404 Not Found\r\n\#(empty)""#, fields: SSERows.browsers)),
    .fires(
      "sse/status-stops", "A restart.",
      S.get(
        #"< "HTTP/1.1 503 Service Unavailable\r\n\#(empty)" ②"#, fields: S.accept + #"User-Agent: Mozilla/5.0\r\n"#),
      at: [1, 2], .toClient, confidence: .high, cost: .failed(.exchange)),
    .fires(
      "sse/status-stops", "The same of a client that may ask again.",
      S.get(#"< "HTTP/1.1 503 Service Unavailable\r\n\#(empty)" ②"#), at: [1, 2], .toClient, severity: .note,
      confidence: .medium),
    .fires(
      "sse/status-stops", "Nothing more to come.", S.get(#"< "HTTP/1.1 204 No Content\r\n\r\n" ②"#), at: [1, 2],
      .toClient, confidence: .medium),
    .silent(
      "sse/status-stops", "A redirect is followed.",
      S.get(#"< "HTTP/1.1 307 Temporary Redirect\r\nLocation: /x\r\n\#(empty)""#)),
    .silent(
      "sse/status-stops", "EventSource does not post.",
      S.get(
        #"< "HTTP/1.1 503 Service Unavailable\r\n\#(empty)""#, fields: S.accept + #"Content-Length: 0\r\n"#,
        method: "POST")),
  ]
}

/// How events end.
enum EventEndRows {
  private typealias S = SSERows
  private static let rule: RuleID = "sse/no-blank-line"

  static let rows: [RuleRow] = [
    .fires(
      rule, "The stream ends without one.",
      S.get(#"< "\#(S.chunked)8\r\ndata: a\n\r\n" ②"#, #"< "0\r\n\r\n" ③"#), at: [2, 3], .toClient,
      cost: .lost(bytes: 8), says: "no event at all"),
    .fires(
      rule, "It comes three seconds late.", S.get(#"< "\#(S.stream)data: a\n" ②"#, "+3s", #"< "\n" ③"#, "< FIN"),
      at: [2, 3], .toClient, cost: .delay(nanoseconds: 3_001_000_000)),
    .fires(
      rule, "The client gives up waiting.",
      S.get(#"< "\#(S.chunked)8\r\ndata: a\n\r\n" ②"#, "+5s", "> RST ③"), at: [2, 3], .toClient, cost: .lost(bytes: 8),
      says: "5.001 s"),
    .silent(rule, "Each has its own.", S.get(#"< "\#(S.stream)data: a\n\n""#, "+3s", #"< "data: b\n\n""#, "< FIN")),
    .silent(
      rule, "One of six is cut before its empty line by a buffer that is full, and comes with the next.",
      S.get(
        (0..<5).map { _ in "+30ms\n" + #"< "data: a\n\n""# }.joined(separator: "\n").replacing(
          "+30ms\n< \"data: a", with: #"< "\#(S.stream)data: a"#, maxReplacements: 1), #"< "data: b\n""#, "+3s",
        #"< "\ndata: c\n\n""#, "< FIN")),
    .fires(
      rule, "The only event's comes with the next event.",
      S.get(#"< "\#(S.stream)data: a\n" ②"#, "+3s", #"< "\ndata: b\n\n" ③"#, "< FIN"), at: [2, 3], .toClient,
      cost: .delay(nanoseconds: 3_001_000_000)),
    .silent(
      rule, "Cut in the middle of a line.",
      S.get(#"< "\#(S.chunked)6\r\ndata: \r\n""#, "+5s", "> RST")),
    .silent(rule, "A comment at the end needs none.", S.get(#"< "\#(S.stream)data: a\n\n: bye""#, "< FIN")),
  ]
}

/// When events come.
enum EventPaceRows {
  private typealias S = SSERows

  static let rows: [RuleRow] = [
    .fires(
      "sse/no-keepalive", "Half a minute and more.",
      S.get(#"< "\#(S.stream)data: a\n\n" ②"#, "+31s", #"< "data: b\n\n" ③"#, "< FIN"), at: [2, 3], .toClient,
      says: "silent for 31.001 s"),
    .fires(
      "sse/no-keepalive", "A proxy cuts it.",
      S.get(#"< "\#(S.chunked)9\r\ndata: a\n\n\r\n" ②"#, "+60s", "< FIN ③", "> FIN"), at: [2, 3], .toClient,
      cost: .failed(.exchange), says: "and was then cut"),
    .silent(
      "sse/no-keepalive", "The client leaves, and its FIN is answered by a reset.",
      S.get(#"< "\#(S.chunked)9\r\ndata: a\n\n\r\n""#, "+60s", "> FIN", "< RST")),
    .silent(
      "sse/no-keepalive", "A comment every 20 s.",
      S.get(#"< "\#(S.stream)data: a\n\n""#, "+20s", #"< ":\n\n""#, "+20s", #"< "data: b\n\n""#, "< FIN")),
    .fires(
      "sse/buffered", "Three events at once after five seconds, from nginx.",
      S.get(
        "+5s", #"< "HTTP/1.1 200 OK\r\nServer: nginx\r\nContent-Type: text/event-stream\r\n\r\n" ②"#,
        #"< "data: a\n\ndata: b\n\ndata: c\n\n" ③"#, "< FIN"), at: [1, 2, 3, 3], .toClient,
      confidence: .low, cost: .delay(nanoseconds: 5_002_000_000), says: "likely nginx"),
    .fires(
      "sse/buffered", "The head was there long before.",
      S.get(#"< "\#(S.stream)""#, "+5s", #"< "data: a\n\ndata: b\n\n" ②"#, "< FIN"), at: [1, 2, 2], .toClient,
      cost: .delay(nanoseconds: 5_002_000_000), says: "long after the head"),
    .fires(
      "sse/buffered", "Fifteen events in one packet after three seconds.",
      S.get(
        "+3s", #"< "\#(S.stream)\#(String(repeating: #"data: a\n\n"#, count: 15))" ②"#, "< FIN"), at: [1, 2, 2],
      .toClient, confidence: .medium, cost: .delay(nanoseconds: 3_001_000_000), says: "15 events came in one packet"),
    .fires(
      "sse/buffered", "Six events in one packet after a second: perhaps computed for a second.",
      S.get(
        "+1s", #"< "\#(S.stream)\#(String(repeating: #"data: a\n\n"#, count: 6))" ②"#, "< FIN"), at: [1, 2, 2],
      .toClient, confidence: .low, cost: .delay(nanoseconds: 1_001_000_000), says: "6 events came in one packet"),
    .silent(
      "sse/buffered", "Fifteen events after half a second.",
      S.get("+500ms", #"< "\#(S.stream)\#(String(repeating: #"data: a\n\n"#, count: 15))""#, "< FIN")),
    .silent(
      "sse/buffered", "A model that begins late, and then writes a token each 31 ms.",
      S.get(
        "+5s", #"< "\#(S.stream)data: a\n\n""#,
        (0..<9).map { _ in "+30ms\n" + #"< "data: a\n\n""# }.joined(separator: "\n"), "< FIN")),
    .silent(
      "sse/buffered", "A single event may take its time.",
      S.get("+5s", #"< "\#(S.stream)data: a\n\n""#, "< FIN")),
    .silent(
      "sse/buffered", "Two seconds are no proof.",
      S.get("+2s", #"< "\#(S.stream)data: a\n\ndata: b\n\n""#, "< FIN")),
    .silent(
      "sse/buffered", "A slow start, and then one by one.",
      S.get(
        "+5s", #"< "\#(S.stream)data: a\n\n""#, "+200ms", #"< "data: b\n\n""#, "+200ms", #"< "data: c\n\n""#, "< FIN")),
    .silent(
      "sse/buffered", "The stream goes on after the first events.",
      S.get("+5s", #"< "\#(S.chunked)12\r\ndata: a\n\ndata: b\n\n\r\n""#, "+5s", #"< "0\r\n\r\n""#)),
  ]
}

/// What several streams show together.
enum EventCaptureRows {
  private typealias S = SSERows

  private static func first(_ lines: String...) -> String {
    "== 10.0.0.1:40000 10.0.0.2:80\n" + handshake
      + #"> "GET /events HTTP/1.1\r\nHost: h.example\r\n\#(S.accept)\r\n""# + "\n" + lines.joined(separator: "\n")
      + "\n"
  }

  private static func second(_ fields: String = "", after: String) -> String {
    "== 10.0.0.1:40001 10.0.0.2:80 +\(after)\n" + handshake
      + #"> "GET /events HTTP/1.1\r\nHost: h.example\r\n\#(S.accept)\#(fields)\r\n" ③"# + "\n"
      + #"< "\#(S.stream)data: b\n\n""# + "\n< FIN\n> FIN\n"
  }

  private static let identified = #"< "\#(S.stream)id: 7\ndata: a\n\n" ①"#

  private static func visits(_ count: Int, every pause: String) -> String {
    handshake
      + (1...count).map { number in
        let marker = ["①", "②", "③", "④", "⑤", "⑥"][number - 1]
        return #"> "GET /events HTTP/1.1\r\nHost: h.example\r\n\#(S.accept)\r\n" \#(marker)"# + "\n"
          + #"< "\#(S.chunked)3\r\n:\n\n\r\n0\r\n\r\n""# + "\n+\(pause)\n"
      }.joined()
  }

  private static func tabs(_ count: Int, agent: String = "Mozilla/5.0 Gecko/20100101 Firefox/140.0", ends: String = "")
    -> String
  {
    (1...count).map { number in
      let marker = ["①", "②", "③", "④", "⑤", "⑥"][number - 1]
      return "== 10.0.0.1:\(40000 + number) 10.0.0.2:80 +\(number)s\n" + handshake
        + #"> "GET /events/\#(number) HTTP/1.1\r\nHost: h.example\r\nUser-Agent: \#(agent)\r\n\#(S.accept)\r\n" \#(marker)"#
        + "\n" + #"< "\#(S.chunked)3\r\n:\n\n\r\n""# + "\n" + (ends.isEmpty ? "+20s\n> ACK\n" : ends + "\n")
    }.joined()
  }

  static let rows: [RuleRow] = [
    .fires(
      "sse/reconnect-no-last-event-id", "The client comes back and does not say what it had.",
      first(identified, "< FIN ②", "> FIN") + second(after: "3s"), at: [1, 2, 3], .toServer,
      says: "without Last-Event-ID"),
    .silent(
      "sse/reconnect-no-last-event-id", "It says it.",
      first(identified, "< FIN", "> FIN") + second(#"Last-Event-ID: 7\r\n"#, after: "3s")),
    .silent(
      "sse/reconnect-no-last-event-id", "There were no ids.",
      first(#"< "\#(S.stream)data: a\n\n""#, "< FIN", "> FIN") + second(after: "3s")),
    .silent(
      "sse/reconnect-no-last-event-id", "The client had left by itself.",
      first(#"< "\#(S.chunked)10\r\nid: 7\ndata: a\n\n\r\n""#, "> FIN", "< RST") + second(after: "3s")),
    .fires(
      "sse/reconnect-storm", "Six streams in a quarter of a minute.", visits(6, every: "3s"), at: [1, 2, 3, 4, 5, 6],
      .toServer, count: 5, says: "6 times"),
    .silent("sse/reconnect-storm", "Five.", visits(5, every: "3s")),
    .silent("sse/reconnect-storm", "One every quarter of a minute.", visits(6, every: "15s")),
    .fires(
      "sse/six-connections", "Six tabs.", tabs(6), at: [1, 2, 3, 4, 5, 6], .toServer, says: "6 event streams"),
    .silent("sse/six-connections", "Five tabs.", tabs(5)),
    .silent("sse/six-connections", "Six, one after the other.", tabs(6, ends: #"< "0\r\n\r\n""#)),
    .silent(
      "sse/six-connections", "Each ends with its connection, and without a last chunk.", tabs(6, ends: "< FIN\n> FIN")),
    .silent("sse/six-connections", "A program is free to open more.", tabs(6, agent: "okhttp/4.9")),
  ]
}
