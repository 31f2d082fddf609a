import Events
import Support

enum TLSHandshakeRows {
  private typealias S = TLSScript
  private static let slow: RuleID = "tls/handshake-slow"
  static let rows: [RuleRow] = pace + retries + chains + early

  private static let pace: [RuleRow] = [
    .fires(
      slow, "The server thinks for half a second.",
      S.to() + handshake + S.up(S.hello(), "①") + "+500ms\n" + S.down(S.flight, "②") + S.up(S.clientEnd)
        + S.down(S.serverEnd) + S.talk + S.orderly, at: [1, 2], .toClient, confidence: .medium,
      cost: .delay(nanoseconds: 499_000_000), says: "waited 0.501 s for the ServerHello, with a round trip of 2.00 ms"),
    .fires(
      slow, "The client looks at the certificate for long.",
      S.to() + handshake + S.up(S.hello13()) + S.down(S.flight13, "①") + "+900ms\n" + S.up(S.clientEnd13, "②")
        + S.up(S.data13(50)) + S.down(S.data13(50)) + S.orderly13, at: [1, 2], .toServer, confidence: .medium,
      cost: .delay(nanoseconds: 899_000_000), says: "retransmitted by a timer would look the same"),
    .fires(
      slow, "Nothing but its hello shows how far the server is, and no path takes four seconds.",
      S.to() + handshake + S.up(S.hello13(), "①") + "+4000ms\n" + S.down(S.flight13, "②") + S.up(S.clientEnd13)
        + S.orderly13, at: [1, 2], .toClient, cost: .delay(nanoseconds: 3_999_000_000), says: "for the ServerHello"),
    .fires(
      slow, "After four seconds the server sends its flight and closes: the client's Finished comes too late.",
      S.to() + handshake + S.up(S.hello13(), "①") + "+4000ms\n" + S.down(S.flight13, "②") + "< FIN ③\n"
        + S.up(S.clientEnd13) + "< RST seq+1\n", at: [1, 2, 3], .toClient, severity: .error, cost: .failed(.connection),
      says: "The server closed before the client's Finished came."),
    .fires(
      slow, "The server closes behind the client's Finished: the handshake was slow, and it succeeded.",
      S.to() + handshake + S.up(S.hello13(), "①") + "+4000ms\n" + S.down(S.flight13, "②") + S.up(S.clientEnd13)
        + "< FIN\n> FIN\n< ACK\n", at: [1, 2], .toClient, cost: .delay(nanoseconds: 3_999_000_000)),
    .silent(
      slow, "A tunnel on the device answers the SYN: every answer of the server takes half a second.",
      S.to() + handshake + S.up(S.hello()) + "< ACK\n+600ms\n" + S.down(S.flight) + S.up(S.clientEnd)
        + "< ACK\n+500ms\n" + S.down(S.serverEnd) + S.up(S.data(100)) + "< ACK\n+500ms\n" + S.down(S.data(300))
        + S.orderly),
    .silent(
      slow, "A copy of the flight is under way while the key exchange is: the network is late.",
      S.to() + handshake + S.up(S.hello()) + S.down(S.flight) + S.up(S.clientEnd) + "+500ms\n"
        + S.down(S.flight, "@0") + "+400ms\n" + S.down(S.serverEnd) + S.talk + S.orderly),
    .silent(
      slow, "A tenth of a second and a round trip are nothing.",
      S.to() + handshake + S.up(S.hello()) + "+100ms\n" + S.down(S.flight) + S.up(S.clientEnd) + S.down(S.serverEnd)
        + S.talk + S.orderly),
    .silent(
      slow, "The hello was lost on its way.",
      S.to() + handshake + S.up(S.hello()) + "+500ms\n" + S.up(S.hello(), "@0") + S.down(S.flight) + S.up(S.clientEnd)
        + S.down(S.serverEnd) + S.talk + S.orderly),
    .silent(
      slow, "How long the way is was not seen.",
      S.to() + S.up(S.hello()) + "+500ms\n" + S.down(S.flight) + S.up(S.clientEnd) + S.down(S.serverEnd) + S.talk
        + S.orderly),
  ]

  private static let retries: [RuleRow] = [
    .fires(
      "tls/hello-retry", "The server wants another group.",
      S.to() + handshake + S.up(S.hello13(), "①") + S.down(S.retry, "②") + S.up(S.hello13(shares: [23]))
        + S.down(S.flight13) + S.up(S.clientEnd13) + S.up(S.data13(50)) + S.orderly13, at: [1, 2], .toClient,
      cost: .delay(nanoseconds: 2_000_000), says: "it wants secp256r1, and the client sent shares of x25519."),
    .fires(
      "tls/hello-retry", "The server wants its cookie back, as it is meant.",
      S.to() + handshake + S.up(S.hello13(), "①") + S.down(S.cookie, "②")
        + S.up(S.hello13(extra: [TLSWire.ext(44, [0, 2, 1, 1])])) + S.down(S.flight13) + S.up(S.clientEnd13)
        + S.up(S.data13(50)) + S.orderly13, at: [1, 2], .toClient, severity: .note,
      says: "asks for another ClientHello with its cookie"),
    .silent("tls/hello-retry", "The guess was right.", S.to() + S.open13() + S.up(S.data13(50)) + S.orderly13),
  ]

  private static let root = [UInt8](repeating: 0x30, count: 15_000)

  private static let chains: [RuleRow] = [
    .fires(
      "tls/large-chain", "The rest of the chain waits for a round trip.",
      S.to() + handshake + S.up(S.hello()) + S.down(S.serverHello(), "①") + "+20ms\n"
        + S.down(S.chain([S.certificate, root]), "②") + S.up(S.clientEnd) + S.down(S.serverEnd) + S.talk + S.orderly,
      at: [1, 2], .toClient, cost: .delay(nanoseconds: 21_000_000), says: "15,433 B of them in 2 certificates"),
    .fires(
      "tls/large-chain", "It comes at once: the window was wider.",
      S.to() + handshake + S.up(S.hello()) + S.down(S.serverHello() + S.chain([S.certificate, root]), "①")
        + S.up(S.clientEnd) + S.down(S.serverEnd) + S.talk + S.orderly, at: [1, 1], .toClient),
    .silent("tls/large-chain", "One certificate.", S.to() + S.open() + S.talk + S.orderly),
  ]

  private static let early: [RuleRow] = [
    .fires(
      "tls/early-data", "What becomes of it is encrypted.",
      S.to() + handshake
        + S.up(S.hello13(extra: [TLSWire.ext(42, []), TLSWire.preSharedKeys([[1, 2, 3, 4]])]) + S.data13(80), "①")
        + S.down(S.flight13) + S.up(S.clientEnd13) + S.up(S.data13(50)) + S.orderly13, at: [1], .toServer,
      says: "The client offers early data."),
    .silent(
      "tls/early-data", "A ticket alone.",
      S.to() + S.open13(S.hello13(extra: [TLSWire.preSharedKeys([[1, 2, 3, 4]])])) + S.up(S.data13(50)) + S.orderly13),
  ]
}
