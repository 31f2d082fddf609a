import Events
import Support

/// WebSockets in streams of HTTP/2.
enum SocketStreamRows {
  private typealias S = HTTP2Script

  static let rows: [RuleRow] = heads + settings + courses

  private static let asked = [
    (":method", "CONNECT"), (":protocol", "websocket"), (":scheme", "http"), (":path", "/chat"),
    (":authority", "h.example"), ("sec-websocket-version", "13"),
  ]
  private static func without(_ name: String) -> [(String, String)] { asked.filter { $0.0 != name } }

  private static let allowed = S.opened([], S.setting(8, 1))
  private static func connect(_ fields: [(String, String)] = asked, _ marker: String = "") -> String {
    S.up(S.headers(1, fields), marker)
  }
  private static let accepted = S.down(S.headers(1, [(":status", "200")]))
  private static let socket = allowed + connect() + accepted
  private static func reset(_ code: UInt32) -> [UInt8] { S.frame(3, 0, 1, S.word(code)) }

  /// `hi` of either side, and Close frames.
  private static let hi = S.frame(0, 0, 1, [0x81, 0x82, 1, 2, 3, 4, 0x69, 0x6B])
  private static let ho = S.frame(0, 0, 1, [0x81, 0x02, 0x68, 0x6F])
  private static let long = S.frame(0, 0, 1, [0x81, 0x08] + Array("12345678".utf8))
  private static func bye(_ flags: UInt8 = 0) -> [UInt8] { S.frame(0, flags, 1, [0x88, 0x82, 1, 2, 3, 4, 2, 0xEA]) }
  private static func byeOfServer(_ flags: UInt8 = 0) -> [UInt8] { S.frame(0, flags, 1, [0x88, 0x02, 3, 0xE8]) }
  private static let orderly = S.up(bye()) + S.down(byeOfServer(1)) + S.up(S.frame(0, 1, 1)) + S.end

  private static let before = [
    (":method", "GET"), (":scheme", "http"), (":path", "/chat"), (":authority", "h.example"), ("upgrade", "websocket"),
  ]

  private static let heads: [RuleRow] = [
    .fires(
      "ws/h2-pseudo-missing", "No path.", allowed + connect(without(":path"), "①") + S.end, at: [1], .toServer,
      says: ":path is missing"),
    .silent("ws/h2-pseudo-missing", "All of them.", socket + orderly),
    .silent("h2/pseudo-missing", "Another rule speaks of it.", allowed + connect(without(":path")) + S.end),
    .fires("ws/h2-hop-headers", "As in HTTP/1.", allowed + connect(before, "①") + S.end, at: [1], .toServer),
    .silent("ws/h2-hop-headers", "As it must be.", socket + orderly),
    .silent("h2/connection-field", "Another rule speaks of it.", allowed + connect(before) + S.end),
    .fires(
      "ws/h2-status-101", "As in HTTP/1.",
      allowed + connect() + S.down(S.headers(1, [(":status", "101")]), "①") + S.end,
      at: [1], .toClient),
    .silent("ws/h2-status-101", "Accepted.", socket + orderly),
    .fires(
      "ws/h2-refused", "Not here.",
      allowed + connect(asked, "①") + S.down(S.headers(1, [(":status", "403")], ends: true), "②") + S.end,
      at: [1, 2], .toClient, cost: .failed(.exchange), says: "was answered 403"),
    .fires(
      "ws/h2-refused", "Without an answer.", allowed + connect(asked, "①") + S.down(reset(1), "②") + S.end, at: [1, 2],
      .toClient, cost: .failed(.exchange), says: "was reset with PROTOCOL_ERROR"),
    .silent("ws/h2-refused", "Accepted, and reset later.", socket + S.up(hi) + S.down(reset(8)) + S.end),
  ]

