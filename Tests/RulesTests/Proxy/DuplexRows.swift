import Citation
import Events

/// What a proxy in the middle does to an upload and a response that run at once.
enum DuplexRows {
  static let rows: [RuleRow] = terminators + blackHole

  private static func upload(_ fields: String = "") -> String {
    handshake + "> \"POST /duplex HTTP/1.1\\r\\nHost: h\\r\\nTransfer-Encoding: chunked\\r\\n\(fields)\\r\\n\"\n"
  }

  private static let piece = "\"4\\r\\nup--\\r\\n\""
  private static let down = "\"5\\r\\ndown-\\r\\n\""
  private static let answer = "\"HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n\""
  private static let last = "\"0\\r\\n\\r\\n\""
  private static let paced = "+200ms\n> \(piece)\n+200ms\n> \(piece)\n+200ms\n> \(piece) ①\n"

  /// The response begins, the upload ends so long after it, and the response goes on.
  private static func cut(after delay: String = "5ms", goesOn: String = "400ms") -> String {
    "< \(answer) ②\n< \(down)\n+\(delay)\n> \(last) ③\n+\(goesOn)\n< \(down) ④\n< \(last)\n"
  }

  static let terminators: [RuleRow] = [
    .fires(
      "proxy/premature-request-terminator",
      "an upload with a pace, ended by the answer: perhaps the client's own doing",
      upload() + paced + cut(), at: [1, 2, 3, 4], .toServer, severity: .warning, confidence: .low,
      says: "after 3 chunks"),
    .fires(
      "proxy/premature-request-terminator", "an upload with a pace, passed on by a proxy",
      upload("Via: 1.1 edge\\r\\n") + paced + cut(), at: [1, 2, 3, 4], .toServer, cost: .failed(.exchange)),
    .fires(
      "proxy/premature-request-terminator", "an upload that had stopped for a while",
      upload() + "> \(piece) ①\n+1200ms\n" + cut(), at: [1, 2, 3, 4], .toServer, cost: .failed(.exchange)),
    .fires(
      "proxy/premature-request-terminator", "one chunk, passed on by a proxy",
      upload("Via: 1.1 edge\\r\\n") + "+200ms\n> \(piece) ①\n" + cut(), at: [1, 2, 3, 4], .toServer,
      confidence: .low, cost: .failed(.exchange)),
    .silent(
      "proxy/premature-request-terminator", "one chunk, and nobody in between",
      upload() + "+200ms\n> \(piece)\n" + cut()),
    .silent(
      "proxy/premature-request-terminator", "an upload in one go that was just finishing",
      upload("Via: 1.1 edge\\r\\n") + "> \(piece)\n> \(piece)\n> \(piece)\n" + cut()),
    .silent(
      "proxy/premature-request-terminator", "it ends long after the answer began",
      upload() + paced + cut(after: "400ms")),
    .silent(
      "proxy/premature-request-terminator", "the response is over with it",
      upload() + paced + cut(goesOn: "10ms")),
    .silent(
      "proxy/premature-request-terminator", "the client closes its side",
      upload() + paced + "< \(answer)\n> \(last)\n> FIN\n+400ms\n< \(down)\n< \(last)\n< FIN\n"),
    .silent(
      "proxy/premature-request-terminator", "more of the upload came after the answer",
      upload() + paced + "< \(answer)\n> \(piece)\n> \(last)\n+400ms\n< \(down)\n< \(last)\n"),
  ]

  /// The bodies take turns, and the client goes on for so many steps of ten seconds.
  private static func alone(_ steps: Int, _ end: String) -> String {
    upload() + "> \(piece)\n< \(answer)\n< \(down)\n> \(piece)\n< \(down) ①\n"
      + (1..<steps).map { _ in "+10s\n> \(piece)\n< ACK\n" }.joined() + "+10s\n> \(piece) ②\n< ACK\n" + end
  }

  static let blackHole: [RuleRow] = [
    .fires(
      "proxy/uplink-black-hole", "forty seconds of upload without a word back", alone(4, "> FIN\n< FIN\n"),
      at: [1, 2], .toServer, cost: .failed(.exchange), says: "40.00"),
    .fires(
      "proxy/uplink-black-hole", "the capture ends, and it may have gone on", alone(4, ""), at: [1, 2], .toServer),
    .silent("proxy/uplink-black-hole", "twenty seconds", alone(2, "> FIN\n< FIN\n")),
    .silent(
      "proxy/uplink-black-hole", "it is answered in the end", alone(4, "< \(down)\n> \(last)\n< \(last)\n")),
    .silent(
      "proxy/uplink-black-hole", "the bodies never took turns",
      upload() + "> \(piece)\n< \(answer)\n" + "+20s\n> \(piece)\n+20s\n> \(piece)\n> FIN\n< FIN\n"),
  ]
}
