import Events

enum HopJoinedRows {
  private static let rule: RuleID = "proxy/hop-joined"

  /// A client asks a proxy, and the proxy asks an origin; the responses are the two arguments.
  private static func hops(
    _ outer: String, _ inner: String, proxy: String = "10.0.0.2", client: String = "/s HTTP/1.1\\r\\nHost: a",
    target: String = "/s", asked: String = "Host: a"
  ) -> String {
    """
    == 10.0.0.1:40000 10.0.0.2:80
    \(handshake)> "GET \(client)\\r\\n\\r\\n" ①
    \(outer)
    == \(proxy):50000 10.0.0.3:9000 +10ms
    \(handshake)> "GET \(target) HTTP/1.1\\r\\n\(asked)\\r\\n\\r\\n" ②
    \(inner)
    """
  }

  private static let head = named("nginx")

  private static func named(_ server: String) -> String {
    "HTTP/1.1 200 OK\\r\\nServer: \(server)\\r\\nContent-Length: 9\\r\\n\\r\\n"
  }

  /// A body in eighty pieces.
  private static let many =
    "< \"HTTP/1.1 200 OK\\r\\nServer: nginx\\r\\nContent-Length: 240\\r\\n\\r\\n\"\n"
    + String(repeating: "+20ms\n< \"one\"\n", count: 80)

  private static let paced = """
    +10ms
    < "\(head)one"
    +600ms
    < "two"
    +600ms
    < "six"
    """

  /// An upload through a proxy; `fields` go to the proxy, and `passed` to the origin.
  private static func asking(_ fields: String, _ interim: String, passed: String = "") -> String {
    """
    == 10.0.0.1:40000 10.0.0.2:80
    \(handshake)> "PUT /up HTTP/1.1\\r\\nHost: a\\r\\nContent-Length: 2\\r\\n\(fields)\\r\\n" ①
    +20ms
    \(interim)> "hi"
    +60ms
    < "HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok" ④
    == 10.0.0.2:50000 10.0.0.3:9000 +30ms
    \(handshake)> "PUT /up HTTP/1.1\\r\\nHost: a\\r\\nContent-Length: 2\\r\\n\(passed)\\r\\n" ③
    > "hi"
    +10ms
    < "HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok"
    """
  }

  private static let chunked = "HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n3\\r\\none\\r\\n"

  /// The client's response ends as it should, or not; and so does the origin's, before.
  private static func ends(_ outer: String, _ inner: String) -> String {
    hops("+30ms\n< \"\(chunked)\"\n+3s\n\(outer)\n", "+10ms\n< \"\(chunked)\"\n+2990ms\n\(inner)\n")
  }

  /// The first piece comes through, and then nothing more.
  private static func cut(
    _ outer: String, _ inner: String, after pause: String = "3s", _ own: String = "2990ms",
    inner begun: String = chunked
  ) -> String {
    hops("+30ms\n< \"\(chunked)\"\n+\(pause)\n\(outer)", "+10ms\n< \"\(begun)\" ③\n+\(own)\n\(inner)")
  }

  /// Four seconds after it another one comes through.
  private static func cutLater(_ last: String, _ origins: String, _ clients: String) -> String {
    let begun = "< \"\(chunked)\"\n+4s\n< \"3\\r\\ntwo\\r\\n\""
    return hops(
      "+30ms\n\(begun)\n+3s\n< FIN \(clients)\n> FIN\n", "+10ms\n\(begun) \(last)\n+2990ms\n> FIN \(origins)\n< FIN\n")
  }

  private static func signed(_ field: String) -> String {
    chunked.replacing("200 OK\\r\\n", with: "200 OK\\r\\n\(field)\\r\\n")
  }

  /// A body of three bytes that ends with the connection.
  private static let closing = "HTTP/1.1 200 OK\\r\\n\\r\\none"

  private static let answer =
    "HTTP/1.1 200 OK\\r\\nContent-Type: text/event-stream\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n"
  private static let delta = chunk("data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n")
  private static let failure = chunk("data: {\"error\":{\"message\":\"gone\",\"type\":\"server_error\"}}\n\n")

  private static func chunk(_ text: String) -> String {
    let written = text.replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    return "\(String(text.utf8.count, radix: 16))\\r\\n\(written)\\r\\n"
  }

