import Events

/// Uplinks and downlinks on two connections.
enum PairingRows {
  private static let rule: RuleID = "stream/pairing-missing"

  static let rows: [RuleRow] = held + orphans + strays

  private static func uplink(
    id: String = "X-Connection-ID: 7f3a91", path: String = "/up", client: String = "10.0.0.1:40000",
    after: String = "+0ms", _ script: String
  ) -> String {
    "== \(client) 10.0.0.2:80 \(after)\n\(handshake)"
      + "> \"POST \(path) HTTP/1.1\\r\\nHost: im.example\\r\\nTransfer-Encoding: chunked\\r\\n\(id)\\r\\n\\r\\n\" \(script)"
  }

  private static func downlink(
    to target: String = "/down?cid=7f3a91", client: String = "10.0.0.1:40001", after: String = "+100ms",
    _ script: String
  ) -> String {
    "== \(client) 10.0.0.2:80 \(after)\n\(handshake)"
      + "> \"GET \(target) HTTP/1.1\\r\\nHost: im.example\\r\\n\\r\\n\" \(script)"
  }

  private static let chunk = "> \"5\\r\\nhello\\r\\n\""
  private static let stream = "< \"HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n4\\r\\nopen\\r\\n\""
  private static let piece = "< \"4\\r\\nmore\\r\\n\""
  private static let goingOn = "+300ms\n\(piece)\n> ACK\n+300ms\n\(piece)\n> ACK\n"

  private static let held: [RuleRow] = [
    .fires(
      rule, "The downlink's head comes with the uplink's first chunk.",
      uplink("\n+2s\n\(chunk) ②\n+300ms\n\(chunk)\n")
        + downlink("①\n+1912ms\n\(stream) ③\n> ACK\n\(goingOn)"), at: [1, 2, 3], .toClient,
      cost: .delay(nanoseconds: 1_913_000_000),
      says: "came 1.913 s after the request, and 12.0 ms after the next bytes of its uplink on connection #1"),
    .fires(
      rule, "The uplink had said hello before; the head waits for what comes next.",
      uplink("\n\(chunk)\n+1500ms\n\(chunk) ②\n+300ms\n\(chunk)\n")
        + downlink("①\n+1430ms\n\(stream) ③\n> ACK\n\(goingOn)"), at: [1, 2, 3], .toClient,
      cost: .delay(nanoseconds: 1_431_000_000)),
    .fires(
      rule, "A long word of the path is all that they share: it may be of what both are about.",
      uplink(id: "X: 1", path: "/up/6f1d2c3b4a59", "\n+2s\n\(chunk) ②\n+300ms\n\(chunk)\n")
        + downlink(to: "/down/6f1d2c3b4a59", "①\n+1912ms\n\(stream) ③\n> ACK\n\(goingOn)"), at: [1, 2, 3], .toClient,
      confidence: .low, says: "Both have the same id in the path."),
    .silent(
      rule, "They share the id of a user, who asks for many things.",
      uplink(id: "X-UID: 7f3a91", "\n+2s\n\(chunk)\n+300ms\n\(chunk)\n")
        + downlink(to: "/search?uid=7f3a91", "\n+1912ms\n\(stream)\n> ACK\n\(goingOn)")),
    .silent(
      rule, "The downlink is answered at once.",
      uplink("\n\(chunk)\n+1500ms\n\(chunk)\n+300ms\n\(chunk)\n") + downlink("\n\(stream)\n> ACK\n\(goingOn)")),
    .silent(
      rule, "Late, and the uplink had been sending all the time: something else was slow.",
      uplink("\n\(chunk)\n" + String(repeating: "+250ms\n\(chunk)\n", count: 12))
        + downlink("\n+1915ms\n\(stream)\n> ACK\n\(goingOn)")),
    .silent(
      rule, "No id joins them.",
      uplink(id: "X-Trace: 7f3a91", "\n+2s\n\(chunk)\n+300ms\n\(chunk)\n")
        + downlink("\n+1912ms\n\(stream)\n> ACK\n\(goingOn)")),
    .silent(
      rule, "Another client's downlink has the same id.",
      uplink("\n+2s\n\(chunk)\n+300ms\n\(chunk)\n")
        + downlink(client: "10.0.0.9:40001", "\n+1912ms\n\(stream)\n> ACK\n\(goingOn)")),
    .silent(
      rule, "Opened eight seconds before, for something else.",
      uplink("\n\(chunk)\n+9900ms\n\(chunk)\n+300ms\n\(chunk)\n")
        + downlink(after: "+8s", "\n+1913ms\n\(stream)\n> ACK\n\(goingOn)")),
  ]

