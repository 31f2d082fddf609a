/// Responses that Chromium holds, and those that it does not.
enum ChromiumHoldRows {
  private static let plain = "Content-Type: text/plain; charset=utf-8\\r\\n"
  private static let rest = "> ACK\n+2s\n< \"3e8\\r\\n\" len=1000 \"\\r\\n\""
  private static let lastChunk = "< \"0\\r\\n\\r\\n\"\n> ACK\n"

  private static func silent(_ what: String, _ agent: String, _ opening: String) -> RuleRow {
    .silent("sniff/chromium-1024-hold", what, SniffRows.request(agent) + opening + rest + "\n" + lastChunk)
  }

  private static func first(_ bytes: String) -> String {
    "< \"HTTP/1.1 200 OK\\r\\n\(plain)Transfer-Encoding: chunked\\r\\n\\r\\n50\\r\\n\" \(bytes) \"\\r\\n\"\n"
  }

  private static let tab = SniffRows.chrome + "Accept: text/html,application/xhtml+xml,*/*;q=0.8\\r\\n"

  static let rows: [RuleRow] = [
    .fires(
      "sniff/chromium-1024-hold", "a log that is sent as text/plain, line by line, to a tab",
      SniffRows.request(tab, "①") + SniffRows.opening(plain, "②") + rest + " ③\n" + lastChunk,
      at: [1, 2, 3], .toClient, cost: .delay(nanoseconds: 2_002_000_000), says: "Chrome shows nothing"),
    .fires(
      "sniff/chromium-1024-hold", "a page asks for it, by fetch or XMLHttpRequest",
      SniffRows.request(SniffRows.chrome + "Sec-Fetch-Mode: cors\\r\\n", "①") + SniffRows.opening(plain, "②") + rest
        + " ③\n" + lastChunk, at: [1, 2, 3], .toClient, confidence: .low, says: "If the page asked with XMLHttpRequest"),
    .fires(
      "sniff/chromium-1024-hold", "a stream without a type, which ends before",
      SniffRows.request(tab, "①") + SniffRows.opening("", "②") + "> ACK\n+2s\n< \"0\\r\\n\\r\\n\" ③\n",
      at: [1, 2, 3], .toClient, cost: .delay(nanoseconds: 2_002_000_000), says: "80 of 1,024 B"),
    silent("Safari names itself almost the same", SniffRows.safari, SniffRows.opening(plain)),
    silent(
      "nosniff with the same timing", SniffRows.chrome,
      SniffRows.opening(plain + "X-Content-Type-Options: nosniff\\r\\n")),
    silent(
      "text/html, which Chromium takes at its word", SniffRows.chrome,
      SniffRows.opening("Content-Type: text/html\\r\\n")),
    silent(
      "a byte order mark settles it", SniffRows.chrome,
      first("x\"efbbbf\" \"" + String(repeating: "a", count: 77) + "\"")),
    silent(
      "a binary byte settles it", SniffRows.chrome, first("x\"00\" \"" + String(repeating: "a", count: 79) + "\"")),
  ]
}
