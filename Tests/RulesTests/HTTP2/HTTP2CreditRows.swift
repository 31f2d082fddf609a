import Events
import Support

/// Windows, places for streams, and what else makes streams wait for each other.
enum HTTP2CreditRows {
  private typealias S = HTTP2Script

  static let rows: [RuleRow] = windows + limits + frames + pings

  private static func credit(_ stream: UInt32, _ bytes: UInt32) -> [UInt8] { S.frame(8, 0, stream, S.word(bytes)) }
  private static func several(_ count: Int, _ frame: [UInt8]) -> [UInt8] {
    Array(repeatElement(frame, count: count).joined())
  }
  private static func filler(_ stream: UInt32, _ count: Int) -> [UInt8] {
    S.frame(0, 0, stream, [UInt8](repeating: 7, count: count))
  }

  /// The server may send ten bytes of each stream.
  private static let small = S.opened(S.setting(4, 10)) + S.up(S.request())
  private static let ten = S.data(1, "0123456789")
  /// Streams may have what the connection has not.
  private static let wide = S.opened(S.setting(4, 100_000)) + S.up(S.request(1) + S.request(3))
  private static let whole =
    S.down(S.response(1) + S.response(3)) + S.down(filler(1, 16_384)) + S.down(filler(1, 16_384))
    + S.down(filler(1, 16_384))

  private static let far = "> SYN\n+20ms\n< SYN ACK\n> ACK\n"
  private static func piecewise(_ window: UInt32) -> String {
    far + S.up(S.preface + S.frame(4, 0, 0, S.setting(4, window))) + S.down(S.settings + S.acknowledged)
      + S.up(S.acknowledged + S.request()) + S.down(S.response() + ten, "①")
      + String(repeating: S.up(credit(1, 10)) + "+20ms\n" + S.down(ten), count: 4)
      + S.up(credit(1, 10)) + "+20ms\n" + S.down(ten, "②") + S.end
  }

  /// The same behind a beginning in so many pieces, a byte each, for which the window had room.
  private static func slowly(_ pieces: Int) -> String {
    let window = UInt32(pieces + 10)
    return far + S.up(S.preface + S.frame(4, 0, 0, S.setting(4, window))) + S.down(S.settings + S.acknowledged)
      + S.up(S.acknowledged + S.request()) + S.down(S.response() + S.data(1, "0"), "①")
      + String(repeating: "+15ms\n" + S.down(S.data(1, "1")), count: pieces - 1) + S.down(ten)
      + String(repeating: S.up(credit(1, 10)) + "+20ms\n" + S.down(ten), count: 4)
      + S.up(credit(1, 10)) + "+20ms\n" + S.down(ten, "②") + S.end
  }

