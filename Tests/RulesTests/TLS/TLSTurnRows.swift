import Events
import Support

/// What the records show of requests and answers that cannot be read.
enum TLSTurnRows {
  private typealias S = TLSScript
  static let rows: [RuleRow] = steady + stopped + later + waits + transfers

  /// Two tickets of one length.
  private static let tickets = S.down(TLSWire.shut(250) + TLSWire.shut(250))
  private static let ask = S.up(S.data13(200))
  private static let answer = S.down(S.data13(400))
  private static let leave = S.up(S.goodbye13) + "> FIN\n< FIN\n"
  private static let gaveUp = S.up(S.goodbye13) + "> FIN ②\n< FIN\n"
  /// For both versions of HTTP.
  private static let hello = S.hello13(protocols: TLSWire.protocols("h2", "http/1.1"))
  private static let unknown = S.hello13(protocols: nil)
  private static let unread: RuleID = "tls/unanswered-record"
  private static let slow: RuleID = "tls/answer-slow"
  private static let stall: RuleID = "tls/transfer-stall"

  /// Records of a stream, each 60 ms behind the one before it; the last one is marked.
  private static func stream(_ count: Int, _ mark: String = "", every pause: Int = 60) -> String {
    (1...count).map { "+\(pause)ms\n" + S.down(S.data13(90), $0 == count ? mark : "") }.joined()
  }

  private static let paused: RuleID = "tls/stream-stall"

  private static let steady: [RuleRow] = [
    .fires(
      paused, "Twenty records at a beat, five seconds, and it goes on.",
      S.to() + S.open13() + ask + tickets + stream(20, "①") + "+5s\n" + S.down(S.data13(90), "②") + stream(10) + leave,
      at: [1, 2], .toClient, confidence: .low, cost: .delay(nanoseconds: 5_001_000_000),
      says: "stopped for 5.001 s inside TLS; before and behind they come every 61.0 ms"),
    .silent(
      paused, "The client asks for something else meanwhile.",
      S.to() + S.open13() + ask + tickets + stream(20) + "+3s\n" + ask + "+2s\n" + stream(12) + leave),
    .silent(
      paused, "The client gives credit at the end of it.",
      S.to() + S.open13() + ask + tickets + stream(20) + "+5s\n" + S.up(S.data13(13)) + stream(12) + leave),
    .silent(
      paused, "What was missing comes at once.",
      S.to() + S.open13() + ask + tickets + stream(20) + "+5s\n"
        + String(repeating: S.down(S.data13(90)), count: 60) + stream(12) + leave),
    .silent(
      paused, "It comes now and then.",
      S.to() + S.open13() + ask + tickets + (1...20).map { stream(1, every: $0 % 4 == 0 ? 900 : 20) }.joined() + "+5s\n"
        + stream(12) + leave),
    .silent(paused, "It ends.", S.to() + S.open13() + ask + tickets + stream(20) + "+5s\n" + stream(2) + leave),
    .silent(
      paused, "It pauses twice, for nearly as long.",
      S.to() + S.open13() + ask + tickets + stream(20) + "+5s\n" + stream(20) + "+4s\n" + stream(12) + leave),
  ]

  private static let cut: RuleID = "tls/stream-cut"
  private static let closed = S.down(S.goodbye13, "②") + "< FIN\n> FIN\n"
  /// Copies of the client's close_notify.
  private static let unacknowledged = [200, 400, 800].map {
    "+\($0)ms\n" + S.up(S.goodbye13, "@\(hello.count + S.clientEnd13.count + S.data13(200).count)")
  }.joined()
  private static let stopsMark = S.to() + S.open13(hello) + ask + tickets + stream(20, "①")
  private static let stops = S.to() + S.open13(hello) + ask + tickets + stream(20)

