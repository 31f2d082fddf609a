/// All rows of the family.
enum ProxyRows {
  static let rows: [RuleRow] = DuplexRows.rows + HopJoinedRows.rows + ProxyFieldRows.rows + cookies

  private static func asks(_ cookies: String) -> String {
    handshake + #"> "GET / HTTP/1.1\r\nHost: h.example\r\n\#(cookies)\r\n" ①"# + "\n> FIN\n< FIN\n"
  }

  private static let cookies: [RuleRow] = [
    .fires(
      "proxy/cookie-crumbs-unjoined", "A crumb a field.", asks(#"Cookie: a=1\r\nCookie: b=2\r\n"#), at: [1], .toServer,
      says: "2 Cookie fields"),
    .silent(
      "proxy/cookie-crumbs-unjoined", "One field that was written twice.", asks(#"Cookie: a=1\r\nCookie: a=1\r\n"#)),
    .silent("proxy/cookie-crumbs-unjoined", "Joined.", asks(#"Cookie: a=1; b=2\r\n"#)),
  ]
}
