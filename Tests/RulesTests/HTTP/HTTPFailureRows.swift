import Citation
import Events
import Support

extension HTTPExchangeRows {
  private static let ok = "HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n"
  private static func get(_ path: String = "/a", _ fields: String = "") -> String {
    "> \"GET \(path) HTTP/1.1\\r\\nHost: im.example\\r\\n\(fields)\\r\\n\""
  }
  private static func status(_ line: String) -> String {
    "< \"HTTP/1.1 \(line)\\r\\nContent-Length: 0\\r\\n\\r\\n\""
  }

  /// Requests that fail: late, in error, in another protocol, or not answered at all.
  static let failures: [RuleRow] = late + still + errors + plain + unanswered + unread + foreign + idle

  private static let late: [RuleRow] = [
    .silent(
      "http/retried-request", "a reply of HTTP/0.9 that was recorded before its request is its reply",
      "== 10.0.0.1:40000 10.0.0.2:80\n" + handshake
        + "< \"<html>\\n<p>Bad!</p>\\n\"\n+-2ms\n> \"GET /bad\\r\\n\" ack=0\n+1ms\n< FIN\n> FIN\n"
        + "== 10.0.0.1:40001 10.0.0.2:80 +800ms\n" + handshake
        + "> \"GET /bad\\r\\n\"\n< \"<html>\\n<p>Bad!</p>\\n\"\n< FIN\n> FIN\n"),
    .fires(
      "http/ttfb-slow", "two seconds before the first byte",
      handshake + get() + " ①\n< ACK\n+2s\n< \"\(ok)\" ②\n", at: [1, 2], .toClient,
      cost: .delay(nanoseconds: 2_000_000_000), says: "2.002 s"),
    .fires(
      "http/ttfb-slow", "a later request of a connection that began before the capture",
      get() + "\n< ACK\n< \"\(ok)\"\n> ACK\n" + get() + " ①\n< ACK\n+2s\n< \"\(ok)\" ②\n", at: [1, 2], .toClient,
      cost: .delay(nanoseconds: 2_002_000_000)),
    .silent(
      "http/ttfb-slow", "its first: what is answered may have been asked before",
      get() + "\n< ACK\n+2s\n< \"\(ok)\"\n> ACK\n"),
    .silent(
      "http/ttfb-slow", "the round trip is not known, and the answer to the SYN took as long",
      "> SYN ts=100/0\n+1s\n> SYN ts=1100/0\n+1600ms\n< SYN ACK ts=5000/100\n> ACK ts=2700/5000\n" + get()
        + "\n+2600ms\n< \"\(ok)\"\n"),
    .fires(
      "http/ttfb-slow", "an event stream whose head comes with the first event",
      handshake + get("/events", "Accept: text/event-stream\\r\\n") + " ①\n< ACK\n+9s\n"
        + "< \"HTTP/1.1 200 OK\\r\\nContent-Type: text/event-stream\\r\\n\\r\\ndata: 1\\n\\n\" ②\n",
      at: [1, 2], .toClient, cost: .delay(nanoseconds: 9_000_000_000)),
    .fires(
      "http/ttfb-slow", "a long poll by its path: told, and no fault",
      handshake + get("/api/poll?since=3") + " ①\n< ACK\n+20s\n< \"\(ok)\" ②\n", at: [1, 2],
      .toClient,
      severity: .note),
    .fires(
      "http/ttfb-slow", "a playlist of low-latency HLS is held until the next part is there",
      handshake + get("/live.m3u8?_HLS_msn=7") + " ①\n< ACK\n+4s\n< \"\(ok)\" ②\n", at: [1, 2], .toClient,
      severity: .note),
    .fires(
      "http/ttfb-slow", "a waitlist is no wait, and a timeout only a limit",
      handshake + get("/shop/waitlist?timeout=30s") + " ①\n< ACK\n+9s\n< \"\(ok)\" ②\n", at: [1, 2], .toClient,
      cost: .delay(nanoseconds: 9_000_000_000)),
    .fires(
      "http/ttfb-slow", "a part of an upload is no part of a stream, and a sync no poll",
      handshake + get("/sync/a?partNumber=1") + " ①\n< ACK\n+9s\n< \"\(ok)\" ②\n", at: [1, 2], .toClient,
      cost: .delay(nanoseconds: 9_000_000_000)),
    .fires(
      "http/ttfb-slow", "Matrix waits for news",
      handshake + get("/_matrix/client/v3/sync?timeout=30000") + " ①\n< ACK\n+9s\n< \"\(ok)\" ②\n", at: [1, 2],
      .toClient, severity: .note),
    .fires(
      "http/ttfb-slow", "a runner waits for a job",
      handshake + get("/api/v4/jobs/request") + " ①\n< ACK\n+9s\n< \"\(ok)\" ②\n", at: [1, 2], .toClient,
      severity: .note),
    .fires(
      "http/ttfb-slow", "a queue waits for messages",
      handshake + get("/", "X-Amz-Target: AmazonSQS.ReceiveMessage\\r\\n") + " ①\n< ACK\n+9s\n< \"\(ok)\" ②\n",
      at: [1, 2],
      .toClient, severity: .note),
    .fires(
      "http/ttfb-slow", "a queue takes a message",
      handshake + get("/", "X-Amz-Target: AmazonSQS.SendMessage\\r\\n") + " ①\n< ACK\n+9s\n< \"\(ok)\" ②\n",
      at: [1, 2],
      .toClient, cost: .delay(nanoseconds: 9_000_000_000)),
    .fires(
      "http/ttfb-slow", "Telegram's updates are polled",
      handshake + get("/bot1/getUpdates?timeout=30") + " ①\n< ACK\n+9s\n< \"\(ok)\" ②\n", at: [1, 2], .toClient,
      severity: .note),
    .fires(
      "http/ttfb-slow", "SignalR polls, of whatever path",
      handshake + get("/chat?id=cPUcfOkzWmdqpSuhNzTI9g&_=1699999999999") + " ①\n< ACK\n+9s\n< \"\(ok)\" ②\n",
      at: [1, 2],
      .toClient, severity: .note),
    .fires(
      "http/ttfb-slow", "an item by its number, past every cache",
      handshake + get("/item?id=17&_=1699999999999") + " ①\n< ACK\n+9s\n< \"\(ok)\" ②\n", at: [1, 2], .toClient,
      cost: .delay(nanoseconds: 9_000_000_000)),
    .fires(
      "http/ttfb-slow", "a client of Bayeux waits on its channel, of whatever path",
      handshake + bayeux("/meta/connect") + " ①\n< ACK\n+9s\n< \"\(ok)\" ②\n", at: [1, 2], .toClient, severity: .note),
    .fires(
      "http/ttfb-slow", "a client of Bayeux subscribes",
      handshake + bayeux("/meta/subscribe") + " ①\n< ACK\n+9s\n< \"\(ok)\" ②\n", at: [1, 2], .toClient,
      cost: .delay(nanoseconds: 9_000_000_000)),
    .fires(
      "http/ttfb-slow", "BOSH is polled, too",
      handshake + get("/http-bind") + " ①\n< ACK\n+20s\n< \"\(ok)\" ②\n", at: [1, 2], .toClient, severity: .note),
    .fires(
      "http/ttfb-slow", "a poll of Engine.IO is released with 400 when the session ends",
      handshake + get("/socket.io/?EIO=4&transport=polling&sid=a") + " ①\n< ACK\n+22s\n" + status("400 Bad Request")
        + " ②\n", at: [1, 2], .toClient, severity: .note),
    .fires(
      "http/ttfb-slow", "a long poll that ends in an error waited for nothing",
      handshake + get("/api/poll?since=3") + " ①\n< ACK\n+22s\n" + status("400 Bad Request") + " ②\n", at: [1, 2],
      .toClient, cost: .delay(nanoseconds: 22_000_000_000), says: "→ 400"),
    .fires(
      "http/ttfb-slow", "a long poll by its empty answer: told, and no fault",
      handshake + get() + " ①\n< ACK\n+20s\n" + status("204 No Content") + " ②\n", at: [1, 2],
      .toClient,
      severity: .note),
    .fires(
      "http/ttfb-slow", "the answer was lost on its way: told, and the network's",
      handshake + get()
        + " ①\n< ACK\n+50ms\n< \"HTTP/1.1 200 OK\\r\\n\" !lost\n< \"Content-Length: 0\\r\\n\\r\\n\"\n> ack=0\n"
        + "+3s\n< \"HTTP/1.1 200 OK\\r\\n\" @0 ②\n> ACK\n",
      at: [1, 2], .toClient,
      severity: .note),
    .silent(
      "http/ttfb-slow", "half a second", handshake + get() + "\n+500ms\n< \"\(ok)\"\n"),
    .silent(
      "http/ttfb-slow", "a second is nothing on a path that takes a quarter of one",
      "> SYN\n+250ms\n< SYN ACK\n> ACK\n" + get() + "\n+1500ms\n< \"\(ok)\"\n"),
    .silent(
      "http/ttfb-slow", "it waits for the response before it on the same connection",
      handshake + get() + "\n" + get("/b") + "\n+500ms\n"
        + "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 4\\r\\n\\r\\nab\"\n+2s\n< \"cd\"\n< \"\(ok)\"\n"
    ),
  ]

