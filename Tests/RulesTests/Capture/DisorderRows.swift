import Events
import Support

enum DisorderRows {
  private static let rule: RuleID = "capture/disorder"
  private static let request = "> \"GET / HTTP/1.1\\r\\nHost: h\\r\\n\\r\\n\""
  private static let response = "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok\""

  static let rows: [RuleRow] = [
    .fires(
      rule, "The response stands before its request, which it acknowledges.",
      handshake + "\(response) ack=27 ①\n\(request) ack=0 ②\n> ACK\n> FIN\n< FIN\n> ACK\n", at: [1, 2], .toClient,
      says: "1 packet of the server stands before what it acknowledges, by up to 1.00 ms"),
    .fires(
      rule, "Two requests of one connection, the second later than the first.",
      handshake + "\(response) ack=27 ①\n\(request) ack=0 ②\n+1s\n\(response) ack=54\n+2ms\n\(request) ack=40\n> ACK\n",
      at: [1, 2], .toClient, count: 2,
      says: "2 packets of the server stand before what they acknowledge, by up to 3.00 ms"),
    .silent(rule, "In their order.", handshake + "\(request)\n\(response)\n> ACK\n> FIN\n< FIN\n> ACK\n"),
    .silent(
      rule, "In another order in the file, with the same stamp.",
      handshake + "\(response) ack=27\n\(request) ack=0 now\n> ACK\n"),
    .silent(
      rule, "The request never comes: that is a hole.",
      handshake + "\(request) !lost\n\(response)\n> ACK\n+1s\n\(request)\n\(response)\n> ACK\n"),
    .silent(
      "http/unanswered-request", "The answer stands before its request.",
      handshake + "\(response) ack=27\n\(request) ack=0\n> ACK\n< FIN\n> FIN\n< ACK\n"),
  ]
}
