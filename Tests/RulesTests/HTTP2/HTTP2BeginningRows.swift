import Events
import Support

/// How a connection comes to HTTP/2, or does not; and responses that end late or were not asked for.
enum HTTP2BeginningRows {
  private typealias S = HTTP2Script

  static let rows: [RuleRow] = offers + ports + security + heads + streams + late

  /// Pings of the server: frames that follow each other, by which a capture that begins late is known for HTTP/2.
  private static let pings: [UInt8] = (1...3).flatMap { S.frame(6, 0, 0, [UInt8](repeating: $0, count: 8)) }

  private static func same(_ flags: UInt8) -> [UInt8] { S.frame(6, flags, 0, [UInt8](repeating: 9, count: 8)) }

  /// Captures that begin late lack what would explain what they hold.
  private static let late: [RuleRow] = [
    .silent(
      "h2/pseudo-unknown", "The first head is one that the server promises.",
      S.down(
        pings + S.frame(5, 4, 1, S.word(2) + S.block(S.asked)) + S.response(1) + S.data(1, "x", ends: true)
          + S.response(2, ends: true)) + S.end),
    .silent(
      "h2/pseudo-missing", "The same.",
      S.down(pings + S.frame(5, 4, 1, S.word(2) + S.block(S.asked)) + S.response(1, ends: true)) + S.end),
    .silent(
      "h2/stream-reset", "A client leaves a response, and the ports say nothing of who it is.",
      "== 10.0.0.1:40000 10.0.0.2:50051\n" + S.up(pings + S.request(1)) + S.down(S.response(1) + S.data(1, "x"))
        + S.up(S.frame(3, 0, 1, S.word(8))) + S.end),
    .fires(
      "h2/stream-reset", "A server does, on the same ports.",
      "== 10.0.0.1:40000 10.0.0.2:50051\n" + S.up(pings + S.request(1)) + S.down(S.response(1) + S.data(1, "x"))
        + S.down(S.frame(3, 0, 1, S.word(2)), "①") + S.end, at: [1], .toClient, cost: .failed(.exchange)),
    .silent(
      "h2/ping-rtt-high", "Joined in its middle: an ACK may be of the PING before.",
      S.up(pings) + (1...4).map { _ in S.up(same(0)) + "+1s\n" + S.down(same(1)) }.joined() + S.end),
    .silent(
      "h2/goaway-last-id", "A GOAWAY alone: its sender is a server.",
      S.down(pings + S.frame(7, 0, 0, S.word(1) + S.word(11))) + S.end),
    .silent(
      "h2/content-length-mismatch", "The request was not captured: it may have been HEAD.",
      S.down(pings + S.response(1, [("content-length", "500")], ends: true)) + S.end),
    .fires(
      "h2/content-length-mismatch", "It was no HEAD: a part of the body came.",
      S.down(pings + S.response(1, [("content-length", "500")]), "①") + S.down(S.data(1, "body", ends: true), "②")
        + S.end,
      at: [1, 2], .toClient, cost: .lost(bytes: 496)),
    .silent(
      "h2/frame-state", "The first frame continues a block.",
      S.up(S.frame(9, 4, 1, S.block(S.asked)) + pings) + S.down(pings) + S.end),
    .fires(
      "h2/frame-state", "The fourth continues none.", S.up(pings + S.frame(9, 4, 1, S.block(S.asked)), "①") + S.end,
      at: [1], .toServer),
    .silent(
      "h2/frame-state", "An upgrade before the capture opened the stream.",
      S.up(S.preface + S.settings) + S.down(S.settings + S.response(1) + S.data(1, "x", ends: true)) + S.end),
    .silent(
      "h2/preface-missing", "The settings of the server came before its client's.",
      S.up(S.preface + S.settings) + S.down(S.response(1) + S.data(1, "x", ends: true)) + S.end),
  ]

  private static func offer(_ settings: String, _ answer: String, named: String = "Upgrade, HTTP2-Settings") -> String {
    handshake
      + #"> "GET / HTTP/1.1\r\nHost: h.example\r\nConnection: \#(named)\r\nUpgrade: h2c\r\n\#(settings)\r\n" ①"# + "\n"
      + #"< "HTTP/1.1 \#(answer)\r\nContent-Length: 0\r\n\r\n" ②"# + "\n" + S.end
  }
  private static let settings = #"HTTP2-Settings: AAMAAABkAAQAAP__\r\n"#
  private static let plain = handshake + #"> "GET / HTTP/1.1\r\nHost: h.example\r\n\r\n" ①"# + "\n"
  private static let answered = #"< "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n""# + "\n" + S.end

