import Support

enum TLSNameRows {
  private typealias S = TLSScript
  static let rows: [RuleRow] = noName + literal + unrecognized + direct

  private static let noName: [RuleRow] = [
    .fires(
      "tls/no-sni", "Nothing shows a name.",
      S.to() + S.open13(S.hello13(nil), "①") + S.up(S.data13(50)) + S.orderly13, at: [1], .toServer, severity: .note,
      says: "names no server in its hello to 10.0.0.2."),
    .fires(
      "tls/no-sni", "A name server had given the address for a name.",
      "== 10.0.0.1:5353 10.0.0.53:53\n< udp dns=shop.example/10.0.0.2 ②\n" + S.to(after: "+1s")
        + S.open13(S.hello13(nil), "①") + S.up(S.data13(50)) + S.orderly13, at: [1, 2], .toServer,
      says: "DNS gave it as shop.example"),
    .fires(
      "tls/no-sni", "The certificate shows a name.",
      S.to() + S.open(S.hello(nil), "①", "②") + S.talk + S.orderly, at: [1, 2], .toServer,
      says: "the certificate is for shop.example, *.cdn.example"),
    .fires(
      "tls/no-sni", "The server refuses.",
      S.to() + handshake + S.up(S.hello(nil), "①") + S.down(TLSWire.alert(2, 40), "②") + "< FIN\n> FIN\n", at: [1, 2],
      .toServer, severity: .error, confidence: .medium, cost: .failed(.connection), says: "handshake_failure (40)"),
    .fires(
      "tls/no-sni", "The server refuses after its hello: the name has no part in it.",
      S.to() + handshake + S.up(S.hello(nil), "①") + S.down(S.serverHello() + S.done) + S.up(S.clientEnd)
        + S.down(TLSWire.alert(2, 40)) + "< FIN\n> FIN\n", at: [1], .toServer, severity: .note,
      says: "names no server in its hello to 10.0.0.2."),
    .silent("tls/no-sni", "There is a name.", S.to() + S.open() + S.talk + S.orderly),
    .silent(
      "tls/no-sni", "The name may be inside an encrypted hello.",
      S.to() + S.open13(S.hello13(nil, extra: [TLSWire.ext(0xFE0D, [0, 0, 1])])) + S.up(S.data13(50)) + S.orderly13),
    .silent(
      "tls/no-sni", "The capture begins behind the hello.",
      S.to() + S.down(S.data(300)) + S.up(S.data(100)) + S.down(S.data(300)) + S.orderly),
  ]

  private static let literal: [RuleRow] = [
    .fires(
      "tls/sni-ip-literal", "An address, and all goes well.",
      S.to() + S.open(S.hello("10.0.0.2"), "①") + S.talk + S.orderly, at: [1], .toServer,
      says: "gives 10.0.0.2 as the server's name."),
    .fires(
      "tls/sni-ip-literal", "An address of IPv6 is refused.",
      S.to() + handshake + S.up(S.hello("2001:db8::7"), "①") + S.down(TLSWire.alert(2, 112), "②") + "< FIN\n> FIN\n",
      at: [1, 2], .toServer, cost: .failed(.connection),
      says: "2001:db8::7 as the server's name, and the handshake fails"
    ),
    .silent(
      "tls/sni-ip-literal", "A name that begins like an address.",
      S.to() + S.open(S.hello("10.0.0.2.nip.example")) + S.talk + S.orderly),
  ]

  private static let unrecognized: [RuleRow] = [
    .fires(
      "tls/unrecognized-name", "As a warning: the handshake goes on.",
      S.to() + S.open(S.hello(), "①", flight: TLSWire.alert(1, 112) + S.flight, "②") + S.talk + S.orderly, at: [1, 2],
      .toClient, says: "answered the ClientHello for shop.example with unrecognized_name, as a warning"),
    .fires(
      "tls/unrecognized-name", "The end of it.",
      S.to() + handshake + S.up(S.hello(), "①") + S.down(TLSWire.alert(2, 112), "②") + "< FIN\n> FIN\n", at: [1, 2],
      .toClient, cost: .failed(.connection)),
    .fires(
      "tls/unrecognized-name", "A client that gives no name.",
      S.to() + handshake + S.up(S.hello(nil), "①") + S.down(TLSWire.alert(2, 112), "②") + "< FIN\n> FIN\n", at: [1, 2],
      .toClient, cost: .failed(.connection), says: "answered a ClientHello without a name"),
    .silent(
      "tls/unrecognized-name", "Another refusal.",
      S.to() + handshake + S.up(S.hello()) + S.down(TLSWire.alert(2, 40)) + "< FIN\n> FIN\n"),
  ]