  private static func bayeux(_ channel: String) -> String {
    let body = "[{\\\"channel\\\":\\\"\(channel)\\\"}]"
    return "> \"POST /faye HTTP/1.1\\r\\nHost: a\\r\\nContent-Type: application/json\\r\\n"
      + "Content-Length: \(channel.utf8.count + 16)\\r\\n\\r\\n\(body)\""
  }

  private static let begun =
    "< \"HTTP/1.1 200 OK\\r\\nContent-Type: application/zip\\r\\nContent-Length: 5000\\r\\n\\r\\n\"\n"
  private static let pieces =
    "< \"HTTP/1.1 200 OK\\r\\nContent-Type: application/zip\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n\"\n"
  private static func chunk(_ count: Int) -> String {
    "< \"\(String(count, radix: 16))\\r\\n\(String(repeating: "a", count: count))\\r\\n\""
  }

  private static let still: [RuleRow] = [
    .fires(
      "http/download-stall", "the second half of a body of known length comes after four seconds",
      handshake + get() + "\n" + begun + "< len=1400\n< len=1400 ①\n> ACK\n+4s\n< len=1400 ②\n> ACK\n< len=800\n",
      at: [1, 2], .toClient, confidence: .medium, cost: .delay(nanoseconds: 4_002_000_000),
      says: "4.002 s in the middle of a body of 5,000 B"),
    .fires(
      "http/download-stall", "nine chunks of one size, and a shorter one",
      handshake + get() + "\n" + pieces + String(repeating: chunk(1_000) + "\n", count: 5) + chunk(1_000)
        + " ①\n> ACK\n+4s\n" + chunk(1_000) + " ②\n" + String(repeating: chunk(1_000) + "\n", count: 2) + chunk(40)
        + "\n< \"0\\r\\n\\r\\n\"\n", at: [1, 2], .toClient, confidence: .medium,
      cost: .delay(nanoseconds: 4_002_000_000)),
    .fires(
      "http/download-stall", "the end of each packet is cut by the snapshot length",
      handshake + get() + "\n" + begun
        + "< len=1386 wire=1400\n< len=1386 wire=1400 ①\n> ACK\n+4s\n< len=1386 wire=1400 ②\n"
        + "> ACK\n< len=800\n",
      at: [1, 2], .toClient, confidence: .medium, cost: .delay(nanoseconds: 4_002_000_000)),
    .silent(
      "http/download-stall", "bytes in the pause were not captured",
      handshake + get() + "\n" + begun
        + "< len=1400\n< len=1400\n> ACK\n+2s\n< len=1400 !lost\n> ACK\n+2s\n< len=800\n> ACK\n"),
    .silent(
      "http/download-stall", "chunks of any size: there may have been nothing to say",
      handshake + get() + "\n" + pieces + (1...9).map { chunk($0 * 100) + "\n" }.joined() + "> ACK\n+4s\n" + chunk(900)
        + "\n< \"0\\r\\n\\r\\n\"\n"),
    .silent(
      "http/download-stall", "the client's window was closed",
      handshake + get() + "\n" + begun
        + "< len=1400\n< len=1400\n> ACK win=0\n+4s\n> ACK win=65535\n< len=1400\n< len=800\n"),
    .silent(
      "http/download-stall", "a segment was lost, and sent again late",
      handshake + get() + "\n" + begun + "< len=1400\n< len=1400 !lost\n< len=1400\n> ACK ack=1472\n+4s\n"
        + "< len=1400 @1472\n> ACK\n< len=800\n"),
    .silent(
      "http/download-stall", "the server sends by the clock",
      handshake + get() + "\n" + begun
        + "< len=1400\n> ACK\n+2s\n< len=1400\n> ACK\n+2s\n< len=1400\n> ACK\n+2s\n< len=800\n"),
    .silent(
      "http/download-stall", "a second",
      handshake + get() + "\n" + begun + "< len=1400\n> ACK\n+1s\n< len=1400\n< len=1400\n< len=800\n"),
  ]