  private static let stopped: [RuleRow] = [
    .fires(
      cut, "Twenty records at a beat, five seconds of nothing, and the server closes.",
      stopsMark + "+5s\n" + closed, at: [1, 2], .toClient, confidence: .low, cost: .failed(.exchange),
      says: "came every 61.0 ms inside TLS and stopped; 5.001 s later the server closed the connection."),
    .fires(
      cut, "The client gives up.", stopsMark + "+3500ms\n" + gaveUp, at: [1, 2], .toClient, confidence: .low,
      cost: .failed(.exchange), says: "3.502 s later the client gave up."),
    .fires(
      cut, "A record as long as RST_STREAM ends it, and the connection stays.",
      stopsMark + "+4321ms\n" + S.down(S.data13(13), "②") + "+60s\n" + leave, at: [1, 2], .toClient,
      confidence: .medium, cost: .failed(.exchange),
      says: "4.322 s later the server sent a record of 30 B, as long as the reset of a stream."),
    .fires(
      cut, "An empty frame ends it, after five seconds to the millisecond.",
      stopsMark + "+5s\n" + S.down(S.data13(9), "②") + leave, at: [1, 2], .toClient, confidence: .low,
      cost: .failed(.exchange), says: "as long as the end of a stream."),
    .fires(
      cut, "The client gives up, and its close is never acknowledged.",
      stopsMark + "+5s\n" + S.up(S.goodbye13) + "> FIN ②\n" + unacknowledged, at: [1, 2], .toClient, confidence: .low,
      cost: .failed(.exchange), says: "the client gave up, and nothing acknowledged that.", fix: "find what was down"),
    .silent(cut, "An empty frame ends it, at some time.", stops + "+4321ms\n" + S.down(S.data13(9)) + leave),
    .silent(cut, "The last chunk stands behind the last record.", stops + S.down(S.data13(5)) + "+5s\n" + closed),
    .silent(cut, "It comes at the next beat.", stops + "+60ms\n" + S.down(S.data13(5)) + "+5s\n" + closed),
    .silent(cut, "The last chunk is in the last record.", stops + "+60ms\n" + S.down(S.data13(95)) + "+5s\n" + closed),
    .silent(cut, "The client's next request is pending.", stops + ask + "+5s\n" + closed),
    .silent(
      cut, "The client says something small before the server's last record.",
      stops + "+4s\n" + S.up(S.data13(13)) + "+1s\n" + S.down(S.data13(13)) + leave),
    .silent(cut, "The client leaves at once.", stops + "+1s\n" + leave),
    .silent(
      cut, "Too few records for a beat.", S.to() + S.open13(hello) + ask + tickets + stream(8) + "+5s\n" + closed),
  ]

  private static let later: [RuleRow] = [
    .fires(
      unread, "The second request hangs.",
      S.to() + S.open13() + ask + tickets + answer + S.up(S.data13(210), "①") + "< ACK\n+3s\n" + gaveUp, at: [1, 2],
      .toClient, severity: .warning, confidence: .medium, cost: .failed(.exchange), says: "the client gave up 3.00"),
    .fires(
      unread, "The server of HTTP/2 sends its settings, and no answer.",
      S.to() + S.open13(hello) + S.up(S.data13(90)) + S.up(S.data13(80), "①") + tickets + S.down(S.data13(45))
        + S.down(S.data13(9)) + S.up(S.data13(9)) + "+3s\n" + gaveUp, at: [1, 2], .toClient, severity: .warning,
      confidence: .medium,
      cost: .failed(.exchange), says: "the client gave up 3.00"),
    .fires(
      unread, "After three seconds the server of HTTP/2 resets the stream, and the client closes.",
      S.to() + S.open13(hello) + S.up(S.data13(90)) + S.up(S.data13(80), "①") + tickets + S.down(S.data13(45))
        + S.down(S.data13(9)) + S.up(S.data13(9)) + "+3s\n" + S.down(S.data13(13), "②")
        + gaveUp.replacing("②", with: "③"),
      at: [1, 2, 3], .toClient, confidence: .medium, cost: .failed(.exchange), says: "too little for an answer"),
    .fires(
      unread, "The tickets come before the first request, and nothing behind it.",
      S.to() + S.open13() + tickets + S.up(S.data13(200), "①") + "< ACK\n+3s\n" + gaveUp, at: [1, 2], .toClient,
      severity: .warning, confidence: .medium, cost: .failed(.exchange), says: "the client gave up 3.00"),
    .silent(
      unread, "The second request is answered, and the connection is kept for a while.",
      S.to() + S.open13() + ask + tickets + answer + ask + answer + "+3s\n" + leave),
    .silent(
      unread, "Small answers of HTTP/2, each a head and a body of a few bytes.",
      S.to() + S.open13(hello) + S.up(S.data13(90)) + S.up(S.data13(80)) + tickets + S.down(S.data13(45))
        + S.down(S.data13(9)) + S.up(S.data13(9)) + S.down(S.data13(20)) + "+3s\n" + leave),
    .silent(
      unread, "An event of a few bytes now and then.",
      S.to() + S.open13(hello) + S.up(S.data13(90)) + S.up(S.data13(80)) + tickets + S.down(S.data13(45))
        + S.down(S.data13(9)) + S.up(S.data13(9)) + S.down(S.data13(18)) + "+1s\n" + S.down(S.data13(18)) + "+3s\n"
        + leave),
    .fires(
      unread, "Nothing but PINGs.",
      S.to() + S.open13(hello) + S.up(S.data13(90)) + S.up(S.data13(80), "①") + tickets + S.down(S.data13(45))
        + S.down(S.data13(9)) + S.up(S.data13(9)) + (0..<4).map { _ in "+1s\n" + S.down(S.data13(17)) }.joined()
        + gaveUp,
      at: [1, 2], .toClient, severity: .warning, confidence: .medium, cost: .failed(.exchange),
      says: "the client gave up 4.0"),
    .silent(
      unread, "The client offers no HTTP: its last message may want no answer.",
      S.to() + S.open13(unknown) + ask + tickets + answer + ask + "+3s\n" + leave),
    .silent(
      unread, "The server speaks on its own: these are no requests.",
      S.to() + S.open13() + ask + tickets + answer + "+2s\n" + answer + ask + "+3s\n" + leave),
    .silent(
      unread, "Messages are sent one after the other, and none is answered but the first.",
      S.to() + S.open13() + ask + tickets + answer + ask + "+2s\n" + ask + "+3s\n" + leave),
    .silent(
      unread, "The server closes in the middle of its answer.",
      S.to() + S.open() + S.up(S.data(200)) + S.down(Array(S.data(900)[..<300])) + "< FIN\n> FIN\n"),
    .silent(
      unread, "Something short is the answer.",
      S.to() + S.open13() + ask + tickets + answer + ask + S.down(S.data13(20)) + "+3s\n" + leave),
  ]