  private static let web = "== 10.0.0.1:40001 10.0.0.2:80 +1s\n"
  private static let byAddress =
    "> \"GET /a HTTP/1.1\\r\\nHost: 10.0.0.2\\r\\n\\r\\n\" ①\n< \"HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n\"\n"

  private static let direct: [RuleRow] = [
    .fires(
      "direct/host-ip-literal", "The name is known from TLS.",
      S.to() + S.open(S.hello(), "②") + S.talk + S.orderly + web + handshake + byAddress, at: [1, 2], .toServer,
      confidence: .low, says: "the same client names this server shop.example, too"),
    .silent(
      "direct/host-ip-literal", "TLS was asked for the address, too.",
      S.to() + S.open(S.hello("10.0.0.2")) + S.talk + S.orderly + web + handshake
        + byAddress.replacing(" ①", with: "")),
    .fires(
      "direct/connect-mismatch", "The name in TLS belongs elsewhere.",
      "== 10.0.0.1:5353 10.0.0.53:53\n< udp dns=shop.example/10.0.0.9 ②\n" + S.to(after: "+1s")
        + "> SYN ③\n< SYN ACK\n> ACK\n"
        + S.up(S.hello(), "①") + S.down(S.flight) + S.up(S.clientEnd) + S.down(S.serverEnd) + S.talk + S.orderly,
      at: [1, 2, 3], .toServer, says: "TLS: the request for shop.example went to 10.0.0.2"),
    .silent(
      "direct/connect-mismatch", "The name in TLS is where DNS says that it is.",
      "== 10.0.0.1:5353 10.0.0.53:53\n< udp dns=shop.example/10.0.0.2\n" + S.to(after: "+1s") + S.open() + S.talk
        + S.orderly),
  ]
}

enum TLSCertificateRows {
  private typealias S = TLSScript
  static let rows: [RuleRow] = [
    .fires(
      "tls/cert-name-mismatch", "For others, and the client does not mind.",
      S.to() + S.open(S.hello("api.example"), "①", "②") + S.talk + S.orderly, at: [1, 2], .toClient,
      says: "asks for api.example, and the server's certificate is for shop.example, *.cdn.example."),
    .fires(
      "tls/cert-name-mismatch", "For others, and the client leaves.",
      S.to() + handshake + S.up(S.hello("a.b.cdn.example"), "①") + S.down(S.flight, "②")
        + S.up(TLSWire.alert(2, 42), "③") + "> FIN\n< FIN\n", at: [1, 2, 3], .toClient, severity: .error,
      cost: .failed(.connection), says: "the client refuses it"),
    .fires(
      "tls/cert-name-mismatch", "For others, and the client compares the names behind the handshake, and closes.",
      S.to() + S.open(S.hello("api.example"), "①", "②") + S.up(S.goodbye, "③") + S.down(S.goodbye)
        + "< FIN\n> RST\n", at: [1, 2, 3],
      .toClient, severity: .error, confidence: .medium, cost: .failed(.connection), says: "and asked for nothing"),
    .fires(
      "tls/cert-name-mismatch", "The same without a goodbye.",
      S.to() + S.open(S.hello("api.example"), "①", "②") + "> FIN ③\n< FIN\n", at: [1, 2, 3],
      .toClient, severity: .error, confidence: .medium, cost: .failed(.connection)),
    .fires(
      "tls/cert-name-mismatch", "The client goes on with another connection: this one was to spare.",
      S.to() + S.open(S.hello("api.example")) + "> FIN\n< FIN\n" + S.to(client: "10.0.0.1:40001", after: "+100ms")
        + S.open(S.hello("api.example"), "①", "②") + S.talk + S.orderly, at: [1, 2], .toClient, severity: .warning),
    .fires(
      "tls/cert-name-mismatch", "For others, and the server ends it.",
      S.to() + S.open(S.hello("api.example"), "①", "②") + S.down(S.goodbye) + S.up(S.goodbye)
        + "< FIN\n> FIN\n", at: [1, 2], .toClient, severity: .warning),
    .fires(
      "tls/cert-name-mismatch", "For others, and the client stays for a while.",
      S.to() + S.open(S.hello("api.example"), "①", "②") + "+20s\n> FIN\n< FIN\n", at: [1, 2], .toClient,
      severity: .warning),
    .silent(
      "tls/cert-name-mismatch", "Covered by a wildcard.",
      S.to() + S.open(S.hello("A.cdn.example")) + S.talk + S.orderly),
    .silent("tls/cert-name-mismatch", "Nobody said for whom.", S.to() + S.open(S.hello(nil)) + S.talk + S.orderly),
  ]
}
