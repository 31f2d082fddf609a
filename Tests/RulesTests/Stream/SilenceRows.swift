import Citation
import Events

/// Streams that fall silent, and those that are cut.
enum SilenceRows {
  static let rows: [RuleRow] = cuts + roundCuts + unframedCuts + middlebox + blackhole + gone + heartbeat + cap

  private static let ask = "> \"GET /events HTTP/1.1\\r\\nHost: h\\r\\nAccept: text/event-stream\\r\\n\\r\\n\"\n"
  private static let event = "\"9\\r\\ndata: 1\\n\\n\\r\\n\""

  /// A response whose body has begun; `fields` end with CRLF.
  private static func stream(_ fields: String = "", _ rest: String = "") -> String {
    handshake + ask + begun(fields, rest)
  }

  private static func begun(_ fields: String, _ rest: String) -> String {
    "< \"HTTP/1.1 200 OK\\r\\nContent-Type: text/event-stream\\r\\nTransfer-Encoding: chunked\\r\\n\(fields)\\r\\n\"\n"
      + "< \(event) \(rest)\n> ACK\n"
  }

  private static let balancer = "Server: awselb/2.0\\r\\n"

  private static let page = "GET /big HTTP/1.1\\r\\nHost: h\\r\\n\\r\\n"
  private static let part = "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 5000\\r\\n\\r\\n\" len=900"

