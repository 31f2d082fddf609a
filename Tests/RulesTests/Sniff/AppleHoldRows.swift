import Events
import Support

/// Responses that Apple clients hold, and those that they do not.
enum AppleHoldRows {
  private static let html = "Content-Type: text/html\\r\\n"
  private static let rest = "> ACK\n+3s\n< \"1f4\\r\\n\" len=500 \"\\r\\n\""
  private static let lastChunk = "< \"0\\r\\n\\r\\n\"\n> ACK\n"

  static let rows: [RuleRow] = hold + latent

  private static let hold: [RuleRow] = [
    .fires(
      "sniff/apple-512-hold", "the 512th byte comes three seconds after the first",
      SniffRows.request(SniffRows.urlSession, "①") + SniffRows.opening(html, "②") + rest + " ③\n" + lastChunk,
      at: [1, 2, 3], .toClient, cost: .delay(nanoseconds: 3_002_000_000), says: "that byte came 3.002 s after the first"
    ),
    .fires(
      "sniff/apple-512-hold", "the first byte comes in a packet of its own, and counts from there",
      SniffRows.request(SniffRows.urlSession, "①")
        + "< \"HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n\" ②\n+2s\n< \"50\\r\\n\" len=80 \"\\r\\n\" ③\n"
        + rest
        + " ④\n" + lastChunk,
      at: [1, 2, 3, 4], .toClient, cost: .delay(nanoseconds: 3_002_000_000), says: "an untyped body"),
    .fires(
      "sniff/apple-512-hold", "512 bytes are never reached, and the end releases them",
      SniffRows.request(SniffRows.urlSession, "①") + SniffRows.opening(html, "②")
        + "> ACK\n+5s\n< \"0\\r\\n\\r\\n\" ③\n",
      at: [1, 2, 3], .toClient, cost: .delay(nanoseconds: 5_002_000_000), says: "only 80 of 512 B"),
    .fires(
      "sniff/apple-512-hold", "the client gives up before",
      SniffRows.request(SniffRows.urlSession, "①") + SniffRows.opening(html, "②")
        + "> ACK\n+60s\n> FIN ③\n< FIN\n> ACK\n",
      at: [1, 2, 3], .toClient, severity: .error, cost: .failed(.exchange),
      says: "the client gave up 60.002 s after the first"),
    .fires(
      "sniff/apple-512-hold", "the client gives up with a reset",
      SniffRows.request(SniffRows.urlSession, "①") + SniffRows.opening(html, "②") + "> ACK\n+60s\n> RST ③\n",
      at: [1, 2, 3], .toClient, severity: .error, cost: .failed(.exchange), says: "with 80 of 512 B there"),
    .fires(
      "sniff/apple-512-hold", "the server ends a body without length, late",
      SniffRows.request(SniffRows.safari, "①")
        + "< \"HTTP/1.1 200 OK\\r\\nContent-Type: text/plain\\r\\n\\r\\nwait\" ②\n> ACK\n+2s\n< FIN ③\n> FIN\n< ACK\n",
      at: [1, 2, 3], .toClient, confidence: .low, cost: .delay(nanoseconds: 2_002_000_000),
      says: "Safari reports neither"),
    .fires(
      "sniff/apple-512-hold", "a client without User-Agent spells the coding as only URLSession does",
      handshake
        + "> \"POST /s HTTP/1.1\\r\\nHost: im.example\\r\\nTransfer-Encoding: Chunked\\r\\n\\r\\n0\\r\\n\\r\\n\" ①\n"
        + SniffRows.opening(html, "②") + rest + " ③\n" + lastChunk,
      at: [1, 2, 3], .toClient, confidence: .low, cost: .delay(nanoseconds: 3_002_000_000)),
    .silent(
      "sniff/apple-512-hold", "another type with the same timing",
      SniffRows.request(SniffRows.urlSession) + SniffRows.opening("Content-Type: application/octet-stream\\r\\n") + rest
        + "\n" + lastChunk),
    .silent(
      "sniff/apple-512-hold", "nosniff with the same timing",
      SniffRows.request(SniffRows.urlSession) + SniffRows.opening(html + "X-Content-Type-Options: NoSniff\\r\\n") + rest
        + "\n" + lastChunk),
    .silent(
      "sniff/apple-512-hold", "the same from a client that never holds",
      SniffRows.request(SniffRows.okhttp) + SniffRows.opening(html) + rest + "\n" + lastChunk),
    .silent(
      "sniff/apple-512-hold", "the same from Chrome, whose name holds Safari's",
      SniffRows.request(SniffRows.chrome) + SniffRows.opening(html) + rest + "\n" + lastChunk),
    .silent(
      "sniff/apple-512-hold", "the head waits for its body, and all of it comes at once",
      SniffRows.request(SniffRows.urlSession)
        + "< \"HTTP/1.1 200 OK\\r\\n\(html)Transfer-Encoding: chunked\\r\\n\\r\\n\"\n> ACK\n+3s\n< \"1f4\\r\\n\" len=500 \"\\r\\n\"\n< \"1f4\\r\\n\" len=500 \"\\r\\n\"\n"
        + lastChunk),
    .silent(
      "sniff/apple-512-hold", "512 bytes after 998 ms",
      SniffRows.request(SniffRows.urlSession) + SniffRows.opening(html)
        + "> ACK\n+996ms\n< \"1f4\\r\\n\" len=500 \"\\r\\n\"\n+9s\n" + lastChunk),
    .silent(
      "sniff/apple-512-hold", "a body that is over, on a connection that is kept",
      SniffRows.request(SniffRows.urlSession)
        + "< \"HTTP/1.1 200 OK\\r\\n\(html)Content-Length: 2\\r\\n\\r\\nok\"\n> ACK\n+60s\n> FIN\n< FIN\n> ACK\n"),
    .silent(
      "sniff/apple-512-hold", "bytes that the capture lacks hide where 512 was",
      SniffRows.request(SniffRows.urlSession) + SniffRows.opening(html)
        + "< \"1f4\\r\\n\" len=500 \"\\r\\n\" !lost\n> ACK\n+3s\n" + lastChunk),
  ]

