import Events

enum WriteAfterPeerFinRows {
  private static let rule: RuleID = "tcp/write-after-peer-fin"

  static let rows: [RuleRow] = [
    .silent(
      rule, "A TLS alert and nothing else: the client's own farewell, as long as it is.",
      handshake + "> len=500\n< ACK\n< len=90 FIN\n> x\"15030300e0\" len=224\n< RST\n"),
    .silent(
      rule, "What was under way is lost; the client closes by itself.",
      handshake + "> len=500\n< ACK\n> len=500\n< \"moved\" FIN ack=500\n> FIN\n< RST\n"),
    .fires(
      rule, "The server says an error, closes, and resets what the client writes on.",
      handshake + "> len=500\n< ACK\n< \"error!\" FIN ①\n> len=500 ②\n< RST ③\n> len=300 ④\n", at: [1, 2, 3, 4],
      .toServer, cost: .lost(bytes: 800),
      says: "sent 2 segments of data after the server's FIN: at least 800 B from offset 500"),
    .fires(
      rule, "The first reset carries the number of before the FIN, so the client ignores it and writes on.",
      handshake + "> len=500\n< ACK\n< \"error!\" FIN ①\n> len=500 ②\n< RST seq-7 ③\n> len=300 ④\n< RST\n",
      at: [1, 2, 3, 4], .toServer, cost: .lost(bytes: 800)),
    .fires(
      rule, "The data was under way when the FIN came.",
      handshake + "> len=500\n< ACK\n> len=400 ①\n< \"error!\" FIN ack=500 ②\n< RST ③\n", at: [1, 2, 3], .toServer,
      cost: .lost(bytes: 400), says: "had data under way when the server closed: at least 400 B from offset 500"),
    .fires(
      rule, "The data comes after the FIN and does not acknowledge it: it was under way on the other side's network.",
      handshake + "> len=500\n< ACK\n< \"error!\" FIN ①\n> len=500 ack=0 ②\n< RST ③\n", at: [1, 2, 3], .toServer,
      cost: .lost(bytes: 500), says: "had data under way when the server closed: at least 500 B from offset 500"),
    .fires(
      rule, "Nobody answers any more: the client sends it again and again.",
      handshake + "< FIN ①\n> len=500 ②\n+300ms\n> len=500 @0\n+600ms\n> len=500 @0 ③\n", at: [1, 2, 3], .toServer,
      cost: .lost(bytes: 500), says: "and nothing answers", fix: "it closed a new connection before it got a request"),
    .fires(
      rule, "The server closes a connection that was opened ahead and not used.",
      handshake + "+5s\n< FIN ①\n+10ms\n> len=500 ②\n< RST ③\n", at: [1, 2, 3], .toServer, cost: .lost(bytes: 500),
      fix: "resume from offset 0"),
    .fires(
      rule, "The client has closed and will not hear what the server still says: its own choice.",
      handshake + "> len=100\n< ACK\n> FIN ①\n< len=500 ②\n> RST ③\n", at: [1, 2, 3], .toClient, severity: .warning),
    .fires(
      rule, "One small segment may be a goodbye, so nobody is known to be hurt.",
      handshake + "> len=500\n< ACK\n< FIN ①\n> len=31 ②\n< RST ③\n", at: [1, 2, 3], .toServer, confidence: .low),
    .fires(
      rule, "What answers a ping and the Close of a WebSocket is nobody's loss.",
      handshake + WebSocketRows.ask(marker: "") + WebSocketRows.switching(marker: "") + "> ACK\n"
        + SocketFrames.down(9, "1") + "> ACK\n+2s\n" + SocketFrames.down(8, bytes: SocketFrames.close(1011))
        + "< FIN ①\n+2s\n"
        + SocketFrames.up(10, "1", "②") + "< RST ③\n" + SocketFrames.up(8, "", "④", bytes: SocketFrames.close(1011)),
      at: [1, 2, 3, 4], .toServer, confidence: .low),
    .silent(
      rule, "The server closed its sending side only, and takes the rest.",
      handshake + "> len=100\n< \"500\" FIN\n> len=300\n< ack=400\n> FIN\n< ACK\n"),
    .silent(
      rule, "The client closed its sending side only, and reads the response.",
      handshake + "> len=100\n> FIN\n< len=500\n> ACK\n< FIN\n> ACK\n"),
    .silent(
      rule, "The server's newest packets are not in the capture, and with them what they acknowledged.",
      handshake + "> len=500\n< \"a\" !lost\n< \"b\" !lost\n< ack=0 FIN\n> len=500\n< RST\n"),
    .silent(
      rule, "A TLS alert and a FIN answer the server's FIN; its reset hurts nobody.",
      handshake + "> len=100\n< len=100 FIN\n> len=31\n> FIN\n< RST\n"),
    .silent(
      rule, "The client has closed; the server's goodbye comes in two segments.",
      handshake + "> len=100\n< len=300\n> FIN\n< len=2\n< len=2 now\n> RST\n"),
    .silent(rule, "The capture ends before anything could answer.", handshake + "> len=9\n< FIN\n> len=500\n"),
    .silent(
      rule, "Nothing was sent after the FIN, and all before it was acknowledged.",
      handshake + "> len=500\n< FIN\n> ACK\n< RST\n"),
    .silent(rule, "A reset without a FIN.", handshake + "> len=500\n> len=500\n< RST\n"),
  ]
}