  private static let windows: [RuleRow] = [
    .fires(
      "h2/stream-window-stall", "A page that does not read.",
      small + S.down(S.response() + ten, "①") + "+1s\n" + S.up(credit(1, 10), "②")
        + S.down(S.data(1, "more", ends: true), "③") + S.end, at: [1, 2, 3], .toServer,
      cost: .delay(nanoseconds: 1_000_000_000), says: "had no credit for the stream for 1.002 s"),
    .fires(
      "h2/stream-window-stall", "A client that leaves without having read.",
      small + S.down(S.response() + ten, "①") + "+1s\n" + S.up(S.frame(3, 0, 1, S.word(8)), "②") + S.end, at: [1, 2],
      .toServer, severity: .error, cost: .failed(.exchange), says: "and none came"),
    .silent(
      "h2/stream-window-stall", "Credit comes, and the server has nothing to send for a second.",
      small + S.down(S.response() + ten) + S.up(credit(1, 10)) + "+1s\n" + S.down(S.data(1, "more", ends: true)) + S.end
    ),
    .silent(
      "h2/stream-window-stall", "The last bytes of the body used it up.",
      small + S.down(S.response() + S.data(1, "0123456789", ends: true)) + "+1s\n" + S.end),
    .fires(
      "h2/connection-window-stall", "One stream took all of it.",
      wide + whole + S.down(filler(1, 16_383), "①") + "+1s\n" + S.up(credit(0, 65_535), "②")
        + S.down(S.data(3, "late", ends: true), "③") + S.end, at: [1, 2, 3], .toServer,
      cost: .delay(nanoseconds: 2_000_000_000), says: "while 2 streams waited; most of it was missing for stream 1"),
    .fires(
      "h2/connection-window-stall", "It never comes, and the client leaves.",
      wide + whole + S.down(filler(1, 16_383), "①") + "+1s\n> FIN ②\n< FIN\n", at: [1, 2], .toServer,
      severity: .error, cost: .failed(.connection), says: "for 1.001 s, and none came, while 2 streams waited"),
    .silent(
      "h2/connection-window-stall", "It is given back at once.",
      wide + whole + S.down(filler(1, 16_383)) + S.up(credit(0, 65_535)) + "+1s\n"
        + S.down(S.data(3, "late", ends: true)) + S.end),
    .fires(
      "h2/window-limited", "Ten bytes a round trip.", piecewise(10), at: [1, 2], .toServer,
      cost: .delay(nanoseconds: 110_000_000), says: "waited 5 times for credit, 0.110 s of 0.110 s"),
    .silent("h2/window-limited", "Ten bytes at a time, with room for more.", piecewise(1_000)),
    .fires(
      "h2/window-limited", "TCP was the limit at first, and then the window.", slowly(10), at: [1, 2], .toServer,
      cost: .delay(nanoseconds: 110_000_000), says: "waited 5 times for credit, 0.110 s of 0.2"),
    .silent("h2/window-limited", "It was one at the end of a long body alone.", slowly(40)),
    .fires(
      "h2/connection-window-leak", "A cancelled stream.",
      wide + whole + S.down(filler(1, 15_000), "①") + S.up(S.frame(3, 0, 1, S.word(8)))
        + S.down(S.data(3, "", ends: true)) + "+2s\n" + S.end,
      at: [1], .toServer, says: "Of a window of 65,535 B, 1,383 B were left"),
    .silent(
      "h2/connection-window-leak", "Its bytes are given back.",
      wide + whole + S.down(filler(1, 15_000)) + S.up(S.frame(3, 0, 1, S.word(8)) + credit(0, 64_152))
        + S.down(S.data(3, "", ends: true)) + "+2s\n" + S.end),
    .fires(
      "h2/window-updates-tiny", "For each byte that was read.",
      S.open + S.up(S.request() + credit(0, 10), "①") + S.up(several(58, credit(0, 10))) + S.up(credit(0, 10), "②")
        + S.end, at: [1, 2], .toServer, count: 60, says: "60 WINDOW_UPDATE frames of 10 B on average"),
    .silent(
      "h2/window-updates-tiny", "Large ones.", S.open + S.up(S.request() + several(60, credit(0, 4_096))) + S.end),
  ]

  private static let heads = S.response(1) + S.response(3)
  private static let lost = S.data(1, "a")
  /// Of the server, up to what is lost.
  private static let before = S.settings.count + S.acknowledged.count + heads.count
  private static func hole(_ held: [UInt8]) -> String {
    S.open + S.up(S.request(1) + S.request(3)) + S.down(heads) + S.down(held, "@\(before + lost.count) ①") + "+500ms\n"
      + S.down(lost, "@\(before) ②")
  }

  private static let limits: [RuleRow] = [
    .fires(
      "h2/streams-exhausted", "One at a time.",
      S.opened([], S.setting(3, 1)) + S.up(S.request(), "①") + "+1s\n" + S.down(S.response(1, ends: true), "②")
        + S.up(S.request(3), "③") + S.end, at: [1, 2, 3], .toServer, cost: .delay(nanoseconds: 1_001_000_000),
      says: "All streams that the server allows, 1 at a time, were open for 1.001 s"),
    .silent(
      "h2/streams-exhausted", "A second place was free.",
      S.opened([], S.setting(3, 2)) + S.up(S.request()) + "+1s\n" + S.down(S.response(1, ends: true))
        + S.up(S.request(3)) + S.end),
    .silent(
      "h2/streams-exhausted", "Nobody asks before a second has passed.",
      S.opened([], S.setting(3, 1)) + S.up(S.request()) + "+1s\n" + S.down(S.response(1, ends: true)) + "+1s\n"
        + S.up(S.request(3)) + S.end),
    .fires(
      "h2/tcp-loss-stalls-streams", "Two streams behind one hole.", hole(S.data(1, "b") + S.data(3, "c")), at: [1, 2],
      cost: .delay(nanoseconds: 1_002_000_000), says: "2 streams waited 0.501 s for a lost segment"),
    .silent(
      "h2/tcp-loss-stalls-streams", "The client had what the capture lacks.",
      S.open + S.up(S.request(1) + S.request(3)) + S.down(heads) + S.down(lost, "!lost")
        + S.down(S.data(1, "b") + S.data(3, "c")) + "> ACK\n+500ms\n> ACK\n" + S.end),
    .silent("h2/tcp-loss-stalls-streams", "The one that lost it.", hole(S.data(1, "b") + S.data(1, "c"))),
  ]

