import Events
import Support

enum TLSAlertRows {
  private typealias S = TLSScript
  private static let fatal: RuleID = "tls/alert-fatal"

  private static let uncertified: RuleID = "tls/client-certificate-missing"

  static let rows: [RuleRow] = alerts + certificates + versions + protocols

  private static let alerts: [RuleRow] = [
    .fires(
      fatal, "In answer to the hello.",
      S.to() + handshake + S.up(S.hello(), "①") + S.down(TLSWire.alert(2, 40), "②") + "< FIN\n> FIN\n", at: [1, 2],
      .toClient, cost: .failed(.connection),
      says: "in answer to the ClientHello with handshake_failure (40): no common version"),
    .fires(
      fatal, "What it answers was not captured.",
      S.to() + handshake + "> len=600 !lost\n< ACK\n" + S.down(TLSWire.alert(2, 40), "①") + "< RST\n", at: [1],
      .toClient,
      severity: .warning, confidence: .medium, cost: .failed(.connection),
      says: "ends the connection with handshake_failure (40)"),
    .fires(
      fatal, "The issuer is not trusted.",
      S.to() + handshake + S.up(S.hello(), "①") + S.down(S.flight) + S.up(TLSWire.alert(2, 48), "②") + "> FIN\n< FIN\n",
      at: [1, 2], .toServer, cost: .failed(.connection), says: "during the handshake with unknown_ca (48)"),
    .fires(
      fatal, "The certificate's time has not come, by the capture's clock.",
      S.to() + handshake + S.up(S.hello(), "①") + S.down(S.flight) + S.up(TLSWire.alert(2, 45), "②") + "> FIN\n< FIN\n",
      at: [1, 2], .toServer, cost: .failed(.connection), says: "; the certificate is valid only 1,103 days later."),
    .fires(
      fatal, "Encrypted, in the place of Finished: told by its length.",
      S.to() + handshake + S.up(S.hello13(), "①") + S.down(S.flight13)
        + S.up(TLSWire.changeCipherSpec + TLSWire.shut(19), "②") + "> FIN\n< FIN\n", at: [1, 2], .toServer,
      confidence: .medium, cost: .failed(.connection), says: "an alert that cannot be read, encrypted"),
    .fires(
      fatal, "The client's certificate is over.",
      S.to() + handshake + S.up(S.hello(), "①") + S.down(S.askingFlight) + S.up(S.clientEnd)
        + S.down(TLSWire.alert(2, 45), "②") + "< FIN\n> FIN\n", at: [1, 2], .toClient, cost: .failed(.connection),
      says: "with certificate_expired (45): of the client's certificate, ",
      fix: "Client: look at the certificate that it sends"),
    .silent(
      fatal, "The client has closed without a goodbye, and the server complains of the end.",
      S.to() + S.open() + S.talk + "> FIN\n" + S.down(TLSWire.alert(2, 50)) + "< FIN\n"),
    .silent(fatal, "Both say goodbye.", S.to() + S.open() + S.talk + S.orderly),
    .silent(
      fatal, "A warning about the name.",
      S.to() + S.open(flight: TLSWire.alert(1, 112) + S.flight) + S.talk + S.orderly),
    .silent(
      fatal, "An alert that cannot be read ends a connection whose beginning is not there.",
      S.to() + S.down(S.data(300)) + S.up(S.data(100)) + S.down(S.data(300)) + S.orderly),
    .silent(
      fatal, "A failure behind the goodbye.",
      S.to() + handshake + S.up(S.hello()) + S.down(S.flight) + S.up(TLSWire.alert(1, 0)) + S.down(TLSWire.alert(2, 80))
        + "> FIN\n< FIN\n"),
  ]

