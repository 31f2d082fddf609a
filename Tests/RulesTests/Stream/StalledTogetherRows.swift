import Events
import Support

enum StalledTogetherRows {
  private static let rule: RuleID = "stream/stalled-together"

  /// A stream of events with a beat, and a pause in it.
  private static func stream(
    _ port: Int, at start: String, beat: String = "+200ms\n", slower: String? = nil, pause: String = "+3s\n",
    data: String = "one", pairs: Int = 6, _ before: String = "", _ after: String = ""
  ) -> String {
    let event = "< \"data: \(data)\\n\\n\""
    let pair = beat + "\(event)\n> ACK\n" + (slower ?? beat) + "\(event)\n> ACK\n"
    return "== 10.0.0.1:\(port) 10.0.0.2:80 \(start)\n" + handshake
      + "> \"GET /events HTTP/1.1\\r\\nHost: h\\r\\nAccept: text/event-stream\\r\\n\\r\\n\"\n"
      + "< \"HTTP/1.1 200 OK\\r\\nContent-Type: text/event-stream\\r\\n\\r\\n\"\n"
      + String(repeating: pair, count: pairs) + beat + "\(event) \(before)\n> ACK\n" + pause
      + "\(event) \(after)\n> ACK\n"
      + String(repeating: pair, count: 4)
  }

  /// The same of a call of gRPC.
  private static func call(_ port: Int, at start: String, _ before: String, _ after: String) -> String {
    typealias S = HTTP2Script
    let type = ("content-type", "application/grpc")
    let fields = [(":method", "POST")] + S.asked.dropFirst() + [type, ("te", "trailers")]
    let message = "\0\0\0\0\u{2}hi"
    func told(_ mark: String = "") -> String { S.down(S.data(1, message), mark) + "> ACK\n" }
    let beat = "+200ms\n" + told()
    return "== 10.0.0.1:\(port) 10.0.0.2:80 \(start)\n" + S.open
      + S.up(S.headers(1, fields) + S.data(1, message, ends: true)) + S.down(S.response(1, [type]))
      + String(repeating: beat, count: 12) + "+200ms\n" + told(before) + "+3s\n" + told(after)
      + String(repeating: beat, count: 8)
  }

  private static let alone: RuleID = "stream/stalled"
  private static let lost: RuleID = "tcp/retransmission-gap"

  /// Events each 400 ms, whose packets are numbered, and what the number behind a pause of three seconds jumps by.
  private static func numbered(_ jump: Int) -> String {
    func event(_ number: Int, _ mark: String = "") -> String {
      "< \"data: one\\n\\n\" id=\(700 + number) \(mark)\n> ACK\n"
    }
    let before = (1...12).map { "+400ms\n" + event($0, $0 == 12 ? "①" : "") }.joined()
    return "> SYN\n< SYN ACK id=0\n> ACK\n"
      + "> \"GET /events HTTP/1.1\\r\\nHost: h\\r\\nAccept: text/event-stream\\r\\n\\r\\n\"\n"
      + "< \"HTTP/1.1 200 OK\\r\\nContent-Type: text/event-stream\\r\\n\\r\\n\" id=700\n> ACK\n" + before + "+3s\n"
      + event(12 + jump, "②") + (1...8).map { "+400ms\n" + event(12 + jump + $0) }.joined()
  }

  static let rows: [RuleRow] = [
    .fires(
      rule, "A server that is suspended for three seconds.",
      stream(40_000, at: "+0ms", "①", "②") + stream(40_001, at: "+20ms", "③", "④"), at: [1, 2, 3, 4], .toClient,
      cost: .delay(nanoseconds: 3_002_000_000), count: 2,
      says: "this stream and 1 other of 10.0.0.2:80 stalled together for 3.002 s"),
    .fires(
      rule, "Calls of gRPC.", call(40_000, at: "+0ms", "①", "②") + call(40_001, at: "+20ms", "③", "④"),
      at: [1, 2, 3, 4],
      .toClient, cost: .delay(nanoseconds: 3_002_000_000), count: 2, says: "stalled together for 3.002 s"),
    .silent(
      rule, "Answers of a model, which have a rule of their own.",
      [40_000, 40_001].map {
        stream($0, at: "+0ms", data: #"{\"choices\":[{\"delta\":{\"content\":\"a\"}}]}"#)
      }.joined()),
    .fires(
      lost, "One stream, whose server numbered five packets more in the pause.", numbered(6), at: [1, 2], .toClient,
      confidence: .low, cost: .delay(nanoseconds: 3_002_000_000),
      says: "The server sent 5 packets meanwhile that did not come this far.", fix: "before this capture point"),
    .silent(lost, "It numbered none.", numbered(1)),
    .silent(alone, "What was lost is no stall of the server.", numbered(6)),
    .silent(rule, "One stream alone.", stream(40_000, at: "+0ms", pairs: 10)),
    .fires(
      alone, "One stream alone.", stream(40_000, at: "+0ms", pairs: 10, "①", "②"), at: [1, 2], .toClient,
      cost: .delay(nanoseconds: 3_002_000_000), says: "the stream stopped for 3.002 s and went on"),
    .fires(
      alone, "Recorded by two queues: the acknowledgement of what goes on stands before it.",
      stream(40_000, at: "+0ms", pause: "+3s\n> ACK ack=294\n", pairs: 10, "①", "②"), at: [1, 2], .toClient,
      cost: .delay(nanoseconds: 3_003_000_000), says: "the stream stopped for 3.003 s and went on"),
    .fires(
      alone, "The same on both sides of a proxy.",
      stream(40_000, at: "+20ms", pairs: 10)
        + stream(40_001, at: "+0ms", pairs: 10, "①", "②").replacing("10.0.0.2", with: "10.0.0.3"), at: [1, 2],
      .toClient,
      cost: .delay(nanoseconds: 3_002_000_000)),
    .silent(
      alone, "Another one stalls with it.",
      stream(40_000, at: "+0ms", pairs: 10) + stream(40_001, at: "+20ms", pairs: 10)),
    .silent(alone, "It has few events.", stream(40_000, at: "+0ms")),
    .silent(alone, "Without a beat.", stream(40_000, at: "+0ms", slower: "+700ms\n", pairs: 10)),
    .silent(alone, "It is written in two parts.", stream(40_000, at: "+0ms", beat: "+1ms\n", pairs: 10)),
    .silent(alone, "A second.", stream(40_000, at: "+0ms", pause: "+1s\n", pairs: 10)),
    .silent(
      alone, "An answer of a model.",
      stream(40_000, at: "+0ms", data: #"{\"choices\":[{\"delta\":{\"content\":\"a\"}}]}"#, pairs: 10)),
    .silent(rule, "At another time.", stream(40_000, at: "+0ms") + stream(40_001, at: "+900ms")),
    .silent(
      rule, "Of another server.",
      stream(40_000, at: "+0ms") + stream(40_001, at: "+20ms").replacing("10.0.0.2", with: "10.0.0.3")),
    .silent(
      rule, "Streams without a beat.",
      stream(40_000, at: "+0ms", slower: "+700ms\n") + stream(40_001, at: "+20ms", slower: "+700ms\n")),
    .silent(
      rule, "A second, which nobody may see.",
      stream(40_000, at: "+0ms", pause: "+1s\n") + stream(40_001, at: "+20ms", pause: "+1s\n")),
    .silent(
      rule, "The beat is slow.",
      stream(40_000, at: "+0ms", beat: "+500ms\n") + stream(40_001, at: "+20ms", beat: "+500ms\n")),
  ]
}