  static let gone: [RuleRow] = [
    .fires(
      "stream/peer-gone", "bytes are sent again five times, and nothing comes back",
      handshake + "> \"\(page)\"\n< len=600 ①\n+300ms\n< len=600 @0\n+600ms\n< len=600 @0\n+1200ms\n< len=600 @0\n"
        + "+2400ms\n< len=600 @0\n+4800ms\n< len=600 @0 ②\n", at: [1, 2], .toServer, cost: .failed(.connection),
      says: "sent 600 B again 5 times in 9.305 s"),
    .fires(
      "stream/peer-gone", "nothing of what the client acknowledges gets through",
      handshake
        + "> \"\(page)\"\n< len=600 ①\n> ACK\n+300ms\n< len=600 @0\n> ACK\n+600ms\n< len=600 @0\n> ACK\n+1200ms\n"
        + "< len=600 @0\n> ACK\n+2400ms\n< len=600 @0\n> ACK\n+4800ms\n< len=600 @0 ②\n> ACK\n", at: [1, 2], .toServer,
      cost: .failed(.connection), says: "its packets do not reach the server"),
    .fires(
      "stream/peer-gone", "the client closes, and acknowledges nothing",
      handshake + "> \"\(page)\"\n< len=600 ①\n+300ms\n< len=600 @0\n+600ms\n< len=600 @0\n+1200ms\n< len=600 @0\n"
        + "+2400ms\n< len=600 @0\n+4800ms\n< len=600 @0 ②\n> FIN ack=0 ③\n", at: [1, 2, 3], .toServer,
      cost: .failed(.connection), says: "the path is broken in one direction"),
    .fires(
      "stream/peer-gone", "the last copy is answered by a reset: both directions were broken until then",
      handshake + "> \"\(page)\"\n< len=600 ①\n+300ms\n< len=600 @0\n+600ms\n< len=600 @0\n+1200ms\n< len=600 @0\n"
        + "+2400ms\n< len=600 @0\n+4800ms\n< len=600 @0 ②\n> RST ③\n", at: [1, 2, 3], .toServer,
      cost: .failed(.connection), says: "and nothing answered until the client sent a reset.",
      fix: "find what was down until the reset came"),
    .silent(
      "stream/peer-gone", "the last copy is acknowledged",
      handshake + "> \"\(page)\"\n< len=600\n+300ms\n< len=600 @0\n+600ms\n< len=600 @0\n+1200ms\n< len=600 @0\n"
        + "+2400ms\n< len=600 @0\n+4800ms\n< len=600 @0\n> ACK\n"),
    .fires(
      "stream/peer-gone", "nothing comes through but the handshake",
      handshake + "> \"\(page)\" ①\n+1s\n> \"\(page)\" @0\n+2s\n> \"\(page)\" @0\n+4s\n> \"\(page)\" @0 ②\n",
      at: [1, 2], .toClient,
      cost: .failed(.connection), says: "3 times in 7.003 s, and nothing acknowledged them"),
    .silent(
      "stream/peer-gone", "three copies may still come through",
      handshake + "> \"\(page)\"\n< len=600\n+300ms\n< len=600 @0\n+600ms\n< len=600 @0\n+6s\n< len=600 @0\n"),
    .fires(
      "stream/peer-gone", "a body stops in its middle, and its receiver gives up",
      handshake + "> \"\(page)\"\n\(part) ①\n> ACK\n+30s\n> RST ②\n", at: [1, 2], .toClient,
      cost: .failed(.exchange), says: "4,100 B before the end of the body the server fell silent"),
    .fires(
      "stream/peer-gone", "its sender does not answer the FIN either",
      handshake + "> \"\(page)\"\n\(part) ①\n> ACK\n+30s\n> FIN ②\n< ACK\n", at: [1, 2], .toClient,
      cost: .failed(.exchange)),
    .fires(
      "stream/peer-gone", "a stream of events stops, and the FIN of its client is sent four times",
      stream("", "①") + "+20s\n> FIN ②\n+250ms\n> FIN\n+250ms\n> FIN\n+500ms\n> FIN ③\n", at: [1, 2, 3], .toClient,
      cost: .failed(.exchange), says: "its FIN was sent 4 times, and nothing answered"),
    .fires(
      "stream/peer-gone", "the same of a stream that was open when the capture began",
      "< \(openEvent)\n> ACK\n+1s\n< \(openEvent) ①\n> ACK\n+20s\n> FIN ②\n+250ms\n> FIN\n+250ms\n> FIN\n+500ms\n> FIN ③\n",
      at: [1, 2, 3], .toClient, cost: .failed(.exchange), says: "its FIN was sent 4 times, and nothing answered"),
    .fires(
      "stream/peer-gone", "what the server sends is too large for the path, and only its ACK comes",
      stream("", "①") + "+5s\n> FIN ②\n< ACK seq+4293 ③\n", at: [1, 2, 3], .toClient, cost: .failed(.exchange),
      says: "nothing more came from the server, and the client gave up after 5.00"),
    .silent(
      "stream/peer-gone", "what an acknowledgement overtook comes behind it",
      stream() + "< ACK seq+14\n< \(event)\n> ACK\n+5s\n> FIN\n< FIN\n"),
    .silent(
      "stream/peer-gone", "the server acknowledges the client's leave, and had sent no more",
      stream() + "+5s\n> FIN\n< ACK\n"),
    .fires(
      "stream/peer-gone", "a firewall begins to reject what the client sends",
      stream("", "①") + "+20s\n> FIN ②\n< icmp=3/3 ④\n+250ms\n> FIN\n+250ms\n> FIN\n+500ms\n> FIN ③\n",
      at: [1, 2, 3, 4], .toClient, cost: .failed(.exchange),
      says: "its FIN was sent 4 times, and an ICMP error answered"),
    .fires(
      "stream/peer-gone", "a firewall begins to reject what the server sends",
      handshake + "> \"\(page)\"\n< len=600 ①\n> icmp=3/13 ③\n+300ms\n< len=600 @0\n+600ms\n< len=600 @0\n"
        + "+1200ms\n< len=600 @0\n+2400ms\n< len=600 @0\n+4800ms\n< len=600 @0 ②\n", at: [1, 2, 3], .toServer,
      cost: .failed(.connection), says: "sent 600 B again 5 times"),
    .silent(
      "stream/peer-gone", "a receiver that closed its sending side, and goes on reading",
      handshake + "> \"\(page)\"\n\(part)\n> ACK\n+30s\n> FIN\n< len=900\n> ACK\n"),
    .silent(
      "stream/peer-gone", "the receiver's window was closed",
      handshake + "> \"\(page)\"\n\(part)\n> ACK win=0\n+30s\n> RST\n"),
    .silent(
      "stream/peer-gone", "a download is cancelled while it comes",
      handshake + "> \"\(page)\"\n\(part)\n> ACK\n+1s\n> RST\n"),
    .fires(
      "stream/peer-gone", "a client with a short timer gives up",
      handshake + "> \"\(page)\"\n\(part) ①\n> ACK\n+4s\n> FIN ②\n< ACK\n+3s\n< FIN\n", at: [1, 2], .toClient,
      severity: .warning, cost: .failed(.exchange), says: "the client gave up after 4.00"),
    .fires(
      "stream/peer-gone", "nothing comes behind the head",
      handshake + "> \"\(page)\"\n< \"HTTP/1.1 200 OK\\r\\nContent-Length: 5000\\r\\n\\r\\n\" ①\n> ACK\n+4s\n> RST ②\n",
      at: [1, 2], .toClient, severity: .warning, cost: .failed(.exchange), says: "5,000 B before the end"),
    .silent(
      "stream/peer-gone", "the server sends by the clock, and its client leaves",
      handshake + "> \"\(page)\"\n\(part)\n> ACK\n"
        + String(repeating: "+2500ms\n< len=100\n> ACK\n", count: 4) + "+3s\n> RST\n"),
    .silent(
      "stream/peer-gone", "an event stream is left by its page",
      stream("", "") + "+40s\n> FIN\n< FIN\n"),
  ]