  private static let certificates: [RuleRow] = [
    .fires(
      uncertified, "The client has none to show.",
      S.to() + handshake + S.up(S.hello()) + S.down(S.askingFlight, "①") + S.up(S.emptyCertificate + S.clientEnd, "②")
        + S.down(TLSWire.alert(2, 40), "③") + "< FIN\n> FIN\n", at: [1, 2, 3], .toServer, cost: .failed(.connection),
      says: "sends none, and the server refuses with handshake_failure (40)"),
    .fires(
      fatal, "A failure behind the hellos is not about version or suite.",
      S.to() + handshake + S.up(S.hello(), "①") + S.down(S.askingFlight) + S.up(S.emptyCertificate + S.clientEnd)
        + S.down(TLSWire.alert(2, 40), "②") + "< FIN\n> FIN\n", at: [1, 2], .toClient, cost: .failed(.connection),
      says: "what failed came after version and suite had been agreed"),
    .fires(
      uncertified, "The server closes behind a short answer.",
      S.to() + handshake + S.up(S.hello()) + S.down(S.askingFlight, "①") + S.up(S.emptyCertificate + S.clientEnd, "②")
        + S.down(S.serverEnd) + S.up(S.data(100)) + S.down(S.data(300), "③") + S.down(S.goodbye) + "< FIN ④\n> FIN\n",
      at: [1, 2, 3, 4], .toServer, severity: .warning, confidence: .low, cost: .failed(.exchange),
      says: "right behind a first answer of"),
    .silent(
      uncertified, "The server closes behind an answer of some length.",
      S.to() + handshake + S.up(S.hello()) + S.down(S.askingFlight) + S.up(S.emptyCertificate + S.clientEnd)
        + S.down(S.serverEnd) + S.up(S.data(100)) + S.down(S.data(1_300)) + S.down(S.goodbye) + "< FIN\n> FIN\n"),
    .silent(
      uncertified, "It is optional: the server goes on.",
      S.to() + handshake + S.up(S.hello()) + S.down(S.askingFlight) + S.up(S.emptyCertificate + S.clientEnd)
        + S.down(S.serverEnd) + S.talk + S.orderly),
    .silent(
      uncertified, "The alert comes before the client's answer.",
      S.to() + handshake + S.up(S.hello()) + S.down(S.askingFlight) + S.down(TLSWire.alert(2, 40))
        + S.up(S.emptyCertificate) + "< FIN\n> FIN\n"),
  ]

  private static let versions: [RuleRow] = [
    .fires(
      "tls/old-version", "The server has nothing newer.",
      S.to() + S.open(S.hello(), "①", flight: S.serverHello(version: 0x0301) + S.chain(), "②") + S.talk + S.orderly,
      at: [1, 2], .toClient, says: "TLS 1.0 is spoken; the client offers up to TLS 1.2."),
    .fires(
      "tls/old-version", "The client has nothing newer, and is sent away.",
      S.to() + handshake + S.up(S.hello(version: 0x0302), "①") + S.down(TLSWire.alert(2, 70), "②") + "< FIN\n> FIN\n",
      at: [1, 2], .toServer, cost: .failed(.connection), says: "offers TLS 1.1 and nothing newer, and is refused"),
    .silent("tls/old-version", "Version 1.2.", S.to() + S.open() + S.talk + S.orderly),
    .silent("tls/old-version", "Version 1.3 calls itself 1.2.", S.to() + S.open13() + S.up(S.data13(50)) + S.orderly13),
  ]

  private static let both = TLSWire.protocols("h2", "http/1.1")

  private static let protocols: [RuleRow] = [
    .fires(
      "tls/alpn-missing", "Nothing is offered on a port of HTTPS.",
      S.to() + S.open(S.hello(protocols: nil), "①") + S.talk + S.orderly, at: [1], .toServer,
      says: "no protocol by ALPN"),
    .fires(
      "tls/alpn-missing", "The server takes the older one.",
      S.to()
        + S.open(
          S.hello(protocols: both), "①", flight: S.serverHello(extra: [TLSWire.protocols("http/1.1")]) + S.chain(), "②")
        + S.talk + S.orderly, at: [1, 2], .toClient, says: "the server picks http/1.1"),
    .silent(
      "tls/alpn-missing", "Nothing is offered where there is no HTTP.",
      S.to("10.0.0.2:5671") + S.open(S.hello(protocols: nil)) + S.talk + S.orderly),
    .silent(
      "tls/alpn-missing", "The server takes the newer one.",
      S.to() + S.open(S.hello(protocols: both), flight: S.serverHello(extra: [TLSWire.protocols("h2")]) + S.chain())
        + S.talk + S.orderly),
    .silent(
      "tls/alpn-missing", "What the server takes is encrypted.",
      S.to() + S.open13(S.hello13(protocols: both)) + S.up(S.data13(50)) + S.orderly13),
  ]
}
