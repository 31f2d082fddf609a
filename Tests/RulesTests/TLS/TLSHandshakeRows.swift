import Events
import Support

enum TLSHandshakeRows {
  private typealias S = TLSScript
  private static let slow: RuleID = "tls/handshake-slow"
  static let rows: [RuleRow] = late + pace + retries + chains + early + unanswered + clear

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
    .fires(
      slow, "The server thinks for 1.5 s, and 60 ms about the first answer.",
      S.to() + handshake + S.up(S.hello13(), "①") + "+1500ms\n" + S.down(S.flight13, "②") + S.up(S.clientEnd13)
        + S.up(S.data13(100)) + "+60ms\n" + S.down(S.data13(300)) + S.orderly13, at: [1, 2], .toClient,
      confidence: .medium, cost: .delay(nanoseconds: 1_499_000_000), says: "for the ServerHello"),
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

  private static let nothing: RuleID = "tls/hello-unanswered"

  private static let unanswered: [RuleRow] = [
    .fires(
      nothing, "The server resets the connection.",
      S.to() + handshake + S.up(S.hello(), "①") + "< ACK\n< RST ②\n", at: [1, 2], .toClient, cost: .failed(.connection),
      says: "was not answered: the server reset the connection 2.00 ms later, without one byte of an answer."),
    .fires(
      nothing, "The server takes five seconds to close.",
      S.to() + handshake + S.up(S.hello(), "①") + "< ACK\n+5s\n< FIN ②\n> FIN\n< ACK\n", at: [1, 2], .toClient,
      cost: .failed(.connection), says: "the server closed the connection 5.002 s later"),
    .fires(
      nothing, "The client waits for ten seconds.",
      S.to() + handshake + S.up(S.hello13(), "①") + "< ACK\n+10s\n> FIN ②\n< ACK\n", at: [1, 2], .toClient,
      cost: .failed(.connection), says: "the client gave up 10.002 s later"),
    .fires(
      nothing, "The server's flight is too large for the path, and only its ACKs come.",
      S.to() + handshake + S.up(S.hello13(), "①") + "< ACK\n+10s\n> FIN ②\n< ACK seq+4200 ③\n", at: [1, 2, 3],
      .toClient, cost: .failed(.connection), says: "10.002 s later: the server had sent 4,200 B that never came."),
    .fires(
      nothing, "The client's FIN is lost behind this point, and sent again.",
      S.to() + handshake + S.up(S.hello13(), "①") + "< ACK\n+10s\n> FIN ②\n+200ms\n> FIN seq-1\n+400ms\n> FIN seq-1\n",
      at: [1, 2], .toClient, cost: .failed(.connection), says: "the client gave up 10.002 s later"),
    .silent(
      nothing, "The client changes its mind within a second.",
      S.to() + handshake + S.up(S.hello13()) + "< ACK\n+900ms\n> FIN\n< ACK\n"),
    .silent(
      nothing, "The hello was lost on its way, each time.",
      S.to() + handshake + S.up(S.hello()) + "+1s\n" + S.up(S.hello(), "@0") + "+2s\n" + S.up(S.hello(), "@0")
        + "+4s\n> FIN\n"),
    .silent(
      nothing, "It was not TLS that the server speaks, and it says so.",
      S.to() + handshake + S.up(S.hello())
        + "< \"HTTP/1.1 400 Bad Request\\r\\nContent-Length: 0\\r\\n\\r\\n\"\n< FIN\n> FIN\n"),
    .silent(
      nothing, "The server's answer is an alert.",
      S.to() + handshake + S.up(S.hello()) + S.down(TLSWire.alert(2, 40)) + "< FIN\n> FIN\n"),
    .silent(
      nothing, "Nothing of the server was captured.",
      S.to() + "> SYN\n> ACK\n" + S.up(S.hello()) + "+5s\n> FIN\n"),
  ]

  private static func plain(_ marker: String) -> String {
    "< \"HTTP/1.1 400 Bad Request\\r\\nConnection: close\\r\\n\\r\\n\"\(marker)\n< FIN\n> FIN\n"
  }

  private static let asked =
    "> \"GET /v2/ HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n\"\n< \"HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n\"\n"

  private static let clear: [RuleRow] = [
    .fires(
      "tls/clear-answer", "The port has plain HTTP.",
      S.to() + handshake + S.up(S.hello(), "①") + plain(" ②"), at: [1, 2], .toClient, cost: .failed(.connection),
      says: "in plain HTTP: it does not speak TLS on this port"),
    .fires(
      "tls/clear-answer", "The client tries whether there is TLS, and goes on in plain HTTP.",
      S.to() + handshake + S.up(S.hello(), "①") + plain(" ②") + S.to(client: "10.0.0.1:40001", after: "+10ms")
        + handshake
        + asked, at: [1, 2], .toClient, severity: .note),
    .fires(
      "tls/clear-answer", "Another client knows that there is none.",
      S.to() + handshake + S.up(S.hello(), "①") + plain(" ②") + S.to(client: "10.0.0.9:40001", after: "+10ms")
        + handshake
        + asked, at: [1, 2], .toClient, cost: .failed(.connection)),
    .fires(
      "tls/clear-answer", "The client had asked in plain HTTP before.",
      S.to(client: "10.0.0.1:40001") + handshake + asked + S.to(after: "+100ms") + handshake + S.up(S.hello(), "①")
        + plain(" ②"), at: [1, 2], .toClient, cost: .failed(.connection)),
    .fires(
      "tls/clear-answer", "The port has another protocol.",
      S.to() + handshake + S.up(S.hello(), "①") + "< \"SSH-2.0-OpenSSH_9.2\\r\\n\" ②\n> FIN\n< FIN\n",
      at: [1, 2], .toClient, confidence: .medium, cost: .failed(.connection), says: "with bytes that are not TLS"),
    .silent(
      "tls/clear-answer", "An alert is TLS.",
      S.to() + handshake + S.up(S.hello()) + S.down(TLSWire.alert(2, 40)) + "< FIN\n> FIN\n"),
    .fires(
      "tls/clear-answer", "The program writes past its library.",
      S.to() + handshake + S.up(S.hello(), "①") + S.down(S.flight) + S.up(S.clientEnd) + S.down(S.serverEnd) + S.talk
        + "< \"HTTP/1.1 500 oops\\r\\n\\r\\n\" ②\n< FIN\n> FIN\n", at: [1, 2], .toClient, cost: .failed(.connection),
      says: "the server sent bytes that are not TLS"),
    .silent(
      "tls/clear-answer", "Clear bytes behind close_notify.",
      S.to() + S.open() + S.talk + S.down(S.goodbye) + "< \"HTTP/1.1 400 Bad Request\\r\\n\\r\\n\"\n< FIN\n> FIN\n"),
  ]

