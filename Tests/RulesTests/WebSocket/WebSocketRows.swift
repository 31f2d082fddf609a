import Events

/// All rows of the family ws/.
enum WebSocketRows {
  static let rows: [RuleRow] =
    UpgradeRequestRows.rows + UpgradeOriginRows.rows + UpgradeResponseRows.rows + ExtensionRows.rows + RefusalRows.rows
    + WebSocketCaptureRows.rows + SocketFrameRows.rows + SocketMaskRows.rows + SocketFragmentRows.rows
    + SocketDeflateRows.rows + SocketPathRows.rows + SocketPathRows.compressed + SocketCloseRows.rows
    + SocketEndRows.rows + SocketPingRows.rows + SocketStreamRows.rows

  /// The sample of RFC 6455, and its digest.
  static let key = "dGhlIHNhbXBsZSBub25jZQ=="
  static let accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
  static let upgrade = #"Upgrade: websocket\r\nConnection: Upgrade\r\n"#
  static let keyField = #"Sec-WebSocket-Key: \#(key)\r\n"#
  static let version = #"Sec-WebSocket-Version: 13\r\n"#
  static let host = #"Host: h.example\r\n"#
  static let acceptField = #"Sec-WebSocket-Accept: \#(accept)\r\n"#

  /// A request, marked ①; a field that is left out is empty.
  static func ask(
    _ fields: String = "", line: String = "GET /chat HTTP/1.1", host: String = host, upgrade: String = upgrade,
    key: String = keyField, version: String = version, marker: String = "①"
  ) -> String {
    #"> "\#(line)\r\n\#(host)\#(upgrade)\#(key)\#(version)\#(fields)\r\n" \#(marker)"# + "\n"
  }

  /// A 101, marked ②.
  static func switching(
    _ fields: String = "", upgrade: String = upgrade, accept: String = acceptField,
    reason: String = "Switching Protocols", marker: String = "②"
  ) -> String {
    #"< "HTTP/1.1 101 \#(reason)\r\n\#(upgrade)\#(accept)\#(fields)\r\n" \#(marker)"# + "\n"
  }

  /// Another answer, marked ②.
  static func refusal(_ status: String = "400 Bad Request", _ fields: String = "", marker: String = "②") -> String {
    #"< "HTTP/1.1 \#(status)\r\n\#(fields)Content-Length: 0\r\n\r\n" \#(marker)"# + "\n"
  }

  /// A handshake in order.
  static let agreed = handshake + ask() + switching()
}
