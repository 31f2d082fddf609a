import Events
import Support

enum NothingToCheckRows {
  private static let rule: RuleID = "capture/nothing-to-check"
  private static let ask = handshake + "> \"GET /a HTTP/1.1\\r\\nHost: a.example\\r\\n\\r\\n\"\n"
  private static let whole = ask + "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 5\\r\\n\\r\\nhello\"\n"
  private static let events =
    ask + "< \"HTTP/1.1 200 OK\\r\\nContent-Type: text/event-stream\\r\\n\\r\\ndata: a\\n\\n\"\n"

  static let rows: [RuleRow] = [
    .fires(rule, "No packets at all.", "", at: [], says: "holds no packets"),
    .fires(rule, "Bytes, but nothing that is read.", handshake + "> \"hello\"\n", at: [], says: "on 1 connection"),
    .fires(
      rule, "An exchange that is no stream is something, and a note.", whole, at: [], severity: .note,
      says: "No stream in 1 exchange"),
    .silent(rule, "An event stream.", events),
  ]
}