  private static let offers: [RuleRow] = [
    .fires(
      "h2/h2c-upgrade-ignored", "The server goes on with HTTP/1.1.", offer(settings, "200 OK"), at: [1, 2], .toClient),
    .fires(
      "h2/h2c-upgrade-ignored", "A proxy cannot use it.", offer(settings, "400 Bad Request"), at: [1, 2], .toClient,
      cost: .failed(.exchange)),
    .fires(
      "h2/h2c-upgrade-ignored", "The request was understood, and what it asks for is not there.",
      offer(settings, "404 Not Found"), at: [1, 2], .toClient),
    .fires(
      "h2/h2c-upgrade-ignored", "The program behind it fails.", offer(settings, "500 Internal Server Error"),
      at: [1, 2],
      .toClient),
    .silent("h2/h2c-upgrade-ignored", "Nothing is offered.", plain + answered),
    .fires(
      "h2/h2c-upgrade-invalid", "No settings.", offer("", "200 OK"), at: [1], .toServer,
      says: "0 HTTP2-Settings instead of one"),
    .fires(
      "h2/h2c-upgrade-invalid", "With padding.", offer(#"HTTP2-Settings: AAMAAABk==\r\n"#, "200 OK"), at: [1],
      .toServer,
      says: "not base64url without padding"),
    .fires(
      "h2/h2c-upgrade-invalid", "Connection does not name it.", offer(settings, "200 OK", named: "Upgrade"), at: [1],
      .toServer),
    .silent("h2/h2c-upgrade-invalid", "As it must be.", offer(settings, "200 OK")),
  ]

  private static let ports: [RuleRow] = [
    .fires(
      "h2/http1-to-h2-port", "A health check.",
      plain + S.down(S.settings + S.frame(7, 0, 0, S.word(0) + S.word(1)), "②") + "< FIN\n> FIN\n", at: [1, 2],
      .toServer, cost: .failed(.exchange)),
    .silent("h2/http1-to-h2-port", "An answer.", plain + answered),
    .fires(
      "h2/prior-knowledge-refused", "A server of HTTP/1.",
      handshake + S.up(S.preface + S.settings) + #"< "HTTP/1.1 400 Bad Request\r\n\r\n" ①"# + "\n< FIN\n> FIN\n",
      at: [1],
      .toClient, cost: .failed(.connection), says: "with HTTP/1 and status 400"),
    .fires(
      "h2/prior-knowledge-refused", "It hangs up.", handshake + S.up(S.preface + S.settings) + "< FIN ①\n> FIN\n",
      at: [1], .toClient, cost: .failed(.connection)),
    .silent(
      "h2/prior-knowledge-refused", "The capture lacks what the server answered.",
      handshake + S.up(S.preface + S.settings) + S.down(S.settings + S.acknowledged, "!lost")
        + "> ACK\n< FIN\n> FIN\n"),
    .silent("h2/prior-knowledge-refused", "A server of HTTP/2.", S.open + S.clean),
    .silent(
      "h2/preface-missing", "A server of HTTP/1, which has a rule of its own.",
      handshake + S.up(S.preface + S.settings) + #"< "HTTP/1.1 400 Bad Request\r\n\r\n""# + "\n< FIN\n> FIN\n"),
  ]

  private static func secured(_ suite: UInt16) -> String {
    let hello = TLSWire.serverHello(suite: suite, extensions: [TLSWire.protocols("h2")])
    return TLSScript.to()
      + TLSScript.open(
        TLSScript.hello(protocols: TLSWire.protocols("h2"), suites: [suite]),
        flight: TLSWire.message(2, hello) + TLSScript.chain(), "①") + TLSScript.talk + TLSScript.orderly
  }

  private static let security: [RuleRow] = [
    .fires(
      "h2/inadequate-security", "Without forward secrecy.", secured(0x009C), at: [1], .toClient,
      says: "TLS 1.2 with TLS_RSA_WITH_AES_128_GCM_SHA256"),
    .silent("h2/inadequate-security", "With it.", secured(0xC02F)),
  ]

  private static func limited(_ bytes: UInt32) -> String {
    handshake + S.up(S.preface + S.settings) + S.down(S.frame(4, 0, 0, S.setting(6, bytes)) + S.acknowledged, "①")
      + S.up(S.acknowledged) + S.up(S.request(), "②") + S.down(S.response(1, ends: true)) + S.end
  }

  private static let heads: [RuleRow] = [
    .fires(
      "h2/header-list-exceeded", "A small limit.", limited(100), at: [1, 2], .toServer,
      says: "a head of 175 B; the receiver takes 100 B"),
    .silent("h2/header-list-exceeded", "It fits exactly.", limited(175)),
  ]

  private static let asked = S.open + S.up(S.request())
  private static let promise = S.down(S.frame(5, 4, 1, S.word(2) + S.block(S.asked)), "①")

  private static let streams: [RuleRow] = [
    .fires(
      "h2/end-stream-late", "The handler does not return.",
      asked + S.down(S.response(1, [("content-length", "4")]) + S.data(1, "body"), "①") + "+1s\n"
        + S.down(S.data(1, "", ends: true), "②") + S.end, at: [1, 2], .toClient,
      cost: .delay(nanoseconds: 1_001_000_000), says: "END_STREAM came 1.001 s after the last byte"),
    .fires(
      "h2/end-stream-late", "One burst of unknown length.",
      asked + S.down(S.response(1) + S.data(1, "body"), "①") + "+1s\n" + S.down(S.data(1, "", ends: true), "②") + S.end,
      at: [1, 2], .toClient, confidence: .low),
    .silent(
      "h2/end-stream-late", "The length is not reached before.",
      asked + S.down(S.response(1, [("content-length", "8")]) + S.data(1, "body")) + "+1s\n"
        + S.down(S.data(1, "more", ends: true)) + S.end),
    .fires(
      "h2/push-promise", "A style sheet.",
      asked + promise + S.down(S.response(1, ends: true) + S.response(2, ends: true)) + S.end, at: [1], .toClient),
    .fires(
      "h2/push-promise", "The client has it already.",
      asked + promise + S.down(S.response(2) + S.data(2, "styles")) + S.up(S.frame(3, 0, 2, S.word(8))) + S.end,
      at: [1],
      .toClient, cost: .lost(bytes: 6), says: "the client reset it after 6 B"),
    .silent("h2/push-promise", "Nothing is pushed.", S.open + S.clean),
  ]
}
