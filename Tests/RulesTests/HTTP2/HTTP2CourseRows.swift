import Events
import Support

/// Streams that were given up, and how connections end.
enum HTTP2CourseRows {
  private typealias S = HTTP2Script

  static let rows: [RuleRow] = resets + silences + farewells + floods

  private static func reset(_ code: UInt32, _ stream: UInt32 = 1) -> [UInt8] { S.frame(3, 0, stream, S.word(code)) }
  private static func goAway(_ last: UInt32, _ code: UInt32 = 0, _ debug: String = "") -> [UInt8] {
    S.frame(7, 0, 0, S.word(last) + S.word(code) + Array(debug.utf8))
  }

  /// Requests that are reset at once.
  private static func dropped(_ numbers: Range<UInt32>) -> [UInt8] {
    var bytes: [UInt8] = []
    for number in numbers {
      bytes += S.request(number * 2 + 1)
      bytes += reset(8, number * 2 + 1)
    }
    return bytes
  }

  private static func several(_ count: Int, _ frame: [UInt8]) -> [UInt8] {
    Array(repeatElement(frame, count: count).joined())
  }

  private static let asked = S.open + S.up(S.request())

  /// As many requests, from stream 1 on, and their responses.
  private static func answered(_ count: UInt32) -> String {
    let streams = (0..<count).map { $0 * 2 + 1 }
    return S.up(streams.flatMap { S.request($0) }) + S.down(streams.flatMap { S.response($0, ends: true) })
  }
  private static let socket = [
    (":method", "CONNECT"), (":protocol", "websocket"), (":scheme", "http"), (":path", "/a"),
    (":authority", "h.example"),
  ]

  /// A body of announced length begins; then its stream is silent.
  private static let begun = S.down(S.response(1, [("content-length", "5000")]) + S.data(1, "begin"), "①")

  private static let silences: [RuleRow] = [
    .fires(
      "stream/peer-gone", "A stream stands still until its client gives it up.",
      asked + begun + "> ACK\n+30s\n" + S.up(reset(8), "②") + S.end, at: [1, 2], .toClient, cost: .failed(.exchange),
      says: "4,995 B before the end of the body the server fell silent"),
    .fires(
      "stream/peer-gone", "A client that ends the connection over a stream.",
      asked + begun + "> ACK\n+30s\n> FIN ②\n< FIN\n", at: [1, 2], .toClient, cost: .failed(.exchange)),
    .silent(
      "stream/peer-gone", "A client that gave no credit.",
      S.opened(S.setting(4, 5)) + S.up(S.request()) + begun + "> ACK\n+30s\n" + S.up(reset(8)) + S.end),
    .silent(
      "stream/peer-gone", "A client that had enough, soon.",
      asked + begun + "> ACK\n+1s\n" + S.up(reset(8)) + S.end),
    .silent(
      "stream/peer-gone", "The server gives it up itself.",
      asked + begun + "> ACK\n+30s\n" + S.down(reset(2)) + S.end),
  ]