  /// A client is told that a gateway is bad, and somebody's connection is refused.
  private static func proxy(refused: String, status line: String = "502 Bad Gateway") -> String {
    "== 10.0.0.1:40000 10.0.0.2:80\n" + handshake + get() + "\n+60ms\n" + status(line) + " ②\n"
      + "== \(refused)\n> SYN\n< RST ack=0 ①\n"
  }

  /// A gateway that waited for five seconds, and what was asked behind it.
  private static func gateway(_ behind: String, _ path: String = "/a") -> String {
    "== 10.0.0.1:40000 10.0.0.2:80\n" + handshake + get() + "\n+5s\n" + status("504 Gateway Time-out") + " ③\n"
      + "== \(behind) +1ms\n" + handshake + get(path) + " ①\n< ACK\n+4990ms\n> FIN ②\n< FIN\n"
  }

  /// A response whose beginning is there, while frames are still looked for behind a hole.
  private static let unread: [RuleRow] = {
    typealias S = HTTP2Script
    let asked = S.open + S.up(S.request(1)) + S.down(S.response(1))
    let begun = S.up(S.request(3)) + S.down(S.response(3)) + "+3s\n> FIN\n< FIN\n"
    return [
      .silent(
        "http/unanswered-request", "the response came behind a hole",
        asked + S.down(S.data(1, "lost"), "!lost") + "> ACK\n+500ms\n> ACK\n" + begun)
    ]
  }()

