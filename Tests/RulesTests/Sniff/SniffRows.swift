/// All rows of the family.
enum SniffRows {
  static let rows = AppleHoldRows.rows + ChromiumHoldRows.rows + ContentTypeRows.rows

  /// Agents as they are sent.
  static let urlSession = "User-Agent: Chat/2.1 CFNetwork/1410.0.3 Darwin/22.6.0\\r\\n"
  static let chrome =
    "User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36\\r\\n"
  static let safari =
    "User-Agent: Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15\\r\\n"
  static let okhttp = "User-Agent: okhttp/4.12.0\\r\\n"

  static func request(_ agent: String, _ marker: String = "") -> String {
    handshake + "> \"GET /stream HTTP/1.1\\r\\nHost: im.example\\r\\n\(agent)\\r\\n\" \(marker)\n"
  }

  /// A chunked head with the first chunk, of 80 B of text, in one packet.
  static func opening(_ fields: String, _ marker: String = "") -> String {
    "< \"HTTP/1.1 200 OK\\r\\n\(fields)Transfer-Encoding: chunked\\r\\n\\r\\n50\\r\\n" + text + "\\r\\n\" \(marker)\n"
  }

  private static let text = String(repeating: "0123456789", count: 8)
}
