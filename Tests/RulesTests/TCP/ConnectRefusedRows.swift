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
    .fires(
      rule, "A firewall answers the SYN with an ICMP error.", "> SYN ①\n< icmp=3/3 ②\n", at: [1, 2], .toClient,
      cost: .failed(.connection), says: "port unreachable, type 3 code 3"),
    .silent(rule, "The server answers in spite of an ICMP error.", "> SYN\n< icmp=3/1\n< SYN ACK\n> ACK\n"),
    .silent(
      rule, "An ICMP error about a segment that is too large, on an open connection.",
      handshake + "> len=1400\n< icmp=3/4\n"),
    .silent(
      rule, "The same where the server's packets are not in the capture.",
      "> SYN\n> ACK\n> len=1400\n< icmp=3/4\n> len=700 @0\n"),
    .silent(rule, "An ICMP error, and the client asks again.", "> SYN\n< icmp=3/1\n+1s\n> SYN\n"),
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
    .fires(
      rule, "localhost: ::1 refuses, and the client goes on to 127.0.0.1, which answers: nothing failed.",
      loopback6 + refused + loopback4("+3ms") + handshake, at: [1, 2], .toClient, severity: .note,
      says: "The client then asked 127.0.0.1:6379, the other address of localhost, and was not refused."),
    .fires(
      rule, "localhost: 127.0.0.1 is asked, and is slow to answer, so that ::1 is asked, too.",
      "== 127.0.0.1:40001 127.0.0.1:6379\n> SYN\n+900ms\n< SYN ACK\n> ACK\n"
        + loopback6.replacing("\n", with: " +200ms\n") + refused, at: [1, 2], .toClient, severity: .note,
      says: "The client had asked 127.0.0.1:6379, the other address of localhost, and was not refused."),
    .fires(
      rule, "localhost: 127.0.0.1 is asked long after ::1 refused, by another run of the client.",
      loopback6 + refused + loopback4("+5s") + handshake, at: [1, 2], .toClient, cost: .failed(.connection),
      says: "[::1]:6379 refused the connection: a reset came 1.00 ms after the SYN."),
    .fires(
      rule, "localhost: 127.0.0.1 has another port open.",
      loopback6 + refused + "== 127.0.0.1:40001 127.0.0.1:80 +3ms\n" + handshake, at: [1, 2], .toClient,
      cost: .failed(.connection)),
    .fires(
      rule, "A scan: that a closed port refuses is what it wants to know.", scanned(20), at: [1, 2], .toClient,
      severity: .note, says: "The client tried port after port of this address at that time: a scan."),
    .fires(
      rule, "A slow scan: one port of the client for all of them, which no ordinary client has.",
      scanned(5, fromOnePort: true), at: [1, 2], .toClient, severity: .note, says: "a scan."),
    .fires(
      rule, "A client of several services on one host, one of which is down.", scanned(6), at: [1, 2], .toClient,
      cost: .failed(.connection)),
    .fires(
      rule, "A service that is being started: its client asks until it is accepted.",
      attempt(1, "", "> SYN ①\n< RST ack=0 ②\n") + attempt(2, "+2s", "> SYN ③\n< RST ack=0 ④\n")
        + attempt(3, "+6s", "> SYN ⑤\n< RST ack=0 ⑥\n") + attempt(4, "+7500ms", handshake), at: [1, 2, 3, 4, 5, 6],
      .toClient, cost: .failed(.connection), count: 3,
      says:
        "after the SYN. 2 more attempts of this client failed, too, the last 6.000 s later. The attempt 1.499 s after it was accepted.",
      fix: "Server: start the service before its clients."),
    .fires(
      rule, "A service that is started at once.", attempt(1, "", refused) + attempt(2, "+1s", handshake), at: [1, 2],
      .toClient, cost: .failed(.connection), says: "after the SYN. The attempt 0.999 s later was accepted."),
    .fires(
      rule, "The client was accepted before, and not again.", attempt(1, "", handshake) + attempt(2, "+1s", refused),
      at: [1, 2], .toClient, cost: .failed(.connection),
      says: "after the SYN. An attempt 1.001 s before had been accepted.",
      fix: "it accepted connections before"),
    .fires(
      rule, "A service that is restarted.",
      attempt(1, "", handshake) + attempt(2, "+1s", refused) + attempt(3, "+3s", "> SYN ③\n< RST ack=0 ④\n")
        + attempt(4, "+4s", handshake), at: [1, 2, 3, 4], .toClient, cost: .failed(.connection), count: 2,
      says: "The attempt 0.999 s after it was accepted. An attempt 1.001 s before the first had been accepted.",
      fix: "it was restarted, or did not run for a while"),
    .fires(
      rule, "Another client is accepted: this one was not.",
      attempt(1, "", refused) + "== 10.0.0.9:40000 10.0.0.2:80 +1s\n" + handshake, at: [1, 2], .toClient,
      cost: .failed(.connection), fix: "have the service listen"),
  ]

  private static func attempt(_ number: Int, _ after: String, _ script: String) -> String {
    "== 10.0.0.1:\(40_000 + number) 10.0.0.2:80 \(after)\n" + script
  }

  private static let refused = "> SYN ①\n< RST ack=0 ②\n"
  private static let loopback6 = "== [::1]:40000 [::1]:6379\n"

  private static func loopback4(_ after: String) -> String { "== 127.0.0.1:40001 127.0.0.1:6379 \(after)\n" }

  /// The first of so many ports refuses, no other answers.
  private static func scanned(_ ports: Int, fromOnePort: Bool = false) -> String {
    (1...ports).map { port in
      "== 10.0.0.1:\(fromOnePort ? 40_000 : 40_000 + port) 10.0.0.2:\(port) +\(port * 20)ms\n"
        + (port == 1 ? refused : "> SYN\n")
    }.joined()
  }
}