  private static let errors: [RuleRow] = [
    .fires(
      "http/server-error", "a gateway whose upstream does not answer", gateway("10.0.0.2:50000 10.0.0.3:9000"),
      at: [1, 2, 3], .toClient, cost: .failed(.exchange),
      says: "; 10.0.0.3:9000 behind it, asked for the same, answered nothing for 4.99"),
    .fires(
      "http/server-error", "the client asked another server for the same, and left both",
      gateway("10.0.0.1:50000 10.0.0.3:9000"), at: [3], .toClient, cost: .failed(.exchange),
      says: "504 Gateway Time-out, after 5.001 s."),
    .fires(
      "http/server-error", "the upstream was asked for something else",
      gateway("10.0.0.2:50000 10.0.0.3:9000", "/b"), at: [3], .toClient, cost: .failed(.exchange),
      says: "504 Gateway Time-out, after 5.001 s."),
    .fires(
      "http/server-error", "one request",
      handshake + get() + "\n" + status("501 Not Implemented") + " ①\n", at: [1],
      .toClient, cost: .failed(.exchange), says: "an error, 501 Not Implemented, after"),
    .fires(
      "http/server-error", "an endpoint, by the shape of its path",
      handshake + get("/order/1") + "\n" + status("500 Oops") + " ①\n" + get("/order/2") + "\n"
        + status("200 OK")
        + "\n"
        + get("/order/3") + "\n+700ms\n" + status("503 Busy") + " ②\n", at: [1, 2], .toClient,
      cost: .failed(.exchange),
      count: 2,
      says:
        "2 requests to this endpoint were answered with an error of the server (1 × 500, 1 × 503)"),
    .fires(
      "http/server-error", "a proxy whose upstream refuses", proxy(refused: "10.0.0.2:50000 10.0.0.3:9000 +10ms"),
      at: [1, 2], .toClient, cost: .failed(.exchange),
      says: "; before that, 10.0.0.3:9000 had refused a connection of its host"),
    .fires(
      "http/server-error", "a proxy whose upstream on the same host refuses",
      proxy(refused: "127.0.0.1:50000 127.0.0.1:9000 +10ms"), at: [1, 2], .toClient, cost: .failed(.exchange),
      says: "; before that, 127.0.0.1:9000 had refused a connection of its host"),
    .fires(
      "http/server-error", "a proxy that asks from another address",
      proxy(refused: "10.0.1.2:50000 10.0.1.3:9000 +58ms"), at: [1, 2], .toClient, cost: .failed(.exchange),
      says: "; before that, 10.0.1.3:9000 had refused a connection of 10.0.1.2"),
    .fires(
      "http/server-error", "the client itself was refused by another",
      proxy(refused: "10.0.0.1:50000 10.0.1.3:9000 +58ms"), at: [2], .toClient, cost: .failed(.exchange)),
    .fires(
      "http/server-error", "a server that fails, and something on its host was refused",
      proxy(refused: "127.0.0.1:50000 127.0.0.1:9000 +10ms", status: "500 Oops"), at: [2], .toClient,
      cost: .failed(.exchange), says: "500 Oops, after 61.0 ms."),
    .fires(
      "http/server-error", "another host was refused meanwhile", proxy(refused: "10.0.0.9:50000 10.0.0.3:9000 +10ms"),
      at: [2], .toClient, cost: .failed(.exchange), says: "502 Bad Gateway, after 61.0 ms."),
    .fires(
      "http/server-error", "it was refused when it had answered",
      proxy(refused: "10.0.0.2:50000 10.0.0.3:9000 +200ms"), at: [2], .toClient, cost: .failed(.exchange),
      says: "502 Bad Gateway, after 61.0 ms."),
    .silent(
      "http/server-error", "not found", handshake + get() + "\n" + status("404 Not Found") + "\n"),
    .silent(
      "http/server-error", "who are you",
      handshake + get() + "\n" + status("401 Unauthorized") + "\n"),
    .silent(
      "http/server-error", "not modified",
      handshake + get() + "\n" + status("304 Not Modified") + "\n"),
    .silent(
      "http/server-error", "a WebSocket that is refused has rules of its own",
      handshake
        + get(
          "/ws",
          "Connection: Upgrade\\r\\nUpgrade: websocket\\r\\nSec-WebSocket-Version: 13\\r\\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\\r\\n"
        ) + "\n" + status("502 Bad Gateway") + "\n"),
  ]

