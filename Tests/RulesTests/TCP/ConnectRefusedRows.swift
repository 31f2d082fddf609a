import Events

enum ConnectRefusedRows {
  private static let rule: RuleID = "tcp/connect-refused"

  static let rows: [RuleRow] = [
    .fires(
      rule, "A RST answers the SYN.", "> SYN ①\n+19ms\n< RST ack=0 ②\n", at: [1, 2], .toClient,
      cost: .failed(.connection), says: "10.0.0.2:80 refused the connection: a reset came 20.0 ms after the SYN."),
    .fires(
      rule, "The client asks again and is refused again: one connection, refused.",
      "> SYN ①\n< RST ack=0 ②\n+500ms\n> SYN\n< RST ack=0\n", at: [1, 2], .toClient, cost: .failed(.connection),
      says: "1.00 ms after"),
    .fires(
      rule, "The first SYN was lost on the way, the second one is answered by a RST.",
      "> SYN ①\n+1s\n> SYN ②\n< RST ack=0 ③\n", at: [1, 2, 3], .toClient, cost: .failed(.connection),
      says: "a reset came 1.00 ms after the last SYN, 1.002 s after the first."),
    .silent(rule, "Nobody answers the SYN.", "> SYN\n+1s\n> SYN\n+2s\n> SYN\n"),
    .silent(rule, "The server accepts and then resets.", handshake + "< RST\n"),
    .silent(
      rule, "A RST right after the SYN-ACK comes from an application, not from a closed port.",
      "> SYN\n< SYN ACK\n< RST\n"),
    .silent(rule, "The client gives its own SYN up.", "> SYN\n> RST seq+1\n"),
    .silent(rule, "A connection joined in the middle is reset.", "> \"data\"\n< ACK\n< RST\n"),
    .silent(
      rule, "The RST acknowledges something that was never sent, so the client ignores it.",
      "> SYN\n< RST ack=5000\n< SYN ACK\n> ACK\n"),
    .silent(rule, "A RST that acknowledges nothing answers no SYN.", "> SYN\n< RST\n< SYN ACK\n> ACK\n"),
    .silent(
      rule, "The server answers after all: the reset was not its own.",
      "> SYN\n< RST ack=0\n< SYN ACK\n> ACK\n> len=9\n< ACK\n"),
  ]
}