  private static let resets: [RuleRow] = [
    .fires(
      "h2/stream-reset", "A proxy that waited long enough.",
      asked + S.down(S.response() + S.data(1, "begin")) + S.down(reset(2), "①") + S.end, at: [1], .toClient,
      cost: .failed(.exchange), says: "reset the stream with INTERNAL_ERROR after 5 B"),
    .fires(
      "h2/stream-reset", "A proxy whose timer ran out after a silence, by all that is known.",
      asked + S.down(S.response() + S.data(1, "begin")) + "+5s\n" + S.down(reset(2), "①") + S.end, at: [1], .toClient,
      cost: .failed(.exchange), says: "INTERNAL_ERROR after 5 B, 5.001 s after the last of it", fix: "timeout server"),
    .fires(
      "h2/stream-reset", "A client that does not like the answer.",
      asked + S.down(S.response()) + S.up(reset(1), "①") + S.end, at: [1], .toServer, cost: .failed(.exchange)),
    .silent(
      "h2/stream-reset", "The end of the response is not in the capture: the client answers what came behind it.",
      asked + S.down(S.response()) + S.down(S.data(1, "end", ends: true), "!lost") + S.up(reset(5))
        + S.down(S.frame(6, 0, 0, S.word(0) + S.word(0)))
        + S.end),
    .silent("h2/stream-reset", "A client that had enough.", asked + S.down(S.response()) + S.up(reset(8)) + S.end),
    .fires(
      "h2/refused-stream", "Too many at a time.", asked + S.down(reset(7), "①") + "+2s\n" + S.end, at: [1], .toClient,
      severity: .error, cost: .failed(.exchange), says: "and the request was not repeated"),
    .fires(
      "h2/refused-stream", "What the client does then is not in the capture.", asked + S.down(reset(7), "①") + S.end,
      at: [1], .toClient, cost: .failed(.exchange), says: "and the capture ends before the client had time"),
    .fires(
      "h2/refused-stream", "The client tries again.",
      asked + S.down(reset(7), "①") + S.up(S.request(3), "②") + S.down(S.response(3, ends: true)) + S.end, at: [1, 2],
      .toClient, cost: .delay(nanoseconds: 2_000_000), says: "and the request was repeated"),
    .fires(
      "h2/refused-stream", "The same request was under way already: it repeats nothing.",
      asked + S.up(S.request(3)) + S.down(reset(7), "①") + S.down(S.response(3, ends: true)) + "+2s\n" + S.end, at: [1],
      .toClient, severity: .error, cost: .failed(.exchange), says: "and the request was not repeated"),
    .fires(
      "h2/refused-stream", "It was made sixteen times before.",
      S.open + answered(16) + S.up(S.request(33)) + S.down(reset(7, 33), "①") + S.up(S.request(35), "②")
        + S.down(S.response(35, ends: true)) + S.end, at: [1, 2], .toClient, cost: .delay(nanoseconds: 2_000_000),
      says: "and the request was repeated"),
    .fires(
      "h2/http11-required", "With a certificate.", asked + S.down(reset(13), "①") + "+5s\n" + S.end, at: [1], .toClient,
      severity: .error, cost: .failed(.exchange)),
    .silent("h2/http11-required", "Another code.", asked + S.down(reset(7)) + S.end),
    .fires(
      "h2/misdirected", "A name of the same certificate.",
      asked + S.down(S.headers(1, [(":status", "421")], ends: true), "①") + "+5s\n" + S.end, at: [1], .toClient,
      severity: .error, cost: .failed(.exchange), says: "the server answered 421"),
    .silent("h2/misdirected", "Not found.", asked + S.down(S.headers(1, [(":status", "404")], ends: true)) + S.end),
    .silent(
      "h2/misdirected", "A WebSocket, of which other rules speak.",
      S.opened([], S.setting(8, 1)) + S.up(S.headers(1, socket))
        + S.down(S.headers(1, [(":status", "421")], ends: true)) + S.end),
    .silent("h2/refused-stream", "Another code.", asked + S.down(reset(2)) + S.end),
    .fires(
      "h2/truncated-no-error", "Half of it.",
      asked + S.down(S.response(1, [("content-length", "9")]) + S.data(1, "half")) + S.down(reset(0), "①") + S.end,
      at: [1], .toClient, cost: .lost(bytes: 5)),
    .silent(
      "h2/truncated-no-error", "An upload that is not needed any more.",
      S.open + S.up(S.request(1, ends: false)) + S.down(S.response(1, ends: true)) + S.down(reset(0)) + S.end),
  ]