  /// Events each second, and a cut.
  static let ticking = stream() + "+1s\n< \(event)\n> ACK\n+1s\n< \(event) ①\n> ACK\n"

  static let roundCuts: [RuleRow] = [
    .fires(
      "stream/cut-after-round-silence", "events each second, and a FIN after five", ticking + "+5s\n< FIN ②\n> FIN\n",
      at: [1, 2], .toClient, cost: .failed(.exchange), says: "closed it after 5.002 s without a byte, as a timer of 5 s"
    ),
    .fires(
      "stream/cut-after-round-silence", "a reset, as late as a timer may be", ticking + "+25028ms\n< RST ②\n",
      at: [1, 2], .toClient, cost: .failed(.exchange), says: "reset it after 25.030 s"),
    .silent(
      "stream/cut-after-round-silence", "as late as no timer is", ticking + "+5030ms\n< FIN\n> FIN\n"),
    .silent("stream/cut-after-round-silence", "one second is nothing", ticking + "+998ms\n< FIN\n> FIN\n"),
    .silent(
      "stream/cut-after-round-silence", "eleven seconds: timers are seldom set so", ticking + "+11s\n< FIN\n> FIN\n"),
    .silent(
      "stream/cut-after-round-silence", "a pause before was nearly as long",
      ticking + "+4s\n< \(event)\n> ACK\n+5s\n< FIN\n> FIN\n"),
    .silent(
      "stream/cut-after-round-silence", "a well-known timer has that length",
      stream(balancer) + "+60s\n< FIN\n> FIN\n"),
    .silent(
      "stream/cut-after-round-silence", "the client leaves, and the server resets",
      ticking + "+5s\n> FIN\n< RST\n"),
    .silent("stream/cut-after-round-silence", "the client leaves", ticking + "+5s\n> FIN\n< FIN\n"),
    .silent(
      "stream/cut-after-round-silence", "the stream was over",
      ticking + "< \"0\\r\\n\\r\\n\"\n> ACK\n+5s\n< FIN\n> FIN\n"),
  ]

  /// Events each second, without lengths.
  private static func unframed(_ mark: String = "") -> String {
    let event = "+1s\n< \"data: 1\\n\\n\"\n> ACK\n"
    return handshake + ask + "< \"HTTP/1.1 200 OK\\r\\nContent-Type: text/event-stream\\r\\n\\r\\n\"\n> ACK\n"
      + event + event + event + "+1s\n< \"data: 1\\n\\n\" \(mark)\n> ACK\n"
  }

