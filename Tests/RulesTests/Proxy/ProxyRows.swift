/// All rows of the family.
enum ProxyRows {
  static let rows: [RuleRow] = DuplexRows.rows + HopJoinedRows.rows + ProxyFieldRows.rows + cookies + tunnels

  private static func asks(_ cookies: String) -> String {
    handshake + #"> "GET / HTTP/1.1\r\nHost: h.example\r\n\#(cookies)\r\n" ①"# + "\n> FIN\n< FIN\n"
  }

  private static let connect = "> \"CONNECT h.example:443 HTTP/1.1\\r\\nHost: h.example:443\\r\\n"

  /// A proxy refuses a tunnel.
  private static func refuses(_ status: String, _ then: String = "") -> String {
    handshake + connect + "\\r\\n\" ①\n< \"HTTP/1.1 \(status)\\r\\nContent-Length: 0\\r\\n\\r\\n\" ②\n" + then
  }

  private static let tunnels: [RuleRow] = [
    .fires(
      "proxy/tunnel-refused", "Its list forbids the host.", refuses("403 Forbidden"), at: [1, 2], .toClient,
      cost: .failed(.exchange), says: "refused to open the tunnel."),
    .fires(
      "proxy/tunnel-refused", "The client has no name to give.", refuses("407 Proxy Authentication Required"),
      at: [1, 2], .toClient, cost: .failed(.exchange)),
    .silent(
      "proxy/tunnel-refused", "The client gives its name then.",
      refuses(
        "407 Proxy Authentication Required",
        connect + "Proxy-Authorization: Basic eA==\\r\\n\\r\\n\"\n< \"HTTP/1.1 200 OK\\r\\n\\r\\n\"\n")),
    .silent(
      "proxy/tunnel-refused", "No tunnel was asked for.",
      handshake
        + "> \"GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n\"\n< \"HTTP/1.1 403 No\\r\\nContent-Length: 0\\r\\n\\r\\n\"\n"),
  ]

  private static let cookies: [RuleRow] = [
    .fires(
      "proxy/cookie-crumbs-unjoined", "A crumb a field.", asks(#"Cookie: a=1\r\nCookie: b=2\r\n"#), at: [1], .toServer,
      says: "2 Cookie fields"),
    .silent(
      "proxy/cookie-crumbs-unjoined", "One field that was written twice.", asks(#"Cookie: a=1\r\nCookie: a=1\r\n"#)),
    .silent("proxy/cookie-crumbs-unjoined", "Joined.", asks(#"Cookie: a=1; b=2\r\n"#)),
  ]
}
