import Events

/// All rows of the family.
enum ChunkedRows {
  static let rows: [RuleRow] =
    CodingFieldRows.rows + CodingRows.rows + ChunkLineRows.rows + ChunkSizeRows.rows + ChunkEndRows.rows
    + AfterEndRows.rows + UploadEndRows.rows + ChunkPaceRows.rows

  static let chunks = #"HTTP/1.1 200 OK\r\nContent-Type: text/css\r\nTransfer-Encoding: chunked\r\n\r\n"#

  /// A request, and what follows it; `line` by `line`.
  static func get(_ lines: String..., agent: String = "") -> String {
    let field = agent.isEmpty ? "" : #"User-Agent: \#(agent)\r\n"#
    return handshake + #"> "GET /a HTTP/1.1\r\nHost: h.example\r\n\#(field)\r\n" ⑨"# + "\n"
      + lines.joined(separator: "\n") + "\n"
  }

  /// A chunked upload whose head is marked ①, and what follows it.
  static func post(_ fields: String, _ lines: String..., version: String = "1.1") -> String {
    handshake + #"> "POST /up HTTP/\#(version)\r\nHost: h.example\r\n\#(fields)\r\n" ①"# + "\n"
      + lines.joined(separator: "\n") + "\n"
  }

  static let chunked = #"Transfer-Encoding: chunked\r\n"#
  static let body = #"> "5\r\nhello\r\n0\r\n\r\n""#
  static let empty200 = #"< "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n""#
  static func refused(_ status: String) -> String { #"< "HTTP/1.1 \#(status)\r\nContent-Length: 0\r\n\r\n" ②"# }
}