  static let unframedCuts: [RuleRow] = [
    .fires(
      "stream/cut-after-round-silence",
      "the end of the connection is the end of the stream, and comes after five seconds",
      unframed("①") + "+5s\n< FIN ②\n> FIN\n", at: [1, 2], .toClient, severity: .warning, confidence: .low,
      cost: .failed(.exchange), says: "as a timer of 5 s would"),
    .fires(
      "stream/cut-at-known-timeout", "the same after a minute", unframed("①") + "+60s\n< FIN ②\n> FIN\n", at: [1, 2],
      .toClient, severity: .warning, confidence: .low, cost: .failed(.exchange)),
    .silent("stream/cut-after-round-silence", "after a time that no timer has", unframed() + "+5400ms\n< FIN\n> FIN\n"),
    .silent(
      "stream/cut-after-round-silence", "a pause before was half as long",
      unframed() + "+2500ms\n< \"data: 1\\n\\n\"\n> ACK\n+5s\n< FIN\n> FIN\n"),
    .silent("stream/cut-after-round-silence", "the client leaves first", unframed() + "+5s\n> FIN\n< FIN\n"),
    .silent("stream/cut-after-round-silence", "it comes to its end", unframed() + "+1s\n< FIN\n> FIN\n"),
  ]

  static let cuts: [RuleRow] = [
    .fires(
      "stream/cut-at-known-timeout", "a stream behind a load balancer, closed after 60 s",
      stream(balancer, "①") + "+60s\n< FIN ②\n> FIN\n",
      at: [1, 2], .toClient, cost: .failed(.exchange), says: "AWS ALB's idle timeout (60 s)"),
    .fires(
      "stream/cut-at-known-timeout", "TCP keep-alives do not count",
      stream(balancer, "①") + "+30s\n< x\"00\" @113\n> ACK\n+30s\n< FIN ②\n> FIN\n",
      at: [1, 2], .toClient, cost: .failed(.exchange)),
    .fires(
      "stream/cut-at-known-timeout", "the gateway answers that its time is up",
      handshake + "> \"GET /report HTTP/1.1\\r\\nHost: h\\r\\n\\r\\n\" ①\n< ACK\n+60s\n"
        + "< \"HTTP/1.1 504 Gateway Timeout\\r\\nServer: nginx\\r\\nContent-Length: 0\\r\\n\\r\\n\" ②\n> ACK\n",
      at: [1, 2], .toClient, cost: .failed(.exchange), says: "nginx's proxy_read_timeout (60 s)"),
    .fires(
      "stream/cut-at-known-timeout", "the client's own timer",
      handshake + "> \"GET /events HTTP/1.1\\r\\nHost: h\\r\\nUser-Agent: okhttp/4.12.0\\r\\n\\r\\n\"\n"
        + begun("", "①")
        + "+10s\n> FIN ②\n< FIN\n",
      at: [1, 2], .toClient, cost: .failed(.exchange), says: "OkHttp"),
    .fires(
      "stream/cut-at-known-timeout", "a long poll closed without an answer, at the edge of the tolerance",
      handshake + ask.dropLast() + " ①\n< ACK\n+60997ms\n< FIN ②\n> FIN\n",
      at: [1, 2], .toClient, confidence: .low, cost: .failed(.exchange)),
    .fires(
      "stream/cut-at-known-timeout", "no field names a product, and the time is exact",
      stream("", "①") + "+30040ms\n< FIN ②\n> FIN\n", at: [1, 2], .toClient, confidence: .low,
      cost: .failed(.exchange), says: "CloudFront's origin response timeout (30 s)"),
    .fires(
      "stream/cut-at-known-timeout", "a stream that was open when the capture began",
      "< \(openEvent)\n> ACK\n+1s\n< \(openEvent) ①\n> ACK\n+60s\n< FIN ②\n> FIN\n", at: [1, 2], .toClient,
      confidence: .low,
      cost: .failed(.exchange), says: "nginx's proxy_read_timeout (60 s)"),
    .silent(
      "stream/cut-at-known-timeout", "it was open when the capture began, and the client's FIN is not in the capture",
      "< \(openEvent)\n> ACK\n+1s\n< \(openEvent)\n> ACK\n+60s\n> FIN !lost\n< FIN\n"),
    .silent(
      "stream/cut-at-known-timeout", "no field names a product, and the time is near one",
      stream() + "+30800ms\n< FIN\n> FIN\n"),
    .fires(
      "stream/cut-at-known-timeout", "the client has the cookie of Azure App Service",
      handshake + "> \"GET /r HTTP/1.1\\r\\nHost: h\\r\\nCookie: a=b; ARRAffinity=0\\r\\n\\r\\n\" ①\n< ACK\n"
        + "+230s\n< FIN ②\n> FIN\n", at: [1, 2], .toClient, cost: .failed(.exchange),
      says: "Azure App Service's request timeout (230 s)"),
    .silent(
      "stream/cut-at-known-timeout", "beyond the tolerance", handshake + ask + "< ACK\n+63s\n< FIN\n> FIN\n"),
    .fires(
      "stream/cut-at-known-timeout",
      "the client's own timer, and a server that notices and ends its stream in good order",
      handshake + "> \"GET /events HTTP/1.1\\r\\nHost: h\\r\\nUser-Agent: okhttp/4.12.0\\r\\n\\r\\n\"\n"
        + begun("", "①") + "+10s\n> FIN ②\n< \"0\\r\\n\\r\\n\"\n< FIN\n",
      at: [1, 2], .toClient, cost: .failed(.exchange), says: "OkHttp"),
    .silent(
      "stream/cut-at-known-timeout", "the stream was over",
      stream(balancer) + "< \"0\\r\\n\\r\\n\"\n> ACK\n+60s\n< FIN\n> FIN\n"),
    .silent(
      "stream/cut-at-known-timeout", "an event came in between",
      stream(balancer) + "+30s\n< \(event)\n> ACK\n+30s\n< FIN\n> FIN\n"),
    .silent("stream/cut-at-known-timeout", "five seconds, and no product named", stream() + "+5s\n< FIN\n> FIN\n"),
    .silent(
      "stream/cut-at-known-timeout", "a product that signs what it passes on, and did not",
      stream("Server: gunicorn\\r\\n") + "+120s\n< FIN\n> FIN\n"),
    .silent("stream/cut-at-known-timeout", "the client leaves after 60 s", stream(balancer) + "+60s\n> FIN\n< FIN\n"),
  ]

