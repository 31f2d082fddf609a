import Events

enum ResetOfMessageRows {
  private static let cut: RuleID = "tcp/rst-mid-message"
  private static let abortive: RuleID = "tcp/rst-abortive-close"
  private static let ask = "> \"GET / HTTP/1.1\\r\\nHost: a.example\\r\\n\\r\\n\"\n"

  static let rows: [RuleRow] = [
    .fires(
      cut, "The server resets in the middle of its response.",
      handshake + ask + "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 10\\r\\n\\r\\nabc\" ①\n> ACK\n+1s\n< RST ②\n",
      at: [1, 2],
      .toClient, cost: .failed(.exchange),
      says: "the server reset the connection 1.002 s after 3 B of the response's body"),
    .fires(
      cut, "The server resets an upload.",
      handshake
        + "> \"POST / HTTP/1.1\\r\\nHost: a.example\\r\\nContent-Length: 10\\r\\n\\r\\nabc\" ①\n< ACK\n> \"def\" ②\n< ACK\n< RST ③\n",
      at: [1, 2, 3], .toClient, cost: .failed(.exchange), says: "which it was receiving"),
    .fires(
      cut, "The client cancels a download: nobody is known to be hurt.",
      handshake + ask + "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 10\\r\\n\\r\\nabc\" ①\n> ACK\n> RST ②\n", at: [1, 2],
      .toServer),
    .silent(
      cut, "The message is complete, then comes the reset.",
      handshake + ask + "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 3\\r\\n\\r\\nabc\"\n> ACK\n< RST\n"),
    .silent(
      cut, "The client had left when the server reset the connection.",
      handshake + ask + "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 10\\r\\n\\r\\nabc\"\n> ACK\n+1s\n> FIN\n< RST\n"),
    .fires(
      cut, "The client shut its own side down and read on.",
      handshake + ask
        + "> FIN\n< \"HTTP/1.1 200 OK\\r\\nContent-Length: 10\\r\\n\\r\\nabc\" ①\n> ACK\n+1s\n< RST ②\n",
      at: [1, 2], .toClient, cost: .failed(.exchange)),
    .silent(
      cut, "A FIN cuts it off, not a reset.",
      handshake + ask + "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 10\\r\\n\\r\\nabc\" FIN\n> FIN\n< ACK\n"),
    .silent(
      cut, "The reset stands behind bytes that the capture does not show.",
      handshake + ask + "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 10\\r\\n\\r\\nabc\"\n> ACK\n< RST seq+7\n"),
    .silent(
      cut, "Of the request only the first word was captured; it was answered.",
      handshake
        + "> \"GET /a\" wire=60\n< \"HTTP/1.1 200 OK\\r\\nContent-Length: 3\\r\\n\\r\\nabc\"\n> ACK\n< RST\n"),
    .silent(
      cut, "A part of the message is not in the capture.",
      handshake + ask
        + "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 10\\r\\n\\r\\nabc\"\n< \"def\" !lost\n> ACK\n+1s\n< \"g\"\n> ACK\n< RST\n"
    ),
    .fires(
      abortive, "The client resets instead of closing, when all is said.",
      handshake + ask + "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 3\\r\\n\\r\\nabc\" ①\n> ACK\n+5s\n> RST ②\n",
      at: [1, 2],
      .toServer, says: "5.002 s after the last exchange"),
    .silent(
      abortive, "It closes with a FIN, and resets then.",
      handshake + ask + "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 3\\r\\n\\r\\nabc\"\n> FIN\n< ACK\n> RST\n"),
    .silent(
      abortive, "The last response is not complete.",
      handshake + ask + "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 9\\r\\n\\r\\nabc\"\n> ACK\n> RST\n"),
    .silent(
      abortive, "What went through the tunnel may not have been complete.",
      handshake
        + "> \"GET / HTTP/1.1\\r\\nHost: a.example\\r\\nConnection: upgrade\\r\\nUpgrade: x\\r\\n\\r\\n\"\n< \"HTTP/1.1 101 Switching Protocols\\r\\nConnection: upgrade\\r\\nUpgrade: x\\r\\n\\r\\n\"\n> ACK\n> len=9\n< ACK\n> RST\n"
    ),
  ]
}