enum ResetAfterFinRows {
  private static let rule: RuleID = "tcp/rst-after-fin"

  static let rows: [RuleRow] = [
    .silent(
      rule, "What was under way is lost; the client closes by itself, and wrote nothing into the void.",
      handshake + "> len=500\n< ACK\n> len=500\n< \"moved\" FIN ack=500\n> FIN\n< RST\n"),
    .fires(
      rule, "Data meets the closed socket.", handshake + "> len=500\n< ACK\n< len=9 FIN ①\n> len=500 ②\n< RST ③\n",
      at: [1, 2, 3], .toClient, cost: .lost(bytes: 500), says: "2.00 ms later"),
    .fires(
      rule, "Only an acknowledgement comes, and it is enough.",
      handshake + "> len=500\n< len=9\n> ACK\n< FIN ①\n> ACK ②\n+3s\n< RST ③\n", at: [1, 2, 3], .toClient),
    .fires(
      rule, "The first reset is below the window, the second ends the connection.",
      handshake + "> len=500\n< ACK\n< len=9 FIN ①\n> len=500 ②\n< RST seq-10 ③\n< RST ④\n", at: [1, 2, 3, 4],
      .toClient, cost: .lost(bytes: 500)),
    .fires(
      rule, "The client hangs up on a response.",
      handshake + "> len=100\n< len=1000\n> FIN ①\n< len=1000 ②\n> RST ③\n", at: [1, 2, 3], .toServer),
    .silent(rule, "Both have closed; the reset saves waiting.", handshake + "> len=9\n< FIN\n> FIN\n< ACK\n> RST\n"),
    .silent(rule, "A reset without a FIN.", handshake + "> len=500\n< len=9\n> ACK\n< RST\n"),
    .silent(rule, "The other side resets.", handshake + "> len=500\n< len=9 FIN\n> RST\n"),
    .silent(
      rule, "The FIN and the reset follow each other with nothing between.", handshake + "> len=9\n< FIN\n< RST\n"),
    .silent(
      rule, "A WebSocket's Close frame answers the client's FIN.",
      handshake + "> len=100\n< len=300\n> FIN\n< len=4\n> RST\n"),
    .silent(
      rule, "The same in two segments.",
      handshake + "> len=100\n< len=300\n> FIN\n< len=2\n< len=2 now\n> RST\n"),
    .silent(
      rule, "What was sent before the FIN is captured once more behind it.",
      handshake + "> len=100\n< ACK\n> \"once\" id=7\n< ack=104 FIN\n> \"once\" @100 id=7 ack=0\n< RST\n"),
  ]
}