  private static func refused(_ code: String, _ words: String) -> String {
    handshake + get() + " ①\n< \"HTTP/1.1 \(code)\\r\\nContent-Length: \(words.utf8.count)\\r\\n\\r\\n\(words)\" ②\n"
  }

  private static let plain: [RuleRow] = [
    .fires(
      "http/plain-to-tls", "a server written in Go",
      refused("400 Bad Request", "Client sent an HTTP request to an HTTPS server."), at: [1, 2], .toServer,
      cost: .failed(.exchange), says: "10.0.0.2:80 expects TLS"),
    .fires(
      "http/plain-to-tls", "nginx",
      refused(
        "400 Bad Request",
        "<html><head><title>400 The plain HTTP request was sent to HTTPS port</title></head><body>nginx</body></html>"),
      at: [1, 2], .toServer, cost: .failed(.exchange)),
    .silent("http/plain-to-tls", "another bad request", refused("400 Bad Request", "Client sent an HTTP request.")),
    .silent(
      "http/plain-to-tls", "a page about such servers",
      refused("404 Not Found", "Client sent an HTTP request to an HTTPS server.")),
  ]

  private static let unanswered: [RuleRow] = [
    .fires(
      "http/unanswered-request", "the client leaves after five seconds",
      handshake + get() + " ①\n< ACK\n+5s\n> FIN ②\n< FIN\n", at: [1, 2], .toClient,
      severity: .warning,
      cost: .failed(.exchange), says: "the client left 5.002 s after the request"),
    .fires(
      "http/unanswered-request", "the client leaves, and the server never closes",
      handshake + get() + " ①\n< ACK\n+5s\n> FIN ②\n< ACK\n", at: [1, 2], .toClient, severity: .warning,
      cost: .failed(.exchange), says: "the client left 5.002 s after the request"),
    .fires(
      "http/unanswered-request", "the server's answer is too large for the path, and only its ACK comes",
      handshake + get() + " ①\n< ACK\n+5s\n> FIN ②\n< ACK seq+4293 ③\n", at: [1, 2, 3], .toClient,
      cost: .failed(.exchange), says: "the server had sent 4,293 B that never came"),
    .fires(
      "http/unanswered-request", "a server that closes within 300 ms held nothing, whatever the path is called",
      handshake + get("/api/notifications") + " ①\n< ACK\n+300ms\n< FIN ②\n> FIN\n", at: [1, 2], .toClient,
      cost: .failed(.exchange)),
    .fires(
      "http/unanswered-request", "the server closes a new connection at once",
      handshake + get() + " ①\n< FIN ②\n> FIN\n", at: [1, 2], .toClient, cost: .failed(.exchange),
      says: "the server closed 1.00 ms after the request, without one byte of an answer",
      fix: "it ended a new connection at once"),
    .silent(
      "http/unanswered-request", "the client closes its sending side at once, and may still be waiting",
      handshake + get() + "\n> FIN\n< ACK\n+50s\n> ACK\n"),
    .fires(
      "http/unanswered-request", "the server closes without a word",
      handshake + get() + " ①\n< ACK\n+700ms\n< FIN ②\n> FIN\n", at: [1, 2], .toClient,
      cost: .failed(.exchange),
      says: "the server closed 0.702 s after the request", fix: "find the request in its log"),
    .fires(
      "http/unanswered-request", "the server resets at once",
      handshake + get() + " ①\n< RST ②\n", at: [1, 2], .toClient, cost: .failed(.exchange),
      says: "the server reset the connection"),
    .fires(
      "http/unanswered-request", "a long poll that its client gives up: told, and no fault",
      handshake + get("/poll") + " ①\n< ACK\n+5s\n> FIN ②\n< FIN\n", at: [1, 2], .toClient,
      severity: .note,
      confidence: .medium),
    .fires(
      "http/unanswered-request", "a long poll that the server ends: told, and no fault",
      handshake + get("/poll") + " ①\n< ACK\n+5s\n< FIN ②\n> FIN\n", at: [1, 2], .toClient, severity: .note,
      confidence: .medium),
    .fires(
      "http/unanswered-request", "a long poll that the server resets",
      handshake + get("/poll") + " ①\n< ACK\n+5s\n< RST ②\n", at: [1, 2], .toClient, cost: .failed(.exchange)),
    .silent(
      "http/unanswered-request", "the client leaves after a second: it has changed its mind",
      handshake + get() + "\n< ACK\n+1s\n> FIN\n< FIN\n"),
    .silent(
      "http/unanswered-request", "the server's FIN crossed the first request of a connection that was opened early",
      handshake + "+60s\n" + get() + "\n< FIN now\n> FIN\n"),
    .silent(
      "http/unanswered-request", "the capture ends first",
      handshake + get() + "\n< ACK\n+50s\n> ACK\n"),
    .silent(
      "http/unanswered-request", "the server is not in the capture",
      get() + "\n+5s\n> FIN\n"),
    .silent(
      "http/unanswered-request", "the answer is not in the capture",
      handshake + get() + "\n< \"\(ok)\" !lost\n> ACK\n+5s\n> FIN\n< FIN\n"),
    .silent(
      "http/unanswered-request", "the response before had said close",
      handshake + get()
        + "\n< \"HTTP/1.1 200 OK\\r\\nConnection: close\\r\\nContent-Length: 0\\r\\n\\r\\n\"\n"
        + get("/b")
        + "\n+5s\n> FIN\n< FIN\n"),
  ]