  private static let farewells: [RuleRow] = [
    .fires(
      "h2/goaway-error", "For a code that nobody knows.", asked + S.down(goAway(1, 300), "①") + S.end, at: [1],
      .toClient,
      cost: .failed(.connection), says: "gave the connection up with code 300"),
    .fires(
      "h2/goaway-error", "An idle connection, as its text says.",
      S.open + S.down(goAway(0, 2, "connection idle"), "①") + S.end,
      at: [1], .toClient, severity: .note, says: "The server ended an idle connection with INTERNAL_ERROR"),
    .fires(
      "http/unanswered-request", "The client leaves after five seconds.",
      S.open + S.up(S.request(1), "①") + "< ACK\n+5s\n> FIN ②\n< FIN\n", at: [1, 2], .toClient, severity: .warning,
      cost: .failed(.exchange), says: "the client left 5.00"),
    .fires(
      "http/unanswered-request", "The client gives the stream up after five seconds.",
      S.open + S.up(S.request(1), "①") + "< ACK\n+5s\n" + S.up(S.frame(3, 0, 1, S.word(8)), "②") + S.end, at: [1, 2],
      .toClient, severity: .warning, cost: .failed(.exchange), says: "the client gave it up 5.00"),
    .silent(
      "http/unanswered-request", "The server resets the stream: that has rules of its own.",
      asked + "+5s\n" + S.down(reset(2)) + S.end),
    .fires(
      "h2/goaway-error", "A server that stops at once, and says so.",
      asked + S.down(goAway(1, 2, "Cancelling all calls"), "①") + S.end, at: [1, 1], .toClient,
      cost: .failed(.connection), says: "gave the connection up with INTERNAL_ERROR"),
    .silent("h2/goaway-error", "An orderly end.", asked + S.down(S.response(1, ends: true) + goAway(1)) + S.end),
    .fires(
      "h2/goaway-last-id", "A client names its own stream.", asked + S.up(goAway(1), "①") + S.end, at: [1], .toServer),
    .fires(
      "h2/goaway-last-id", "A server takes it back.", asked + S.down(goAway(1)) + S.down(goAway(3), "①") + S.end,
      at: [1],
      .toClient, says: "names stream 3, after one that named 1"),
    .silent(
      "h2/goaway-last-id", "In two steps.", asked + S.down(goAway(0x7FFF_FFFF)) + S.down(goAway(1)) + S.end),
    .fires(
      "h2/goaway-cut-short", "The server does not wait.", asked + S.down(goAway(1), "①") + "+1s\n< FIN ②\n> FIN\n",
      at: [1, 2], .toClient, cost: .failed(.exchange), says: "with 1 stream that it had taken still open"),
    .silent(
      "h2/goaway-cut-short", "The capture lacks what the server sent behind it.",
      asked + S.down(goAway(1)) + S.down(S.response(1, ends: true), "!lost") + "> ACK\n< FIN\n> FIN\n"),
    .silent(
      "h2/goaway-cut-short", "It does.",
      asked + S.down(goAway(1)) + S.down(S.response(1, ends: true)) + "< FIN\n> FIN\n"),
    .fires(
      "h2/goaway-unprocessed", "The request crossed it.",
      asked + S.down(goAway(1), "①") + S.up(S.request(3)) + S.down(S.response(1, ends: true)) + "< FIN\n> FIN\n",
      at: [1],
      .toClient, cost: .failed(.exchange), says: "1 request came after the last one that the server took"),
    .silent(
      "h2/goaway-unprocessed", "All were taken.",
      asked + S.down(goAway(1) + S.response(1, ends: true)) + "< FIN\n> FIN\n"),
    .fires(
      "h2/request-after-goaway", "Long after.",
      asked + S.down(goAway(1), "①") + "+1s\n" + S.up(S.request(3), "②") + S.end,
      at: [1, 2], .toServer, cost: .failed(.exchange)),
    .silent(
      "h2/request-after-goaway", "Trailers of a request that was open before.",
      S.open + S.up(S.request(1, ends: false)) + S.down(goAway(1)) + "+1s\n"
        + S.up(S.headers(1, [("x", "y")], ends: true)) + S.down(S.response(1, ends: true)) + S.end),
    .silent("h2/request-after-goaway", "At the same time.", asked + S.down(goAway(1)) + S.up(S.request(3)) + S.end),
    .fires(
      "h2/closed-with-open-streams", "A crash.", asked + "< RST ①\n", at: [1], .toClient, cost: .failed(.exchange),
      says: "with 1 stream open, and without GOAWAY"),
    .silent("h2/closed-with-open-streams", "The client left.", asked + "> FIN\n< FIN\n"),
    .silent(
      "h2/closed-with-open-streams", "The client left, and the server's system answers with a reset.",
      asked + "> FIN\n< RST\n"),
    .fires(
      "h2/closed-with-open-streams", "A crash: its system refuses what the client sends on.",
      asked + "< FIN ①\n" + S.up(S.frame(6, 0, 0, [UInt8](repeating: 1, count: 8))) + "< RST\n", at: [1], .toClient,
      cost: .failed(.exchange)),
    .fires(
      "h2/closed-with-open-streams", "The client asks on a connection that was closed while idle.",
      asked + S.down(S.response(1, ends: true)) + "+5s\n< FIN ①\n> ACK\n+1500ms\n" + S.up(S.request(3), "②")
        + "< RST\n",
      at: [1, 2], .toClient, severity: .warning, cost: .failed(.exchange), says: "after the server had closed"),
    .fires(
      "h2/no-goaway", "An idle connection.", asked + S.down(S.response(1, ends: true)) + "+60s\n< FIN ①\n> FIN\n",
      at: [1],
      .toClient),
    .silent(
      "h2/no-goaway", "The capture lacks bytes of the server, in which one may have been.",
      asked + S.down(S.response(1, ends: true)) + "+60s\n" + S.down(goAway(1), "!lost") + "< FIN\n> FIN\n"),
    .silent(
      "h2/no-goaway", "With one.",
      asked + S.down(S.response(1, ends: true)) + "+60s\n" + S.down(goAway(1)) + "< FIN\n> FIN\n"),
  ]

