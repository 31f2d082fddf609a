import Events
import Support

/// What only shows with secrets.
enum TLSSecretRows {
  private typealias S = TLSScript

  private static func exchange(_ host: String, _ mark: String = "") -> (inout TLSKeyed) -> String {
    { keys in
      let asked = S.up(keys.client.seal(S.request(host)), mark) + S.down(keys.server.seal(S.answer))
      return asked + goodbye(&keys)
    }
  }

  private static func goodbye(_ keys: inout TLSKeyed) -> String {
    S.up(keys.client.seal([1, 0], type: 21)) + S.down(keys.server.seal([1, 0], type: 21)) + "> FIN\n< FIN\n"
  }

  static let rows = all.map { $0.keyLog.isEmpty ? $0.with(keyLog: TLSKeyed.keyLog) : $0 }

  /// The server asks for a certificate, the client shows none, and its request is answered all the same.
  private static func uncertified(_ answer: String) -> String {
    var keys = TLSKeyed()
    let flight = keys.flight(certificate: S.certificate, asksForCertificate: true)
    var script = S.to() + handshake + S.up(S.hello13()) + S.down(S.serverHello13() + flight, "①")
    script += S.up(keys.finished(showsNone: true), "②")
    script += S.up(keys.client.seal(S.request("shop.example")))
    script += S.down(keys.server.seal(Array("HTTP/1.1 \(answer)\r\nContent-Length: 0\r\n\r\n".utf8)), "③")
    return script + goodbye(&keys)
  }

  private static let all: [RuleRow] = [
    .fires(
      "tls/client-certificate-missing", "The server refuses inside HTTP.",
      uncertified("400 No required SSL certificate was sent"), at: [1, 2, 3], .toServer, confidence: .medium,
      cost: .failed(.exchange), says: "its first request is answered with 400"),
    .silent("tls/client-certificate-missing", "The certificate was optional.", uncertified("200 OK")),
    .fires(
      "tls/sni-host-mismatch", "HTTP is asked for another name.",
      S.to() + S.keyed("shop.example", mark: "①", exchange("api.example:443", "②")), at: [1, 2], .toServer,
      says: "GET / → 200: the TLS server name is shop.example, the HTTP host api.example."),
    .silent(
      "tls/sni-host-mismatch", "The same name, with a port and in capitals.",
      S.to() + S.keyed("shop.example", exchange("SHOP.example.:443"))),
    .silent(
      "tls/sni-host-mismatch", "Nothing of HTTP is known.", S.to() + S.open13() + S.up(S.data13(80)) + S.orderly13),
    .fires(
      "tls/cert-name-mismatch", "In 1.3 with secrets, by the host of the request.",
      S.to() + S.keyed(nil, mark: "①", flightMark: "②", exchange("api.example")), at: [1, 2], .toClient,
      says: "asks for api.example"),
    .fires(
      "tls/no-sni", "The request has the name, and the certificate another one.",
      S.to() + S.keyed(nil, mark: "①", flightMark: "②", exchange("api.example")), at: [1, 2], .toServer,
      severity: .error,
      says: "and api.example in its requests; the certificate is for shop.example"),
    .fires(
      "tls/no-close-notify", "The end of the body is the end of the connection.",
      S.to()
        + S.keyed { keys in
          S.up(keys.client.seal(S.request("shop.example")))
            + S.down(keys.server.seal(Array("HTTP/1.1 200 OK\r\n\r\nall of it, or not".utf8)), "①") + "< FIN ②\n> FIN\n"
        }, at: [1, 2], .toClient, cost: .failed(.exchange), says: "nothing shows that it was complete"),
    .fires(
      "h2/goaway-cut-short", "The server ends TLS, and its client TCP.",
      S.to()
        + S.keyed { keys in
          let settings = HTTP2Script.settings
          return S.up(keys.client.seal(HTTP2Script.preface + settings + HTTP2Script.request()))
            + S.down(keys.server.seal(settings + HTTP2Script.response() + HTTP2Script.data(1, "half")))
            + S.down(keys.server.seal(HTTP2Script.frame(7, 0, 0, HTTP2Script.word(1) + HTTP2Script.word(0))), "①")
            + S.down(keys.server.seal([1, 0], type: 21), "②") + "> FIN\n< FIN\n"
        }, at: [1, 2], .toClient, cost: .failed(.exchange), says: "with 1 stream that it had taken still open"),
    .fires(
      "tls/close-notify-then-data", "Behind its own goodbye.",
      S.to()
        + S.keyed { keys in
          S.up(keys.client.seal(S.request("shop.example"))) + S.down(keys.server.seal(S.answer))
            + S.up(keys.client.seal([1, 0], type: 21), "①") + S.up(keys.client.seal(S.request("shop.example")), "②")
            + "> FIN\n< FIN\n"
        }, at: [1, 2], .toServer, cost: .lost(bytes: 55), says: "1 record behind its own close_notify"),
    .fires(
      "tls/record-split-message", "The body follows its head by a delayed acknowledgement.",
      S.to()
        + S.keyed { keys in
          let asked = S.up(keys.client.seal(S.request("shop.example")))
          let head = S.down(keys.server.seal(Array(S.answer.dropLast(2))), "①")
          return asked + head + "+40ms\n" + S.down(keys.server.seal(Array(S.answer.suffix(2))), "②") + goodbye(&keys)
        }, at: [1, 2], .toClient, says: "sends a head alone, and its body of 2 B 41.0 ms later"),
    .fires(
      "tls/decrypt-failed", "Secrets of something else.",
      S.to() + S.keyed(flightMark: "①", exchange("shop.example")), at: [1], .toClient,
      says: "cannot be decrypted with the secrets of the key log; nor does any other"
    ).with(keyLog: TLSKeyed.keyLog(secrets: 7)),
    .fires(
      "tls/decrypt-failed", "A byte was changed on the way.",
      S.to()
        + S.keyed { keys in
          let first = S.up(keys.client.seal(S.request("shop.example"))) + S.down(keys.server.seal(S.answer))
          var broken = keys.server.seal(S.answer)
          broken[9] ^= 1
          return first + S.up(keys.client.seal(S.request("shop.example"))) + S.down(broken, "①") + "> FIN\n< FIN\n"
        }, at: [1], .toClient, says: "those before it did"),
    .silent(
      "tls/decrypt-failed", "A draft of TLS 1.3 protects its records otherwise.",
      S.to() + handshake + S.up(S.hello13())
        + S.down(TLSWire.message(2, TLSWire.serverHello(suite: 0x1301, extensions: [TLSWire.ext(43, [0x7F, 20])])))
        + S.down(TLSWire.changeCipherSpec + TLSWire.shut(400)) + S.up(S.clientEnd13) + S.up(S.data13(50)) + S.orderly13),
    .silent("tls/decrypt-failed", "All opens.", S.to() + S.keyed("shop.example", exchange("shop.example"))),
    .silent(
      "tls/alpn-missing", "A name for what HTTP speaks.", S.to() + S.keyed("shop.example", exchange("shop.example"))),
  ]
}