  private static let settings: [RuleRow] = [
    .fires(
      "ws/h2-setting-missing", "Nothing was announced.", S.open + connect(asked, "①") + S.down(reset(1)) + S.end,
      at: [1], .toServer, cost: .failed(.exchange)),
    .silent("ws/h2-setting-missing", "It was.", socket + orderly),
    .silent(
      "ws/h2-setting-missing", "The capture lacks what the server announced.",
      handshake + S.up(S.preface + S.settings) + S.down(S.settings, "!lost") + S.down(S.acknowledged)
        + S.up(S.acknowledged) + connect(asked) + S.down(reset(1)) + S.end),
    .fires(
      "ws/h2-setting-revoked", "One, and nought.",
      handshake + S.up(S.preface + S.settings) + S.down(S.frame(4, 0, 0, S.setting(8, 1)) + S.acknowledged, "①")
        + S.up(S.acknowledged) + S.down(S.frame(4, 0, 0, S.setting(8, 0)), "②") + S.up(S.acknowledged) + S.end,
      at: [1, 2], .toClient),
    .silent("ws/h2-setting-revoked", "One.", socket + orderly),
    .fires(
      "ws/h2-fallback", "A connection of HTTP/1.1 beside it.",
      "== 10.0.0.1:40000 10.0.0.2:80\n" + S.open + S.up(S.request(), "①") + S.down(S.response(1, ends: true)) + S.end
        + "== 10.0.0.1:40001 10.0.0.2:80 +1s\n" + older, at: [1, 2], .toServer),
    .silent(
      "ws/h2-fallback", "The server announces it, and the client does not care.",
      "== 10.0.0.1:40000 10.0.0.2:80\n" + allowed + S.up(S.request()) + S.down(S.response(1, ends: true)) + S.end
        + "== 10.0.0.1:40001 10.0.0.2:80 +1s\n" + older),
  ]

  private static let older =
    handshake
    + #"> "GET /chat HTTP/1.1\r\nHost: h.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n" ②"#
    + "\n"
    + #"< "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n""#
    + "\n" + S.end

  private static let courses: [RuleRow] = [
    .fires(
      "ws/h2-reset", "In the middle.", socket + S.up(hi, "②") + S.down(reset(8), "①") + S.end, at: [1, 2], .toClient,
      cost: .failed(.exchange)),
    .fires(
      "ws/h2-reset", "The client leaves.", socket + S.down(hi, "②") + S.up(reset(8), "①") + S.end, at: [1, 2],
      .toServer,
      severity: .note),
    .silent(
      "ws/h2-reset", "Behind both Closes.", socket + S.up(bye()) + S.down(byeOfServer()) + S.down(reset(8)) + S.end),
    .silent("h2/stream-reset", "Of a WebSocket another rule speaks.", socket + S.up(hi) + S.down(reset(2)) + S.end),
    .fires(
      "ws/h2-close-no-end", "Both closed.", socket + S.up(bye(), "①") + S.down(byeOfServer(), "②") + S.end, at: [1, 2]),
    .silent("ws/h2-close-no-end", "And ended.", socket + orderly),
    .fires(
      "ws/h2-flow-blocked", "A page that does not read.",
      S.opened(S.setting(4, 10), S.setting(8, 1)) + connect() + accepted + S.down(long, "①") + "+1s\n"
        + S.up(S.frame(8, 0, 1, S.word(10)), "②") + S.down(ho, "③") + orderly, at: [1, 2, 3], .toServer,
      cost: .delay(nanoseconds: 1_000_000_000)),
    .fires(
      "ws/h2-flow-blocked", "A page that never reads.",
      S.opened(S.setting(4, 10), S.setting(8, 1)) + connect() + accepted + S.down(long, "①") + "+1s\n"
        + S.up(reset(8), "②") + S.end, at: [1, 2], .toServer, severity: .error, cost: .failed(.exchange),
      says: "for 1.001 s, and none came"),
    .silent("ws/h2-flow-blocked", "There is room.", socket + S.down(long) + "+1s\n" + S.down(ho) + orderly),
    .fires(
      "ws/frame-unmasked-client", "Masks stay a duty.", socket + S.up(ho, "①") + S.down(ho) + orderly, at: [1],
      .toServer,
      count: 1),
  ]
}
