import Events

enum ResetOutOfWindowRows {
  private static let rule: RuleID = "tcp/rst-out-of-window"

  static let rows: [RuleRow] = [
    .fires(
      rule, "A RST far ahead of the window.",
      handshake + "> \"data\"\n< ACK\n< RST seq+10000000 ①\n> \"more\"\n< ACK\n",
      at: [1], .toClient, says: "in the name of the server"),
    .fires(
      rule, "A RST for data of long ago.", handshake + "> len=5000\n< ACK\n> RST seq-5000 ①\n> \"more\"\n< ACK\n",
      at: [1],
      .toServer, says: "5,000 sequence numbers outside"),
    .fires(
      rule, "Three of them in one direction are one finding.",
      handshake + "> \"data\"\n< ACK\n< RST seq+900000 ①\n< RST seq+910000 ②\n< RST seq+920000 ③\n> \"more\"\n< ACK\n",
      at: [1, 2, 3], .toClient, count: 3),
    .silent(rule, "A RST at the expected number.", handshake + "> \"data\"\n< ACK\n< RST\n"),
    .silent(
      rule, "A RST at the number of its sender's FIN, as Darwin sends it: Linux takes it.",
      handshake + "> \"data\"\n< ACK\n> FIN\n< ACK\n> RST seq-1\n"),
    .fires(
      rule, "The same behind data is outside.",
      handshake + "> \"data\"\n< ACK\n> RST seq-1 ①\n> \"more\"\n< ACK\n", at: [1], .toServer),
    .silent(rule, "A RST inside the window.", handshake + "> \"data\"\n< ACK\n< RST seq+100\n"),
    .silent(
      rule, "A RST just below the end of a scaled window.",
      "> SYN scale=7\n< SYN ACK scale=7\n> ACK win=512\n> \"data\"\n< ACK\n< RST seq+65000\n"),
    .silent(
      rule, "The receiver was never captured, so its window is not known.",
      "> SYN\n> ACK ack=0\n> \"data\"\n> RST seq+10000000\n"),
    .silent(rule, "A SYN refused.", "> SYN\n< RST ack=0\n"),
    .silent(rule, "A FIN far outside the window is no RST.", handshake + "> \"data\"\n< ACK\n< FIN seq+10000000\n"),
  ]
}