  /// An exchange of HTTP/2 in the middle of a connection: its response has this block.
  private static func late(_ block: [UInt8]) -> String {
    typealias S = HTTP2Script
    let pings = (1...3).flatMap { S.frame(6, 0, 0, [UInt8](repeating: $0, count: 8)) }
    return S.up(pings + S.request(9)) + S.down(pings + S.frame(1, 4, 9, block) + S.data(9, "untyped"), "①")
      + "> ACK\n+3s\n" + S.down(S.data(9, String(repeating: "more ", count: 200), ends: true), "②") + S.end
  }

  private static let latent: [RuleRow] = [
    .fires(
      "sniff/apple-512-latent", "another client takes at once what Apple's would hold",
      SniffRows.request(SniffRows.okhttp, "①") + SniffRows.opening(html, "②") + rest + " ③\n" + lastChunk,
      at: [1, 2, 3], .toClient, says: "An Apple client would report neither"),
    .fires(
      "sniff/apple-512-latent", "nothing is known of the client",
      SniffRows.request("") + SniffRows.opening(html, "①") + rest + " ②\n" + lastChunk, at: [1, 2], .toClient),
    .silent(
      "sniff/apple-512-latent", "the client is Apple's, and did hold it",
      SniffRows.request(SniffRows.urlSession) + SniffRows.opening(html) + rest + "\n" + lastChunk),
    .silent(
      "sniff/apple-512-latent", "a type that nobody at Apple holds",
      SniffRows.request(SniffRows.okhttp) + SniffRows.opening("Content-Type: application/json\\r\\n") + rest + "\n"
        + lastChunk),
    .fires(
      "sniff/apple-512-latent", "a capture that began late shows a head without a type", late([0x88]), at: [1, 2],
      .toClient, confidence: .low),
    .silent(
      "sniff/apple-512-latent", "the type may be among the fields that were known before the capture",
      late([0x88, 0xBE])),
    .silent(
      "sniff/apple-512-latent", "a small body that comes whole",
      SniffRows.request(SniffRows.okhttp) + SniffRows.opening(html) + "> ACK\n" + lastChunk),
  ]
}