  private static let idle: [RuleRow] = [
    .fires(
      "http/client-idle", "the request comes two seconds after the connection",
      "> SYN ①\n< SYN ACK\n> ACK\n+2s\n" + get() + " ②\n< \"\(ok)\"\n", at: [1, 2], .toServer,
      severity: .warning, cost: .delay(nanoseconds: 2_001_000_000),
      says: "sent its request 2.001 s after the connection was open"),
    .fires(
      "http/client-idle", "it had a connection to another server before: this one may be a spare one",
      "== 10.0.0.1:40001 10.0.0.3:80\n" + handshake + get() + "\n< \"\(ok)\"\n> FIN\n< FIN\n"
        + "== 10.0.0.1:40000 10.0.0.2:80 +500ms\n> SYN ①\n< SYN ACK\n> ACK\n+2s\n" + get() + " ②\n< \"\(ok)\"\n",
      at: [1, 2], .toServer, severity: .note, cost: .delay(nanoseconds: 2_001_000_000)),
    .fires(
      "http/client-idle", "a host that speaks to itself",
      "== 10.0.0.1:40000 10.0.0.1:80\n> SYN ①\n< SYN ACK\n> ACK\n+2s\n" + get() + " ②\n< \"\(ok)\"\n", at: [1, 2],
      .toServer, severity: .note, cost: .delay(nanoseconds: 2_001_000_000)),
    .silent(
      "http/client-idle", "a spare connection of a browser that has another one",
      "== 10.0.0.1:40000 10.0.0.2:80\n" + handshake + "+2s\n" + get() + "\n< \"\(ok)\"\n"
        + "== 10.0.0.1:40001 10.0.0.2:80 +1ms\n" + handshake + get() + "\n< \"\(ok)\"\n"),
    .silent(
      "http/client-idle", "another exchange is under way meanwhile",
      "== 10.0.0.1:40000 10.0.0.2:80\n" + handshake + "+2s\n" + get() + "\n< \"\(ok)\"\n"
        + "== 10.0.0.1:40001 10.0.0.3:80 +500ms\n" + handshake + get() + "\n< \"\(ok)\"\n"),
    .silent(
      "http/client-idle", "a connection that is kept for later",
      handshake + "+20s\n" + get() + "\n< \"\(ok)\"\n"),
    .silent(
      "http/client-idle", "half a second", handshake + "+500ms\n" + get() + "\n< \"\(ok)\"\n"),
  ]