  private static let orphans: [RuleRow] = [
    .fires(
      rule, "The uplink is reset, and the downlink goes on for ten seconds, to its proper end.",
      uplink("②\n\(chunk)\n+1s\n< RST ③\n")
        + downlink("①\n\(stream)\n> ACK\n+6s\n\(piece)\n> ACK\n+5s\n< \"0\\r\\n\\r\\n\" ④\n> ACK\n"),
      at: [1, 2, 3, 4], .toClient,
      says: "stayed open for 10.103 s after a reset from the server had cut off its uplink, POST /up → no response on"),
    .fires(
      rule, "The server closes the downlink in the middle, and the client writes on until the capture ends.",
      uplink("①\n\(chunk)\n" + String(repeating: "+2s\n\(chunk)\n> ACK\n", count: 4) + "+2s\n\(chunk) ④\n")
        + downlink("②\n\(stream)\n> ACK\n+1s\n< FIN ③\n> FIN\n"), at: [1, 2, 3, 4], .toServer,
      cost: .delay(nanoseconds: 8_907_000_000), says: "after a FIN from the server had cut off its downlink"),
    .fires(
      rule, "The uplink is reset, and ten seconds later the downlink, too.",
      uplink("②\n\(chunk)\n+1s\n< RST ③\n")
        + downlink("①\n\(stream)\n> ACK\n+6s\n\(piece)\n> ACK\n+5s\n< RST ④\n"), at: [1, 2, 3, 4], .toClient,
      cost: .delay(nanoseconds: 10_103_000_000)),
    .silent(
      rule, "They shared the id of a user: the other one is a download of its own.",
      uplink(id: "X-UID: 7f3a91", "\n\(chunk)\n+1s\n< RST\n")
        + downlink(
          to: "/file?uid=7f3a91", "\n\(stream)\n> ACK\n+6s\n\(piece)\n> ACK\n+5s\n< \"0\\r\\n\\r\\n\"\n> ACK\n")),
    .silent(
      rule, "The other half follows within a second.",
      uplink("\n\(chunk)\n+1s\n< RST\n") + downlink("\n\(stream)\n> ACK\n+1500ms\n\(piece)\n> ACK\n< FIN\n> FIN\n")),
    .silent(
      rule, "The uplink ends in order, and the downlink goes on: a half close.",
      uplink(
        "\n\(chunk)\n+1s\n\(chunk)\n> \"0\\r\\n\\r\\n\"\n< \"HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n\"\n")
        + downlink("\n\(stream)\n> ACK\n+6s\n\(piece)\n> ACK\n+5s\n\(piece)\n> ACK\n")),
    .silent(
      rule, "A new uplink takes the place of the dead one.",
      uplink("\n\(chunk)\n+1s\n< RST\n")
        + uplink(client: "10.0.0.1:40002", after: "+3s", "\n\(chunk)\n+6s\n\(chunk)\n")
        + downlink("\n\(stream)\n> ACK\n+6s\n\(piece)\n> ACK\n+5s\n\(piece)\n> ACK\n")),
  ]

  private static let strays: [RuleRow] = [
    .fires(
      rule, "Each half has an id of its own, and the downlink is answered late.",
      uplink(id: "X-Session-ID: a1b2c3", "①\n\(chunk)\n+300ms\n\(chunk)\n+3s\n\(chunk)\n")
        + downlink(to: "/down?session_id=a1b2c4", "②\n+2s\n\(stream) ③\n> ACK\n\(goingOn)"), at: [1, 2, 3], .toServer,
      confidence: .low, cost: .delay(nanoseconds: 2_001_000_000), says: "has another value of X-Session-ID"),
    .fires(
      rule, "The ids stand in the first words of both, and the downlink is answered without a body.",
      uplink(id: "X: 1", "①\n> \"11\\r\\n{\\x22cid\\x22: \\x227f3a91\\x22}\\r\\n\"\n+300ms\n\(chunk)\n+3s\n\(chunk)\n")
        + downlink(to: "/down?cid=7f3a92", "②\n< \"HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n\" ③\n> ACK\n"),
      at: [1, 2, 3],
      .toServer, confidence: .low, says: "was answered at once and without a body"),
    .silent(
      rule, "Two conversations at once, each half with its own partner.",
      uplink("\n\(chunk)\n+300ms\n\(chunk)\n+3s\n\(chunk)\n")
        + uplink(
          id: "cid: 880011", client: "10.0.0.1:40002", after: "+50ms", "\n\(chunk)\n+300ms\n\(chunk)\n+3s\n\(chunk)\n")
        + downlink(to: "/down?cid=880011", "\n+2s\n\(stream)\n> ACK\n\(goingOn)")
        + downlink(client: "10.0.0.1:40003", after: "+120ms", "\n\(stream)\n> ACK\n\(goingOn)")),
    .silent(
      rule, "An id of something else differs.",
      uplink(id: "X-Request-ID: a1b2c3", "\n\(chunk)\n+300ms\n\(chunk)\n+3s\n\(chunk)\n")
        + downlink(to: "/down?id=a1b2c4&request_id=99", "\n+2s\n\(stream)\n> ACK\n\(goingOn)")),
    .silent(
      rule, "The downlink is answered at once, and says something.",
      uplink(id: "sid: a1b2c3", "\n\(chunk)\n+300ms\n\(chunk)\n+3s\n\(chunk)\n")
        + downlink(to: "/down?sid=a1b2c4", "\n\(stream)\n> ACK\n\(goingOn)")),
  ]
}