  private static let lastChunk = "< \"0\\r\\n\\r\\n\""

  static let rows: [RuleRow] = [
    .fires(
      "proxy/truncation-hidden", "The proxy waits three seconds for more, and then ends the response.",
      ends(lastChunk + " ④", "> FIN ③\n< FIN"), at: [3, 4], .toClient, cost: .failed(.exchange),
      says: "the proxy on 10.0.0.2:80 gave up the origin's response after 3 B, 2.991 s after the last of them"),
    .fires(
      "proxy/truncation-hidden", "The origin breaks off.", ends(lastChunk + " ④", "< RST ③"), at: [3, 4], .toClient,
      cost: .failed(.exchange), says: "the origin's response broke off after 3 B"),
    .silent(
      "proxy/truncation-hidden", "The client has left, and is told what it does not read.",
      hops(
        "+30ms\n< \"\(chunked)\"\n+3s\n> FIN\n+10ms\n\(lastChunk)\n> RST\n",
        "+10ms\n< \"\(chunked)\"\n+3015ms\n> FIN\n< FIN\n")),
    .silent(
      "proxy/truncation-hidden", "The proxy says in the stream what happened.",
      hops(
        "+30ms\n< \"\(answer)\(delta)\"\n+3s\n< \"\(failure)\"\n\(lastChunk)\n",
        "+10ms\n< \"\(answer)\(delta)\(delta)\(delta)\"\n+2990ms\n< RST\n",
        client: "/v1/chat/completions HTTP/1.1\\r\\nHost: a",
        target: "/v1/chat/completions")),
    .silent("proxy/truncation-hidden", "The proxy breaks off, too.", ends("< FIN\n> FIN", "< FIN\n> FIN")),
    .silent("proxy/truncation-hidden", "The origin's response is whole.", ends(lastChunk, lastChunk)),
    .silent(
      "proxy/truncation-hidden", "The capture lacks bytes of it, among which its end may be.",
      ends(lastChunk, "< \"3\\r\\ntwo\\r\\n\" !lost\n< \"3\\r\\nsix\\r\\n\"\n< FIN")),
    .silent(
      "proxy/truncation-hidden", "The capture lacks its end.", ends(lastChunk, "< \"0\\r\\n\\r\\n\" !lost\n< FIN")),
    .fires(
      "proxy/read-timeout", "The proxy ends both sides after three seconds of silence.",
      cut("< FIN ⑤\n> FIN\n", "> FIN ④\n< FIN\n"), at: [3, 4, 5], .toClient, cost: .failed(.exchange),
      says: "the proxy on 10.0.0.2:80 ended both sides 2.991 s after the last bytes of the origin"),
    .fires(
      "proxy/read-timeout", "The proxy names itself.",
      hops(
        "+30ms\n< \"\(signed("Via: 1.1 varnish"))\"\n+3s\n< FIN ⑤\n> FIN\n",
        "+10ms\n< \"\(chunked)\" ③\n+2990ms\n> FIN ④\n< FIN\n"),
      at: [3, 4, 5], .toClient, cost: .failed(.exchange), fix: "Proxy (Varnish): raise between_bytes_timeout"),
    .fires(
      "proxy/read-timeout", "The origin has named the proxy before it: that is another one.",
      hops(
        "+30ms\n< \"\(signed("Via: 1.1 varnish"))\"\n+3s\n< FIN ⑤\n> FIN\n",
        "+10ms\n< \"\(signed("Via: 1.1 varnish"))\" ③\n+2990ms\n> FIN ④\n< FIN\n"),
      at: [3, 4, 5], .toClient, cost: .failed(.exchange), fix: "raise its read timeout"),
    .fires(
      "proxy/read-timeout", "The origin ends its response when the proxy has left.",
      cut("< FIN ⑤\n> FIN\n", "> FIN ④\n< \"0\\r\\n\\r\\n\" FIN\n"), at: [3, 4, 5], .toClient,
      cost: .failed(.exchange)),
    .fires(
      "proxy/read-timeout", "The origin's close, which ends its response, comes when the proxy has left.",
      cut("< FIN ⑤\n> FIN\n", "> FIN ④\n< FIN\n", inner: closing), at: [3, 4, 5], .toClient, cost: .failed(.exchange)),
    .silent(
      "proxy/read-timeout", "The origin's close ends its response.",
      cut("< FIN\n> FIN\n", "< FIN\n> FIN\n", inner: closing)),
    .fires(
      "proxy/stream-dropped", "The proxy is stopped while the origin sends.",
      cut("< FIN ⑤\n> FIN\n", "> FIN ④\n< FIN\n", after: "500ms", "490ms"), at: [3, 4, 5], .toClient,
      cost: .failed(.exchange), says: "ended both sides while the origin was still sending, 0.49"),
    .fires(
      "proxy/stream-dropped", "The origin sends on when the proxy has left.",
      cut("< FIN ⑤\n> FIN\n", "> FIN ④\n+5ms\n< \"3\\r\\ntwo\\r\\n\" ⑥\n> RST\n", after: "500ms", "490ms"),
      at: [6, 4, 5], .toClient, cost: .failed(.exchange), says: "still sending, which went on for 6.00 ms."),
    .silent(
      "proxy/stream-dropped", "The client left first.", cut("> FIN\n< FIN\n", "> FIN\n< FIN\n", after: "500ms", "490ms")
    ),
    .silent(
      "proxy/stream-dropped", "The origin ended it.", cut("< FIN\n> FIN\n", "< FIN\n> FIN\n", after: "500ms", "490ms")),
    .silent(
      "proxy/stream-dropped", "After three seconds of silence: another rule's.",
      cut("< FIN\n> FIN\n", "> FIN\n< FIN\n")),
    .silent(
      "proxy/read-timeout", "The origin had been silent for longer before: no timer is as short.", cutLater("", "", "")),
    .fires(
      "proxy/stream-dropped", "The proxy is killed while the origin is silent, as it was for longer before.",
      cutLater("③", "④", "⑤"), at: [3, 4, 5], .toClient, cost: .failed(.exchange), says: "2.991 s after the last of it"),
    .silent("proxy/read-timeout", "The client left first.", cut("> FIN\n< FIN\n", "> FIN\n< FIN\n")),
    .silent("proxy/read-timeout", "The origin ended it.", cut("< FIN\n> FIN\n", "< FIN\n> FIN\n")),
    .silent(
      "proxy/read-timeout", "There was no silence.", cut("< FIN\n> FIN\n", "> FIN\n< FIN\n", after: "500ms", "490ms")),
    .silent(
      "proxy/read-timeout", "The client's side is ended much later.",
      cut("+1s\n< FIN\n> FIN\n", "> FIN\n< FIN\n")),
    .fires(
      rule, "The proxy keeps three pieces until the last one is there.",
      hops(
        "+1300ms\n< \"\(head)onetwosix\" ⑤\n",
        "+10ms\n< \"\(head)one\" ③\n+600ms\n< \"two\"\n+600ms\n< \"six\" ④\n"),
      at: [1, 2, 3, 5, 4], .toClient, cost: .delay(nanoseconds: 1_280_000_000),
      says: "The proxy on 10.0.0.2:80 held 2 pieces for up to 1.280 s"),
    .fires(
      rule, "A forward proxy asks from another address what it was asked for.",
      hops(
        "+1300ms\n< \"\(head)onetwosix\" ⑤\n",
        "+10ms\n< \"\(head)one\" ③\n+600ms\n< \"two\"\n+600ms\n< \"six\" ④\n", proxy: "10.0.9.9",
        client: "http://a/s HTTP/1.1\\r\\nUser-Agent: c\\r\\nHost: a", asked: "User-Agent: c\\r\\nHost: a"),
      at: [1, 2, 3, 5, 4], .toClient, cost: .delay(nanoseconds: 1_280_000_000),
      says: "The proxy on 10.0.0.2:80 held 2 pieces"),
    .silent(
      rule, "The same of a server that is asked for a path.",
      hops(
        "+1300ms\n< \"\(head)onetwosix\"\n+2s\n> ACK\n",
        "+10ms\n< \"\(head)one\"\n+600ms\n< \"two\"\n+600ms\n< \"six\"\n", proxy: "10.0.9.9",
        client: "/s HTTP/1.1\\r\\nUser-Agent: c\\r\\nHost: a", asked: "User-Agent: c\\r\\nHost: a")),
    .fires(
      rule, "The proxy queues the request for a second.",
      """
      == 10.0.0.1:40000 10.0.0.2:80
      \(handshake)> "GET /s HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n" ①
      +1500ms
      < "\(head)onetwosix"
      == 10.0.0.2:50000 10.0.0.3:9000 +1000ms
      \(handshake)> "GET /s HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n" ②
      +10ms
      < "\(head)onetwosix"

      """, at: [1, 2], .toClient, cost: .delay(nanoseconds: 1_000_000_000),
      says: "had the request for 1.000 s before it asked 10.0.0.3:9000"),
    .fires(
      rule, "The proxy has a name of its own.",
      hops(
        "+1300ms\n< \"\(named("shield"))onetwosix\" ⑤\n",
        "+10ms\n< \"\(head)one\" ③\n+600ms\n< \"two\"\n+600ms\n< \"six\" ④\n"),
      at: [1, 2, 3, 5, 4], .toClient, cost: .delay(nanoseconds: 1_280_000_000), says: "shield held 2 pieces"),
    .fires(
      rule, "The origin's packets are lost behind this point, and come again: the proxy did not have them.",
      hops(
        "+30ms\n< \"\(head)one\"\n+1215ms\n< \"twosix\"\n",
        "+10ms\n< \"\(head)one\"\n+600ms\n< \"tw\"\n+10ms\n< \"o\"\n+200ms\n< \"two\" @56\n+400ms\n< \"two\" @56\n+1ms\n> ACK\n< \"six\"\n"
      ),
      at: [1, 2], .toClient, severity: .note, says: "carries the same exchange"),
    .fires(
      rule, "The client's window is closed meanwhile: the proxy could not send.",
      hops("+30ms\n< \"\(head)one\"\n> win=0\n+1300ms\n> win=60000\n< \"twosix\"\n", paced), at: [1, 2], .toClient,
      severity: .note, says: "of which the client's side took no more"),
    .fires(
      rule, "The capture lacks a piece of the origin's; the client got all the others together all the same.",
      hops(
        "+1300ms\n< \"\(head)onetwosix\" ④\n",
        "+10ms\n< \"\(head)one\" ③\n+600ms\n< \"two\"\n+300ms\n< \"s\" !lost\n+300ms\n< \"ix\" ⑤\n"),
      at: [1, 2, 3, 4, 5], .toClient, cost: .delay(nanoseconds: 1_280_000_000), says: "got all of them together"),
    .fires(
      rule, "The second piece waits longer than the first, and the third hardly at all.",
      hops(
        "+650ms\n< \"\(head)one\"\n+1300ms\n< \"twosix\" ④\n",
        "+10ms\n< \"\(head)one\"\n+600ms\n< \"two\" ③\n+1290ms\n< \"six\" ⑤\n"),
      at: [1, 2, 3, 4, 5], .toClient, cost: .delay(nanoseconds: 1_330_000_000),
      says: "held 2 pieces for up to 1.330 s"),
    .fires(
      rule, "The proxy passes every piece on: it is joined, and nobody is hurt.",
      hops("+30ms\n< \"\(head)one\"\n+601ms\n< \"two\"\n+601ms\n< \"six\"\n", paced), at: [1, 2], .toClient,
      severity: .note, says: "connection #2 carries the same exchange"),
    .fires(
      rule, "The proxy compresses, and its compressor gives nothing before the end.",
      hops(
        "+1300ms\n< \"HTTP/1.1 200 OK\\r\\nContent-Encoding: gzip\\r\\nContent-Length: 29\\r\\n\\r\\n\" x\"1f8b08000000000002ffcbcf4b2d29cf2fceac0000a4e06e7d09000000\" ③\n",
        "+10ms\n< \"\(head)one\" ④\n+600ms\n< \"two\"\n+600ms\n< \"six\" ⑤\n"),
      at: [1, 2, 3, 4, 3, 5], .toClient, cost: .delay(nanoseconds: 1_280_000_000), says: "for up to 1.280 s"),
    .fires(
      rule, "The proxy drops a prefix of the path.",
      hops(
        "+30ms\n< \"\(head)one\"\n+601ms\n< \"two\"\n+601ms\n< \"six\"\n", paced,
        client: "/app/s HTTP/1.1\\r\\nHost: a\\r\\nUser-Agent: curl/8.5.0",
        asked: "Host: b\\r\\nUser-Agent: curl/8.5.0"),
      at: [1, 2], .toClient, severity: .note, says: "made changes (the path /app/s to /s"),
    .silent(
      rule, "A service asks another one for what ends alike, by its own name.",
      hops(
        "+30ms\n< \"\(head)one\"\n+601ms\n< \"two\"\n+601ms\n< \"six\"\n", paced,
        client: "/app/s HTTP/1.1\\r\\nHost: a\\r\\nUser-Agent: curl/8.5.0", asked: "Host: b\\r\\nUser-Agent: service/1")
    ),
    .silent(
      rule, "The other path ends with the same letters, and in another segment.",
      hops(
        "+30ms\n< \"\(head)one\"\n+601ms\n< \"two\"\n+601ms\n< \"six\"\n", paced,
        client: "/app/s HTTP/1.1\\r\\nHost: a\\r\\nUser-Agent: curl/8.5.0", target: "/xapp/s",
        asked: "Host: b\\r\\nUser-Agent: curl/8.5.0")),
    .fires(
      rule, "The proxy has an address on each side, and says for whom it asks.",
      hops(
        "+30ms\n< \"\(head)one\"\n+601ms\n< \"two\"\n+601ms\n< \"six\"\n", paced, proxy: "10.0.0.9",
        asked: "Host: a\\r\\nX-Forwarded-For: 10.9.9.9, 10.0.0.1"), at: [1, 2], .toClient, severity: .note),
    .fires(
      rule, "The proxy asks an origin on its own host.",
      hops(
        "+30ms\n< \"\(head)one\"\n+601ms\n< \"two\"\n+601ms\n< \"six\"\n", paced, proxy: "127.0.0.1",
        client: "/s HTTP/1.1\\r\\nHost: a\\r\\nUser-Agent: curl/8.5.0", asked: "Host: b\\r\\nUser-Agent: curl/8.5.0"),
      at: [1, 2], .toClient, severity: .note),
    .fires(
      rule, "The proxy has an address on each side, and writes down nothing.",
      hops(
        "+1225ms\n< \"\(head)onetwosix\" ⑤\n",
        "+10ms\n< \"\(head)one\" ③\n+600ms\n< \"two\"\n+600ms\n< \"six\" ④\n", proxy: "10.0.0.9",
        client: "/s HTTP/1.1\\r\\nHost: a\\r\\nUser-Agent: curl/8.5.0", asked: "Host: b\\r\\nUser-Agent: curl/8.5.0"),
      at: [1, 2, 3, 5, 4], .toClient, cost: .delay(nanoseconds: 1_205_000_000)),
    .fires(
      rule, "The same, and it drops a prefix of the path.",
      hops(
        "+1225ms\n< \"\(head)onetwosix\" ⑤\n",
        "+10ms\n< \"\(head)one\" ③\n+600ms\n< \"two\"\n+600ms\n< \"six\" ④\n", proxy: "10.0.0.9",
        client: "/app/s HTTP/1.1\\r\\nHost: a\\r\\nUser-Agent: curl/8.5.0",
        asked: "Host: b\\r\\nUser-Agent: curl/8.5.0"),
      at: [1, 2, 3, 5, 4], .toClient, cost: .delay(nanoseconds: 1_205_000_000)),
    .fires(
      "proxy/read-timeout", "A proxy with an address on each side gives up, and ends both.",
      hops(
        "+30ms\n< \"\(chunked)\"\n+3s\n< FIN ⑤\n> FIN\n", "+10ms\n< \"\(chunked)\" ③\n+3010ms\n> FIN ④\n< FIN\n",
        proxy: "10.0.0.9", client: "/s HTTP/1.1\\r\\nHost: a\\r\\nUser-Agent: curl/8.5.0",
        asked: "Host: b\\r\\nUser-Agent: curl/8.5.0"), at: [3, 4, 5], .toClient, cost: .failed(.exchange)),
    .fires(
      "proxy/read-timeout", "The origin does not close when the proxy has left.",
      cut("< FIN ⑤\n> FIN\n", "> FIN ④\n< ACK\n"), at: [3, 4, 5], .toClient, cost: .failed(.exchange)),
    .silent(
      rule, "Two clients ask two servers for the same, and both are answered at once.",
      hops(
        "+30ms\n< \"\(head)onetwosix\"\n", "+10ms\n< \"\(head)onetwosix\"\n", proxy: "10.0.0.9",
        client: "/s HTTP/1.1\\r\\nHost: a\\r\\nUser-Agent: curl/8.5.0", asked: "Host: b\\r\\nUser-Agent: curl/8.5.0")),
    .silent(
      rule, "Another client asks another server for the same, and gets it sooner.",
      hops(
        "+1300ms\n< \"\(head)onetwosix\"\n", "+10ms\n< \"\(head)onetwosix\"\n", proxy: "10.0.0.9",
        client: "/s HTTP/1.1\\r\\nHost: a\\r\\nUser-Agent: curl/8.5.0", asked: "Host: b\\r\\nUser-Agent: curl/8.5.0")),
    .silent(
      rule, "A program on that host asks for itself.",
      hops(
        "+30ms\n< \"\(head)one\"\n+601ms\n< \"two\"\n+601ms\n< \"six\"\n", paced, proxy: "127.0.0.1",
        client: "/s HTTP/1.1\\r\\nHost: a\\r\\nUser-Agent: curl/8.5.0", asked: "Host: b\\r\\nUser-Agent: agent/1.0")),
    .silent(
      rule, "It asks for somebody else.",
      hops(
        "+30ms\n< \"\(head)one\"\n+601ms\n< \"two\"\n+601ms\n< \"six\"\n", paced, proxy: "10.0.0.9",
        asked: "Host: a\\r\\nX-Forwarded-For: 10.0.0.7")),
    .fires(
      "proxy/100-continue-swallowed", "The proxy says 100 itself, and does not ask the origin.",
      asking("Expect: 100-continue\\r\\n", "< \"HTTP/1.1 100 Continue\\r\\n\\r\\n\" ②\n"), at: [1, 3, 2], .toServer,
      says: "the proxy answered 100 after"),
    .silent(
      "proxy/100-continue-swallowed", "The proxy asks the origin, too.",
      asking(
        "Expect: 100-continue\\r\\n", "< \"HTTP/1.1 100 Continue\\r\\n\\r\\n\"\n",
        passed: "Expect: 100-continue\\r\\n")),
    .fires(
      "proxy/upgrade-stripped", "In one capture, the proxy drops the upgrade, and the server answers as always.",
      asking("Connection: Upgrade\\r\\nUpgrade: example/1\\r\\n", ""), at: [1, 3, 4], .toServer,
      cost: .failed(.exchange), says: "behind the proxy the request does not"),
    .silent(
      "proxy/upgrade-stripped", "In one capture, the proxy drops an offer of HTTP/2, as it should.",
      asking("Connection: Upgrade, HTTP2-Settings\\r\\nUpgrade: h2c\\r\\nHTTP2-Settings: AAMAAABk\\r\\n", "")),
    .silent(
      "proxy/upgrade-stripped", "In one capture, the proxy passes it on, and the server does not want to.",
      asking(
        "Connection: Upgrade\\r\\nUpgrade: example/1\\r\\n", "",
        passed: "Connection: Upgrade\\r\\nUpgrade: example/1\\r\\n")),
    .fires(
      rule, "Of more pieces than are kept, nothing is said of the rest.", hops("+30ms\n\(many)", "+10ms\n\(many)"),
      at: [1, 2], .toClient, severity: .note, says: "and held its first 64 pieces for"),
    .silent(
      rule, "The second connection begins somewhere else.",
      hops("+1300ms\n< \"\(head)onetwosix\"\n", paced, proxy: "10.0.0.9")),
    .silent(
      rule, "The second connection asks for something else.",
      hops("+1300ms\n< \"\(head)onetwosix\"\n", paced, target: "/other")),
    .silent(
      rule, "The answer was there before the proxy could have asked.",
      hops("< \"\(head)onetwosix\"\n", paced)),
    .fires(
      "case/field-name-rewritten", "The proxy writes a name in lower case.",
      hops("+1300ms\n< \"\(head)onetwosix\"\n", paced, asked: "host: a"), at: [1, 2], .toServer,
      says: "\"Host\" and \"host\""),
    .silent(
      "case/field-name-rewritten", "The proxy adds a field and leaves the others as they are.",
      hops("+1300ms\n< \"\(head)onetwosix\"\n", paced, asked: "Host: a\\r\\nX-Forwarded-For: 10.0.0.1")),
  ]
}