  /// Segments of a host 7 hops away that counts its packets, and a reset after a silence.
  private static func reset(_ end: String, after silence: String = "5s") -> String {
    "> SYN\n< SYN ACK ttl=57\n> ACK\n" + ask
      + "< \"HTTP/1.1 200 OK\\r\\nContent-Type: text/event-stream\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n\" ttl=57 id=4000\n"
      + "< \(event) ttl=57 id=4001 ①\n> ACK\n+\(silence)\n< RST \(end) ②\n"
  }

  /// The same, captured on both sides of a router: each packet of the server twice, a hop apart.
  private static func twice(_ end: String) -> String {
    let both = { (text: String, words: String) in "< \(text) ttl=57 mac=1\n< \(text) \(words) ttl=56 mac=2 now\n" }
    let head =
      "\"HTTP/1.1 200 OK\\r\\nContent-Type: text/event-stream\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n\" id=12"
    return "> SYN\n" + both("SYN ACK id=10", "") + "> ACK\n" + ask + both("ACK id=11", "") + both(head, "@0")
      + "< \(event) ttl=57 mac=1 id=13 ①\n> ACK\n+300ms\n< RST \(end) mac=2 ②\n"
  }

  static let middlebox: [RuleRow] = [
    .fires(
      "stream/cut-by-middlebox", "it was captured twice, and comes from the router between", twice("ttl=57 id=19778"),
      at: [1, 2], .toClient, confidence: .high, cost: .failed(.exchange), says: "cut while bytes came"),
    .silent("stream/cut-by-middlebox", "captured twice, and the server's own", twice("ttl=56 id=19778")),
    .fires(
      "stream/cut-by-middlebox", "the bytes before the reset are what the capture lacks: it was not idle",
      reset("ttl=61 id=19778", after: "2900ms\n< \(event) ttl=57 id=4002 !lost\n> ACK\n+100ms"), at: [1, 2], .toClient,
      confidence: .high, cost: .failed(.exchange), says: "cut while bytes came"),
    .fires(
      "stream/cut-by-middlebox", "another TTL, and a number out of the series", reset("ttl=61 id=19778"),
      at: [1, 2], .toClient, confidence: .high, cost: .failed(.exchange), says: "5.002 s"),
    .fires(
      "stream/cut-by-middlebox", "another TTL, and no number", reset("ttl=61"), at: [1, 2], .toClient,
      cost: .failed(.exchange)),
    .fires(
      "stream/cut-by-middlebox", "nothing was being said on it",
      "> SYN\n< SYN ACK ttl=57\n> ACK\n> len=20\n< len=40 ttl=57 id=900 ①\n> ACK\n+30s\n< RST ttl=62 id=40000 ②\n",
      at: [1, 2], .toClient, confidence: .high, says: "The connection was ended"),
    .silent("stream/cut-by-middlebox", "the server's own TTL", reset("ttl=57 id=4002")),
    .silent(
      "stream/cut-by-middlebox", "what the client said before is not in the capture",
      "< len=40 ttl=57 id=900\n< len=40 ttl=57 id=901\n+30s\n< RST ttl=62 id=40000\n"),
    .silent("stream/cut-by-middlebox", "another way, and the next number of the series", reset("ttl=56 id=4002")),
    .fires(
      "stream/cut-by-middlebox", "it was not idle: a firewall rejects what it let through before",
      reset("ttl=61 id=19778", after: "300ms"), at: [1, 2], .toClient, confidence: .high, cost: .failed(.exchange),
      says: "cut while bytes came, by a packet that did not come from the server"),
    .silent(
      "stream/cut-by-middlebox", "an idle flow that had been evicted is used again: another rule's",
      "> SYN\n< SYN ACK ttl=57\n> ACK\n> \(get)\n"
        + "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n\" ttl=57 id=4000\n> ACK\n+5s\n> \(get)\n"
        + "< RST ttl=61 id=19778\n"),
    .silent(
      "stream/cut-by-middlebox", "the handshake was answered by somebody else, and the reset comes from there",
      "> SYN\n< SYN ACK ttl=61\n> ACK\n" + ask
        + "< \"HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n\" ttl=57 id=4000\n> ACK\n+5s\n< RST ttl=61\n"
    ),
  ]