  private static let waits: [RuleRow] = [
    .fires(
      slow, "The answer comes after nine seconds, the tickets at once.",
      S.to() + S.open13() + S.up(S.data13(200), "①") + tickets + "> ACK\n+9s\n" + S.down(S.data13(300), "②") + leave,
      at: [1, 2], .toClient, confidence: .low, cost: .delay(nanoseconds: 9_001_000_000), says: "9.00"),
    .fires(
      slow, "One of three takes long.",
      S.to() + S.open13() + ask + tickets + answer + S.up(S.data13(200), "①") + "< ACK\n+6s\n"
        + S.down(S.data13(400), "②") + ask + answer + leave, at: [1, 2], .toClient, confidence: .low,
      cost: .delay(nanoseconds: 6_000_000_000)),
    .silent(
      slow, "Polls are held, one after the other.",
      S.to() + S.open13() + ask + tickets + "+25s\n" + answer + ask + "+20s\n" + answer + leave),
    .silent(
      slow, "A stream whose next item comes late.",
      S.to() + S.open13() + ask + tickets + answer + "+2s\n" + answer + ask + "+9s\n" + answer + leave),
    .silent(
      slow, "The request was lost behind the capture, and is sent again.",
      S.to() + S.open13() + S.up(S.data13(200)) + "+9s\n" + S.up(S.data13(200), "@\(sentByClient)") + answer
        + leave),
    .silent(slow, "Four seconds.", S.to() + S.open13() + ask + tickets + "+4s\n" + answer + leave),
    .silent(slow, "The client offers no HTTP.", S.to() + S.open13(unknown) + ask + tickets + "+9s\n" + answer + leave),
  ]

  private static let part = S.data13(1_200)
  private static let parts = String(repeating: S.down(part), count: 9)
  private static let rest = S.down(part) + S.down(S.data13(700)) + leave
  private static let sentByClient = S.hello13().count + S.clientEnd13.count

  private static let transfers: [RuleRow] = [
    .fires(
      stall, "Three seconds between two full records.",
      S.to() + S.open13() + ask + parts + S.down(part, "①") + "> ACK\n+3s\n" + S.down(part, "②") + rest, at: [1, 2],
      .toClient, confidence: .medium, cost: .delay(nanoseconds: 3_002_000_000), says: "behind 10 records of 1,217 B"),
    .silent(
      stall, "The client asked for the next part.",
      S.to() + S.open13() + ask + parts + "> ACK\n+3s\n" + S.up(S.data13(60)) + S.down(part) + rest),
    .silent(
      stall, "The first part had ended.",
      S.to() + S.open13() + ask + parts + S.down(S.data13(700)) + "> ACK\n+3s\n" + S.down(part) + rest),
    .silent(
      stall, "The server sends by the clock.",
      S.to() + S.open13() + ask + parts + "> ACK\n+3s\n" + parts + "> ACK\n+3s\n" + rest),
    .silent(
      stall, "A voice that pauses: its parts come as they are spoken.",
      S.to() + S.open13() + ask + String(repeating: "+20ms\n" + S.down(part), count: 9) + "> ACK\n+3s\n" + S.down(part)
        + rest),
    .silent(
      stall, "The client's window was closed.",
      S.to() + S.open13() + ask + parts + "> ACK win=0\n+3s\n> ACK\n" + S.down(part) + rest),
    .silent(
      stall, "The records are small: messages, it may be.",
      S.to() + S.open13() + ask + String(repeating: S.down(S.data13(90)), count: 9) + "> ACK\n+3s\n"
        + S.down(S.data13(90)) + leave),
  ]
}