  private static let padded = S.frame(0, 8, 1, [255] + [UInt8](repeating: 7, count: 455))
  private static let roomy =
    S.opened(S.setting(4, 200_000)) + S.up(S.request() + credit(0, 200_000)) + S.down(S.response())
  private static let tokens = (0..<60).map { _ in S.down(S.data(1, "ab")) }.joined()

  private static let frames: [RuleRow] = [
    .fires(
      "h2/tiny-data", "A frame for each write.",
      S.open + S.up(S.request()) + S.down(S.response()) + S.down(several(60, S.data(1, "ab")), "①") + S.end,
      at: [1, 1],
      .toClient, count: 60, says: "60 DATA frames carry 120 B, 60 of them less than 64 B"),
    .silent(
      "h2/tiny-data", "Tokens, each when it is there.",
      S.open + S.up(S.request()) + S.down(S.response()) + tokens + S.end),
    .fires(
      "h2/padding-heavy", "Half of it.",
      roomy + S.down(several(75, padded), "①") + S.down(several(75, padded), "②")
        + S.end,
      at: [1, 2], .toClient, says: "38,400 B of 68,400 B are padding"),
    .silent(
      "h2/padding-heavy", "Of a small body.", roomy + S.down(several(75, padded)) + S.end),
    .fires(
      "h2/empty-data-flood", "Nothing, again and again.",
      S.open + S.up(S.request(1, ends: false) + S.data(1, ""), "①") + S.up(several(118, S.data(1, "")))
        + S.up(S.data(1, ""), "②") + S.end, at: [1, 2], .toServer, count: 120, says: "120 DATA frames without a byte"),
    .silent(
      "h2/empty-data-flood", "A few, and the one that ends.",
      S.open + S.up(S.request(1, ends: false) + several(9, S.data(1, "")) + S.data(1, "", ends: true)) + S.end),
  ]

  private static func ping(_ value: UInt8, _ flags: UInt8 = 0) -> [UInt8] {
    S.frame(6, flags, 0, [UInt8](repeating: value, count: 8))
  }

  private static func answered(_ wait: String) -> String {
    S.open + S.up(ping(1), "①") + wait + S.down(ping(1, 1), "②") + S.up(ping(2)) + wait + S.down(ping(2, 1))
      + S.up(ping(3)) + wait + S.down(ping(3, 1)) + S.end
  }

  private static let pings: [RuleRow] = [
    .fires(
      "h2/ping-flood", "A loop.",
      S.open + S.up(ping(1), "①") + S.up(several(20, ping(2))) + S.up(ping(3), "②")
        + S.down(ping(1, 1) + several(20, ping(2, 1)) + ping(3, 1)) + S.end, at: [1, 2], .toServer,
      says: "sent 22 PINGs"),
    .silent("h2/ping-flood", "Three.", answered("")),
    .fires(
      "h2/ping-rtt-high", "A busy server.", answered("+1s\n"), at: [1, 2], .toClient,
      cost: .delay(nanoseconds: 1_001_000_000), says: "3 PINGs after up to 1.001 s"),
    .silent("h2/ping-rtt-high", "A quick one.", answered("+20ms\n")),
    .fires(
      "h2/ping-unanswered", "The client gives up.", S.open + S.up(ping(1), "①") + "+20s\n> FIN ②\n< FIN\n",
      at: [1, 2], .toClient, severity: .error, cost: .failed(.connection), says: "did not acknowledge a PING within 20"),
    .silent(
      "h2/ping-unanswered", "The capture lacks the bytes in which the answer may have been.",
      S.open + S.up(ping(1)) + S.down(ping(1, 1), "!lost") + S.up(ping(2)) + S.down(ping(2, 1))
        + "+20s\n> FIN\n< FIN\n"),
    .silent(
      "h2/ping-unanswered", "The capture lacks a PING, and its ACK answered the next with the same payload.",
      S.open + S.up(ping(1)) + S.down(ping(1, 1)) + S.up(ping(1), "!lost") + S.down(ping(1, 1)) + S.up(ping(1))
        + S.down(ping(1, 1)) + S.up(ping(1)) + "+20s\n> FIN\n< FIN\n"),
    .silent(
      "h2/ping-unanswered", "A page is left right behind it.", S.open + S.up(ping(1)) + S.end),
  ]
}