  private static let floods: [RuleRow] = [
    .fires(
      "h2/settings-unacked", "The server never does.",
      handshake + S.up(S.preface + S.settings, "①") + S.down(S.settings) + S.up(S.acknowledged + S.request())
        + "+5s\n" + S.down(S.response(1, ends: true)) + S.end, at: [1], .toClient, says: "did not acknowledge SETTINGS"),
    .silent(
      "h2/settings-unacked", "The capture lacks the bytes in which the server may have.",
      handshake + S.up(S.preface + S.settings) + S.down(S.settings) + S.down(S.acknowledged, "!lost")
        + S.up(S.acknowledged + S.request()) + "+5s\n" + S.down(S.response(1, ends: true)) + S.end),
    .silent("h2/settings-unacked", "Both do.", asked + "+5s\n" + S.down(S.response(1, ends: true)) + S.end),
    .fires(
      "h2/settings-flood", "Twelve.",
      handshake + S.up(S.preface + S.settings, "①") + S.down(S.settings + S.acknowledged)
        + S.up(S.acknowledged + several(10, S.settings)) + S.up(S.settings, "②")
        + S.down(several(11, S.acknowledged)) + S.end, at: [1, 2], .toServer, says: "sent 12 SETTINGS"),
    .silent("h2/settings-flood", "Two.", S.open + S.up(S.settings) + S.down(S.acknowledged) + S.end),
    .fires(
      "h2/reset-flood", "Opened and reset.",
      S.open + S.up(S.request(1) + reset(8, 1), "①")
        + S.up(dropped(1..<119))
        + S.up(S.request(239) + reset(8, 239), "②") + S.end, at: [1, 2], .toServer, says: "sent 120 resets"),
    .silent(
      "h2/reset-flood", "Ten of a page that was left.",
      S.open + S.up(dropped(0..<10)) + S.end),
  ]
}