  private static let get = "\"GET /a HTTP/1.1\\r\\nHost: h\\r\\n\\r\\n\""

  /// A connection that was used and then idle, and the next request on it, whose copies begin at offset 28.
  private static func idle(_ silence: String, _ rest: String) -> String {
    handshake
      + "> \(get)\n< \"HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nhi\" ①\n> ACK\n+\(silence)\n> \(get) ②\n"
      + rest
  }

  private static let copies = "+300ms\n> \(get) @28 ③\n+600ms\n> \(get) @28 ④\n+1200ms\n> \(get) @28 ⑤\n"

  static let blackhole: [RuleRow] = [
    .fires(
      "stream/silent-blackhole", "four minutes of silence, then copies without an answer", idle("240s", copies),
      at: [1, 2, 3, 4, 5], .toServer, confidence: .high, cost: .failed(.connection), says: "Azure Load Balancer"),
    .fires(
      "stream/silent-blackhole", "a reset answers the first packet", idle("350s", "+50ms\n< RST ③\n"),
      at: [1, 2, 3], .toServer, confidence: .high, cost: .failed(.connection), says: "answered by a reset"),
    .fires(
      "stream/silent-blackhole", "five seconds of silence: what ended it may be another thing", idle("5s", copies),
      at: [1, 2, 3, 4, 5], .toServer, severity: .warning, confidence: .low, cost: .failed(.connection)),
    .silent(
      "stream/silent-blackhole", "as long a silence did no harm before",
      idle("5s", "").replacing(
        " ②", with: "\n< \"HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nhi\"\n> ACK\n+5s\n> \(get)")
        + copies.replacing("@28", with: "@56")),
    .silent(
      "stream/silent-blackhole", "what was said in the silence is not in the capture",
      handshake + "> len=20\n< len=20\n> ACK\n+120s\n> len=20 !lost\n< ACK\n+120s\n> len=20\n+50ms\n< RST\n"),
    .silent(
      "stream/silent-blackhole", "the third copy is acknowledged",
      idle("240s", copies + "< ACK\n< \"HTTP/1.1 204 No Content\\r\\n\\r\\n\"\n")),
    .fires(
      "stream/silent-blackhole", "the last answer was retransmitted before the silence, and all was well then",
      idle("300ms", "").replacing("> \(get) ②", with: "< \"hi\" @38\n+240s\n> \(get) ②") + copies,
      at: [1, 2, 3, 4, 5], .toServer, confidence: .high, cost: .failed(.connection)),
    .silent(
      "stream/silent-blackhole", "the path was down: the request was retransmitted all the time",
      handshake + "> \(get)\n< \"HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nhi\"\n> ACK\n+4s\n> \(get)\n+300ms\n"
        + "> \(get) @28\n+600ms\n> \(get) @28\n+9s\n> \(get) @28\n"
        + "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nhi\"\n> RST\n"),
    .silent(
      "stream/silent-blackhole", "what the server sent was retransmitted all the time, each time after twice as long",
      handshake + "> len=20\n< len=40\n> ACK\n+2s\n< len=30\n+400ms\n< len=30 @40\n+800ms\n< len=30 @40\n+1600ms\n"
        + "< len=30 @40\n+3200ms\n< len=30 @40\n+6s\n> len=20\n+300ms\n> len=20 @20\n+600ms\n> len=20 @20\n+1200ms\n"
        + "> len=20 @20\n"),
    .silent("stream/silent-blackhole", "one copy, and the capture ends", idle("240s", "+300ms\n> \(get) @28\n")),
    .silent("stream/silent-blackhole", "copies without a silence before", idle("100ms", copies)),
    .silent(
      "stream/silent-blackhole", "the server had closed",
      idle("0s", "").replacing("+0s", with: "+60s\n< FIN")
        + "< RST\n"),
    .silent(
      "stream/silent-blackhole", "the client was only saying goodbye",
      handshake + "> len=20\n< len=40\n> ACK\n+60s\n> len=23\n> FIN\n< RST\n"),
  ]