enum ResetDiscardsResponseRows {
  private static let rule: RuleID = "tcp/rst-discards-response"

  static let rows: [RuleRow] = [
    .fires(
      rule, "The server answers in the middle of an upload and resets.",
      handshake + "> len=500\n< ACK\n> len=500\n< \"too large\" ack=500 ①\n> len=500 ②\n+5ms\n< RST ③\n",
      at: [1, 2, 3], .toClient, cost: .lost(bytes: 1_000), says: "7.00 ms after its last data"),
    .silent(
      rule, "The client had the answer, and closed before the reset.",
      handshake + "> len=500\n< ACK\n> len=500 !lost\n< \"moved\" FIN ack=500\n> len=500 @1000\n> FIN\n< RST\n"),
    .silent(
      rule, "The reset comes long after the answer.",
      handshake + "> len=500\n< ACK\n> len=500\n< \"too large\" ack=500\n> len=500\n+2s\n< RST\n"),
    .silent(
      rule, "The reset itself acknowledges what the client had sent.",
      handshake + "> len=500\n< ACK\n> len=500\n< \"too large\" ack=500\n> len=500\n+5ms\n< RST ack=1500\n"),
    .silent(
      rule,
      "The reset stands behind bytes that are not in the capture, and neither are the acknowledgements with them.",
      handshake + "> len=500\n< ACK\n> len=500\n< \"too large\" ack=500\n> len=500\n< \"bye\" !lost\n< RST\n"),
    .silent(rule, "All was acknowledged.", handshake + "> len=500\n< \"answer\"\n> ACK\n< RST\n"),
    .silent(
      rule, "A goodbye of a few bytes was outstanding.",
      handshake + "> len=500\n< len=4\n> len=8\n< RST\n"),
    .silent(
      rule, "The client resets on a response it does not want.",
      handshake + "> len=500\n< len=1000\n< len=1000\n> RST\n"),
    .silent(rule, "The server had said nothing.", handshake + "> len=500\n> len=500\n< RST\n"),
  ]
}

enum FinWithDataRows {
  private static let rule: RuleID = "tcp/fin-with-data"

  static let rows: [RuleRow] = [
    .fires(
      rule, "An error and the FIN in one segment, while the client writes.",
      handshake + "> len=500\n< ACK\n< \"error!\" FIN ①\n> len=500 ②\n< RST\n", at: [1, 2], .toClient,
      says: "last 6 B and its FIN came in one segment, with at least 500 B"),
    .silent(
      rule, "A response and the FIN in one segment, and nothing outstanding.",
      handshake + "> len=500\n< \"answer\" FIN\n> FIN\n< ACK\n"),
    .silent(
      rule, "The FIN has a segment of its own.",
      handshake + "> len=500\n< \"error!\"\n< FIN\n> len=500\n< RST\n"),
    .silent(
      rule, "What the client still wrote was taken.",
      handshake + "> len=500\n< \"error!\" FIN\n> len=500\n< ACK\n> FIN\n< ACK\n"),
  ]
}

enum HalfCloseRows {
  private static let rule: RuleID = "tcp/half-close"

  static let rows: [RuleRow] = [
    .fires(
      rule, "The response comes after the client's FIN, and is taken.",
      handshake + "> len=100\n> FIN ①\n< ACK\n+20ms\n< len=500 ②\n> ACK\n< FIN\n> ACK\n", at: [1, 2], .toServer,
      says: "22.0 ms after the client's FIN"),
    .silent(
      rule, "The client has gone, and refuses the response.",
      handshake + "> len=100\n> FIN\n< ACK\n< len=500\n> RST\n"),
    .silent(rule, "The server only says goodbye.", handshake + "> len=100\n> FIN\n< len=31\n< FIN\n> ACK\n"),
    .silent(rule, "The server closed first.", handshake + "> len=100\n< len=500 FIN\n> FIN\n< ACK\n"),
  ]
}