  /// Two tickets of one length.
  private static let tickets = S.down(TLSWire.shut(250) + TLSWire.shut(250))
  private static let unread: RuleID = "tls/unanswered-record"

  private static let late: [RuleRow] = [
    .fires(
      unread, "The server resets instead of an answer.",
      S.to() + S.open() + S.talk + S.up(S.data(200), "①") + "+100ms\n< RST ②\n", at: [1, 2], .toClient,
      confidence: .medium, cost: .failed(.exchange), says: "and the server reset the connection 0.101 s later"),
    .fires(
      unread, "The client waits for five seconds, and nothing but tickets comes.",
      S.to() + S.open13() + S.up(S.data13(200), "①") + tickets + "+5s\n> FIN ②\n< FIN\n", at: [1, 2], .toClient,
      severity: .warning, confidence: .medium, cost: .failed(.exchange), says: "the client gave up 5.00"),
    .fires(
      unread, "The server answers the client's goodbye with a reset, as nginx does.",
      S.to() + S.open13() + S.up(S.data13(200), "①") + tickets + "+3s\n" + S.up(S.goodbye13) + "> FIN ②\n< RST\n",
      at: [1, 2], .toClient, severity: .warning, confidence: .medium, cost: .failed(.exchange),
      says: "the client gave up 3.00"),
    .fires(
      unread, "The server answers the client's goodbye with its own.",
      S.to() + S.open13() + S.up(S.data13(200), "①") + tickets + "+3s\n" + S.up(S.goodbye13) + "> FIN ②\n"
        + S.down(S.goodbye13) + "> RST\n< FIN\n", at: [1, 2], .toClient, severity: .warning, confidence: .medium,
      cost: .failed(.exchange), says: "the client gave up 3.00"),
    .fires(
      unread, "In TLS 1.2 there is nothing behind the handshake but an answer.",
      S.to() + S.open() + S.up(S.data(200), "①") + "+3s\n" + S.up(S.goodbye) + "> FIN ②\n< RST\n", at: [1, 2],
      .toClient, severity: .warning, confidence: .medium, cost: .failed(.exchange), says: "the client gave up 3.00"),
    .silent(
      unread, "The server had said goodbye before the client left.",
      S.to() + S.open13() + S.up(S.data13(200)) + tickets + "+3s\n" + S.down(S.goodbye13) + "> FIN\n< FIN\n"),
    .silent(
      unread, "An answer had begun.",
      S.to() + S.open() + S.up(S.data(200)) + S.down(S.data(300)) + "< RST\n"),
    .silent(
      unread, "The last of it is a minute old.",
      S.to() + S.open() + S.talk + S.up(S.data(200)) + "+60s\n< RST\n"),
    .silent(
      unread, "One record may be an answer.",
      S.to() + S.open13() + S.up(S.data13(200)) + S.down(TLSWire.shut(250)) + "+5s\n> FIN\n< FIN\n"),
    .silent(
      unread, "Logs are sent for hours, and nothing is answered.",
      S.to() + S.open13() + S.up(S.data13(200)) + tickets + "+5s\n" + S.up(S.data13(200)) + "+5s\n> FIN\n< FIN\n"),
    .silent(
      "tls/refused-late", "A connection that was opened early and not used is closed after a minute.",
      S.to() + S.open13() + "+60s\n" + S.down(S.goodbye13) + "< FIN\n> FIN\n"),
    .fires(
      "tls/refused-late", "All that comes is as long as an alert.",
      S.to() + handshake + S.up(S.hello13()) + S.down(S.flight13) + S.up(S.clientEnd13, "①") + S.up(S.data13(200))
        + S.down(S.goodbye13, "②") + "< RST\n", at: [1, 2], .toClient, confidence: .medium,
      cost: .failed(.connection), says: "with an alert 2.00 ms after the client's handshake"),
    .silent(
      "tls/refused-late", "It says goodbye behind its answer.",
      S.to() + S.open13() + S.up(S.data13(200)) + S.down(S.data13(300)) + S.down(S.goodbye13) + "< FIN\n> FIN\n"),
    .silent(
      "tls/refused-late", "The client said goodbye first.",
      S.to() + S.open13() + S.up(S.data13(200)) + S.up(S.goodbye13) + S.down(S.goodbye13) + "> FIN\n< FIN\n"),
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
