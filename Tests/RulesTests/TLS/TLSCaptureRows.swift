import Events
import Support

enum TLSCaptureRows {
  private typealias S = TLSScript
  private static let rejects: RuleID = "tls/client-rejects-cert"
  private static let again: RuleID = "tls/no-resumption"
  static let rows: [RuleRow] = rejections + resumptions

  private static let refused =
    S.to() + handshake + S.up(S.hello()) + S.down(S.flight, "①") + S.up(TLSWire.alert(2, 48), "②") + "> FIN\n< FIN\n"
  private static let left = S.to() + handshake + S.up(S.hello()) + S.down(S.flight, "①") + "> RST ②\n"
  private static func plain(_ script: String) -> String { script.replacing("①", with: "").replacing("②", with: "") }

  private static let rejections: [RuleRow] = [
    .fires(
      rejects, "It says why.", refused, at: [1, 2], .toServer, cost: .failed(.connection),
      says: "refuses the certificate of shop.example with unknown_ca (48): the certificate's issuer is not trusted"),
    .fires(
      rejects, "It leaves without a word.", left, at: [1, 2], .toServer, confidence: .medium,
      cost: .failed(.connection), says: "resets the connection 1.00 ms after the certificate"),
    .fires(
      rejects, "Its alert is encrypted.",
      S.to() + handshake + S.up(S.hello13()) + S.down(S.flight13, "①")
        + S.up(TLSWire.changeCipherSpec + TLSWire.shut(19), "②") + "> FIN\n< FIN\n", at: [1, 2], .toServer,
      confidence: .medium, cost: .failed(.connection), says: "sends an encrypted alert"),
    .fires(
      rejects, "The server answers the alert with one of its own.",
      S.to() + handshake + S.up(S.hello13()) + S.down(S.flight13, "①")
        + S.up(TLSWire.changeCipherSpec + TLSWire.shut(19), "②") + S.down(TLSWire.alert(2, 10)) + "> FIN\n< FIN\n",
      at: [1, 2], .toServer, confidence: .medium, cost: .failed(.connection), says: "sends an encrypted alert"),
    .silent(
      rejects, "It had finished the handshake, and closes.",
      S.to() + handshake + S.up(S.hello13()) + S.down(S.flight13) + S.up(S.clientEnd13) + "> FIN\n< FIN\n"),
    .silent(
      rejects, "It had finished the handshake, and is ended half a second later with a goodbye.",
      S.to() + S.open() + "+600ms\n" + S.up(S.goodbye) + "> FIN\n< FIN\n"),
    .fires(
      rejects, "It closes with a FIN, and is served nowhere.",
      S.to() + handshake + S.up(S.hello()) + S.down(S.flight, "①") + "> FIN ②\n< FIN\n", at: [1, 2], .toServer,
      confidence: .medium, cost: .failed(.connection), says: "closes the connection 1.00 ms after the certificate"),
    .fires(
      rejects, "The server answers the FIN with data.",
      S.to() + handshake + S.up(S.hello13()) + S.down(S.flight13, "①") + "> FIN ②\n" + S.down(TLSWire.shut(35))
        + "> RST\n< FIN\n", at: [1, 2], .toServer, confidence: .medium, cost: .failed(.connection),
      says: "closes the connection 1.00 ms after the certificate"),
    .silent(
      rejects, "It closes with a FIN: the same address serves it under another name.",
      S.to() + handshake + S.up(S.hello()) + S.down(S.flight) + "> FIN\n< FIN\n"
        + S.to(client: "10.0.0.1:40001", after: "+500ms") + S.open(S.hello("cdn.example")) + S.talk + S.orderly),
    .silent(
      rejects, "Its FIN left before the certificate came, and what came was reset.",
      S.to() + handshake + S.up(S.hello()) + "> FIN\n" + S.down(S.flight) + "> RST\n"),
    .silent(
      rejects, "It waits for a second without an answer, as who only looks at the flight.",
      S.to() + handshake + S.up(S.hello()) + S.down(S.flight) + "+1000ms\n> RST\n"),
    .silent(
      rejects, "The same client is served under the same name at once.",
      plain(left) + S.to(client: "10.0.0.1:40001", after: "+500ms") + S.open() + S.talk + S.orderly),
    .silent(
      rejects, "The server closes first.",
      S.to() + handshake + S.up(S.hello()) + S.down(S.flight) + "< FIN\n> FIN\n"),
    .silent(
      rejects, "A connection in reserve, given up after ten seconds.",
      S.to() + S.open() + "+10s\n" + S.orderly),
    .silent(rejects, "A connection that is used.", S.to() + S.open() + S.talk + S.orderly),
    .silent(
      rejects, "Other alerts of the client.",
      S.to() + handshake + S.up(S.hello()) + S.down(S.flight) + S.up(TLSWire.alert(2, 80)) + "> FIN\n< FIN\n"),
  ]

