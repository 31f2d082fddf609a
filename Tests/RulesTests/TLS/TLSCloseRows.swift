import Events
import Support

enum TLSCloseRows {
  private typealias S = TLSScript
  private static let missing: RuleID = "tls/no-close-notify"
  private static let after: RuleID = "tls/close-notify-then-data"

  static let rows: [RuleRow] = [
    .fires(
      missing, "The server closes behind its answer.",
      S.to() + S.open() + S.up(S.data(100)) + S.down(S.data(300), "①") + "< FIN ②\n> FIN\n", at: [1, 2], .toClient,
      confidence: .medium, says: "The server ends the connection with a FIN and no close_notify."),
    .fires(
      missing, "In the middle of a record.",
      S.to() + S.open() + S.up(S.data(100)) + S.down(Array(S.data(300)[..<200]), "①") + "< FIN ②\n> FIN\n",
      at: [1, 2], .toClient, confidence: .medium, cost: .lost(bytes: 129), says: "at least 129 B are missing"),
    .fires(
      missing, "A reset of the client, from 1.3 on told by the length of its last record.",
      S.to() + S.open13() + S.up(S.data13(50), "①") + S.down(S.data13(50)) + "> RST ②\n", at: [1, 2], .toServer,
      confidence: .medium, says: "with a reset"),
    .fires(
      missing, "The server resets right behind its data.",
      S.to() + S.open() + S.up(S.data(100)) + (1...4).map { S.down(S.data(300), $0 == 4 ? "①" : "") }.joined()
        + "+50ms\n< RST ②\n", at: [1, 2], .toClient, confidence: .medium, cost: .failed(.connection),
      says: "behind its data, which may have been cut off"),
    .fires(
      missing, "The server resets a connection that was idle.",
      S.to() + S.open() + S.up(S.data(100)) + (1...4).map { S.down(S.data(300), $0 == 4 ? "①" : "") }.joined()
        + "+5s\n< RST ②\n", at: [1, 2], .toClient, confidence: .medium),
    .silent(missing, "Both say goodbye.", S.to() + S.open() + S.talk + S.orderly),
    .silent(
      missing, "In 1.3, a last record as long as an alert.",
      S.to() + S.open13() + S.up(S.data13(50)) + S.down(S.data13(50)) + S.orderly13),
    .silent(
      missing, "The client closes behind the server's goodbye.",
      S.to() + S.open() + S.talk + S.down(S.goodbye) + "< FIN\n> FIN\n"),
    .silent(missing, "The capture ends first.", S.to() + S.open() + S.talk),
    .silent(
      missing, "What the capture lacks may be the goodbye.",
      S.to() + S.open() + S.talk + S.down(S.goodbye, "!lost") + "> ACK\n< FIN\n> FIN\n"),
    .silent(
      missing, "Its beginning is not there.",
      S.to() + S.down(S.data(300)) + S.up(S.data(100)) + S.down(S.data(300))
        + "< FIN\n> FIN\n"),

    .fires(
      after, "The client does not read, and goes on.",
      S.to() + S.open() + S.talk + S.down(S.goodbye, "①") + "< FIN\n+20ms\n" + S.up(S.data(400), "②") + "< RST ③\n",
      at: [1, 2, 3], .toServer, confidence: .medium, cost: .lost(bytes: 424),
      says: "still sent data 22.0 ms after the server had sent close_notify, and the server answered with a reset"),
    .fires(
      after, "The server goes on, and nobody waits for a FIN.",
      S.to() + S.open() + S.talk + S.up(S.goodbye, "①") + "+20ms\n" + S.down(S.data(700), "②") + "> RST ③\n",
      at: [1, 2, 3], .toClient, confidence: .medium, cost: .lost(bytes: 724),
      says: "The server still sent data 21.0 ms after the client had sent close_notify"),
    .silent(
      after, "The client's own goodbye in 1.3, which looks like data, and is met with a reset.",
      S.to() + S.open13() + S.up(S.data13(50)) + S.down(S.data13(50)) + S.down(S.goodbye13) + "< FIN\n+20ms\n"
        + S.up(S.goodbye13) + "< RST\n"),
    .silent(
      after, "The farewell of HTTP/2, as long as a GOAWAY.",
      S.to() + S.open() + S.talk + S.down(S.goodbye) + "< FIN\n+20ms\n" + S.up(S.data(17)) + S.up(S.goodbye)
        + "< RST\n"),
    .silent(
      after, "The client has said all, and reads on.",
      S.to() + S.open() + S.talk + S.up(S.goodbye) + "+20ms\n" + S.down(S.data(700)) + "> ACK\n" + S.down(S.goodbye)
        + "< FIN\n> FIN\n"),
    .silent(
      after, "What crossed the goodbye on its way.",
      S.to() + S.open() + S.talk + S.down(S.goodbye) + "< FIN now\n" + S.up(S.data(400)) + "< RST\n"),
    .silent(after, "A goodbye is answered by one.", S.to() + S.open() + S.talk + S.orderly),
  ]
}