  private static let line = "\"2\\r\\n1\\n\\r\\n\""
  private static let openEvent = "\"b\\r\\ndata: one\\n\\n\\r\\n\""
  private static let last = "\"0\\r\\n\\r\\n\""

  /// JSON lines that have begun.
  private static func lines(_ marker: String = "") -> String {
    handshake + "> \(get)\n"
      + "< \"HTTP/1.1 200 OK\\r\\nContent-Type: application/x-ndjson\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n\"\n"
      + "< \(line) \(marker)\n> ACK\n"
  }

  static let heartbeat: [RuleRow] = [
    .fires(
      "stream/no-heartbeat", "forty seconds without a line",
      lines("①") + "+40s\n< \(line) ②\n> ACK\n< \(last)\n> ACK\n", at: [1, 2], .toClient, says: "40.002 s"),
    .silent(
      "stream/no-heartbeat", "twenty seconds", lines() + "+20s\n< \(line)\n> ACK\n< \(last)\n> ACK\n"),
    .fires(
      "stream/no-heartbeat", "a stream of events that the client leaves in its silence, of which sse/ says nothing",
      stream("", "①") + "+40s\n> FIN ②\n< FIN\n", at: [1, 2], .toClient, says: "for 40.00"),
    .fires(
      "stream/no-heartbeat", "a stream of events has a rule of its own, and this stands under it",
      stream("", "①") + "+40s\n< \(event) ②\n> ACK\n< \"0\\r\\n\\r\\n\"\n> ACK\n", at: [1, 2], .toClient),
    .fires(
      "sse/no-keepalive", "forty seconds without an event or a comment",
      stream("", "①") + "+40s\n< \(event) ②\n> ACK\n< \"0\\r\\n\\r\\n\"\n> ACK\n", at: [1, 2], .toClient,
      says: "40.002 s"),
    .silent(
      "stream/no-heartbeat", "a download that waits",
      handshake
        + "> \(get)\n< \"HTTP/1.1 200 OK\\r\\nContent-Length: 20\\r\\n\\r\\n\" len=10\n> ACK\n+40s\n< len=10\n> ACK\n"),
    .silent(
      "stream/no-heartbeat", "the bytes were lost and came late",
      lines() + "< \(line)\n+40s\n< \(line) @90\n> ACK\n< \(last)\n> ACK\n"),
  ]