  private static let foreign: [RuleRow] = [
    .fires(
      "http/not-http-server", "a server of another protocol",
      handshake + get() + " ①\n< \"SSH-2.0-OpenSSH_9.6\\r\\n\" ②\n> FIN\n< RST\n", at: [1, 2],
      .toClient,
      cost: .failed(.exchange), says: "is not HTTP/1.1: SSH"),
    .fires(
      "http/not-http-server", "a radio station of Shoutcast",
      handshake + get() + " ①\n< \"ICY 200 OK\\r\\nicy-metaint:8192\\r\\n\\r\\n\" ②\n> FIN\n< RST\n", at: [1, 2],
      .toClient, severity: .note, says: "a stream of Shoutcast, which is not read"),
    .silent(
      "http/unanswered-request", "a server of another protocol has answered",
      handshake + get() + "\n< \"SSH-2.0-OpenSSH_9.6\\r\\n\"\n+5s\n> FIN\n< RST\n"),
    .silent(
      "http/not-http-server", "what cannot be read comes behind an interim response",
      handshake + get() + "\n< \"HTTP/1.1 100 Continue\\r\\n\\r\\nhello\"\n> FIN\n< RST\n"),
    .silent(
      "http/not-http-server", "a server of HTTP",
      handshake + get() + "\n< \"\(ok)\"\n> FIN\n< FIN\n"),
    .silent(
      "http/not-http-server", "what cannot be read comes behind a response",
      handshake + get() + "\n< \"\(ok)\"\n" + get("/b")
        + "\n< \"SSH-2.0-OpenSSH_9.6\\r\\n\"\n> FIN\n< RST\n"),
    .silent(
      "http/not-http-server", "the capture begins in the middle of a connection",
      get() + "\n< \"SSH-2.0-OpenSSH_9.6\\r\\n\"\n> FIN\n< RST\n"),
    .fires(
      "http/response-cut", "the server closes behind its status line",
      handshake + get() + "\n< \"HTTP/1.0 200 OK\\r\\nServer: a\\r\\n\" ①\n< FIN ②\n> FIN\n",
      at: [1, 2], .toClient,
      cost: .failed(.exchange), says: "in the middle of the response's head"),
    .silent(
      "http/response-cut", "the client leaves in the middle of it",
      handshake + get() + "\n< \"HTTP/1.0 200 OK\\r\\nServer: a\\r\\n\"\n> FIN\n< FIN\n"),
    .silent(
      "http/response-cut", "the rest was sent, and not captured",
      handshake + get()
        + "\n< \"HTTP/1.0 200 OK\\r\\n\"\n< \"Server: a\\r\\n\\r\\n\" !lost\n> ACK\n< FIN\n> FIN\n"),
  ]
}
