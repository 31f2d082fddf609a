import Events

enum ChallengeAckRows {
  private static let rule: RuleID = "tcp/challenge-ack"
  private static let challenge = "> SYN ①\n< ACK ack=3000000000 seq+70000 ②\n"

  static let rows: [RuleRow] = [
    .fires(
      rule, "The client resets the earlier connection, and its next SYN is answered.",
      challenge + "> RST seq+3000000000 ③\n+3s\n> SYN ④\n< SYN ACK ⑤\n> ACK\n", at: [1, 2, 3, 4, 5], .toServer,
      cost: .delay(nanoseconds: 3_003_000_000), says: "after 1.00 ms with an ACK for an earlier connection"),
    .fires(
      rule, "The reset does not reach the server, and no SYN is answered.",
      challenge
        + "> RST seq+3000000000 ③\n+1s\n> SYN\n< ACK ack=3000000000 seq+70000\n> RST seq+3000000000\n+2s\n> SYN ④\n",
      at: [1, 2, 3, 4], .toServer, confidence: .medium, cost: .failed(.connection),
      says: "no connection was established"),
    .silent(rule, "The SYN is lost.", "> SYN\n+3s\n> SYN\n< SYN ACK\n> ACK\n"),
    .silent(
      rule, "The SYN-ACK was not captured, and the ACK acknowledges the SYN.",
      "> SYN\n< SYN ACK !lost\n> ACK !lost\n< ACK\n+3s\n< \"hello\"\n"),
    .silent(
      rule, "The capture ends before the client asks again.", challenge + "> RST seq+3000000000\n"),
    .silent(
      rule, "The client asks again at once.",
      challenge + "> RST seq+3000000000\n> SYN\n< SYN ACK\n> ACK\n"),
  ]
}