  /// One of two streams of 15 s; the event before the end is so long before it.
  private static func capped(_ port: Int, at start: Int, _ begin: String, _ end: String, age: Int = 14_995) -> String {
    "== 10.0.0.1:\(port) 10.0.0.2:80 +\(start)ms\n" + handshake + ask.dropLast() + " \(begin)\n" + begun("", "")
      + "+\(age - 1_000)ms\n< \(event)\n> ACK\n+1s\n< FIN \(end)\n> FIN\n"
  }

  /// The same, and the client leaves.
  private static func left(_ port: Int, at start: Int, _ begin: String, _ end: String) -> String {
    capped(port, at: start, begin, "").replacing("< FIN \n> FIN", with: "> FIN \(end)\n< FIN")
  }

  static let cap: [RuleRow] = [
    .fires(
      "stream/total-duration-cap", "two streams cut at fifteen seconds",
      capped(40_000, at: 0, "①", "②") + capped(40_001, at: 4_000, "③", "④"), at: [1, 2, 3, 4], .toClient,
      cost: .failed(.exchange), says: "15.0"),
    .fires(
      "stream/total-duration-cap", "a client leaves three streams at fifteen seconds",
      left(40_000, at: 0, "", "") + left(40_001, at: 4_000, "①", "②") + left(40_002, at: 9_000, "③", "④"),
      at: [1, 2, 3, 4], .toServer, cost: .failed(.exchange), says: "cut by the client at the age of 15.0"),
    .silent(
      "stream/total-duration-cap", "a client leaves two", left(40_000, at: 0, "", "") + left(40_001, at: 4_000, "", "")),
    .silent(
      "stream/total-duration-cap", "at different ages",
      capped(40_000, at: 0, "", "") + capped(40_001, at: 4_000, "", "", age: 17_000)),
    .silent(
      "stream/total-duration-cap", "the answers begin when the client has left",
      (0..<3).map { turn in
        "== 10.0.0.1:\(40_000 + turn) 10.0.0.2:80 +\(turn * 20)s\n" + handshake + ask
          + "< ACK\n+10s\n> FIN\n< ACK\n+1s\n< \"HTTP/1.1 400 Bad Request\\r\\nContent-Length: 5\\r\\n\\r\\nab\"\n> RST\n"
      }.joined()),
    .silent(
      "stream/total-duration-cap", "at one moment", capped(40_000, at: 0, "", "") + capped(40_001, at: 100, "", "")),
  ]
}

extension String {
  fileprivate func replacing(_ part: String, with other: String) -> String {
    guard let range = firstRange(of: part) else { return self }
    return self[..<range.lowerBound] + other + self[range.upperBound...]
  }
}