  private static let ticket = TLSWire.ticket([UInt8](repeating: 9, count: 160))
  private static let offer = TLSWire.ext(35, [UInt8](repeating: 9, count: 160))
  private static let asks = TLSWire.ext(35, [])

  /// A full handshake that gives a ticket.
  private static func first(_ way: String = "") -> String {
    S.to() + "> SYN\n\(way)< SYN ACK\n\(way)> ACK\n" + S.up(S.hello(extra: [asks])) + way
      + S.down(S.serverHello(extra: [asks]) + S.chain()) + S.up(S.clientEnd) + S.down(ticket + S.serverEnd, "①")
      + S.talk
      + S.orderly
  }

  private static func second(_ hello: [UInt8], _ way: String = "", after: String = "+1s") -> String {
    S.to(client: "10.0.0.1:40001", after: after) + "> SYN\n\(way)< SYN ACK\n\(way)> ACK\n" + S.up(hello, "②") + way
      + S.down(S.flight) + S.up(S.clientEnd) + S.down(S.serverEnd) + S.talk + S.orderly
  }

  private static let resumptions: [RuleRow] = [
    .fires(
      again, "Nothing is offered, on a long way.", first("+30ms\n") + second(S.hello(extra: [asks]), "+30ms\n"),
      at: [1, 2], .toServer, cost: .delay(nanoseconds: 62_000_000),
      says: "offers no earlier session and makes a full handshake, 1 time: 62.0 ms of round trips and 433 B"),
    .fires(
      again, "The ticket is offered, and declined.", first() + second(S.hello(extra: [offer])), at: [1, 2], .toClient,
      says: "offers an earlier session, which the server declines, and makes"),
    .silent(
      again, "The ticket is taken.",
      plain(
        first() + S.to(client: "10.0.0.1:40001", after: "+1s") + handshake + S.up(S.hello(extra: [offer]))
          + S.down(S.serverHello() + S.serverEnd) + S.up(TLSWire.changeCipherSpec + TLSWire.shut(40, type: 22)) + S.talk
          + S.orderly)),
    .silent(
      again, "Both began before the ticket came.", plain(first() + second(S.hello(extra: [asks]), after: "+2ms"))),
    .silent(
      again, "The first handshake was given up before it was complete.",
      plain(
        S.to() + handshake + S.up(S.hello(extra: [asks]))
          + S.down(S.serverHello(session: [UInt8](repeating: 7, count: 32), extra: [asks]) + S.chain()) + "> RST\n"
          + second(S.hello(extra: [asks])))),
    .silent(
      again, "The second hello left before the first handshake was complete.",
      S.to() + "> SYN\n< SYN ACK\n> ACK\n" + S.up(S.hello(extra: [asks]))
        + S.down(S.serverHello(session: [UInt8](repeating: 7, count: 32), extra: [asks]) + S.chain())
        + S.to(client: "10.0.0.1:40001", after: "+1ms") + "> SYN\n< SYN ACK\n> ACK\n" + S.up(S.hello(extra: [asks]))
        + S.down(S.flight) + S.up(S.clientEnd) + S.down(S.serverEnd) + S.talk + S.to(after: "+1ms") + S.up(S.clientEnd)
        + S.down(S.serverEnd) + S.talk),
    .silent(
      again, "On a long way, beside the server: the ticket had been sent, and not come to the client.",
      plain(first("+30ms\n") + second(S.hello(extra: [asks]), after: "+110ms"))),
    .silent(again, "For another name.", plain(first() + second(S.hello("api.example", extra: [asks])))),
    .silent(again, "After a quarter of an hour.", plain(first() + second(S.hello(extra: [asks]), after: "+900s"))),
    .silent(
      again, "Nothing was given.",
      plain(S.to() + S.open() + S.talk + S.orderly + second(S.hello(extra: [asks])))),
  ]
}
