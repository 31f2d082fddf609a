import Events

/// All rows of the family.
enum DirectRows {
  static let rows: [RuleRow] =
    HostAddressRows.rows + ConnectMismatchRows.rows + DirectCookieRows.rows + AddressFallbackRows.rows
}

enum HostAddressRows {
  private static let rule: RuleID = "direct/host-ip-literal"
  private static let named = "> \"GET /a HTTP/1.1\\r\\nHost: shop.example\\r\\n\\r\\n\""
  private static let direct = "> \"GET /a HTTP/1.1\\r\\nHost: 10.0.0.2\\r\\n\\r\\n\""
  private static let fine = "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok\""
  private static let lost = "< \"HTTP/1.1 404 Not Found\\r\\nContent-Length: 2\\r\\n\\r\\nno\""

  static let rows: [RuleRow] = [
    .fires(
      rule, "The address gets 404, and then the name 200.",
      handshake + "\(direct) ①\n\(lost) ②\n\(named) ③\n\(fine)\n", at: [1, 2, 3], .toServer, cost: .failed(.exchange),
      says: "GET /a → 404: the request gives the address 10.0.0.2 as its host; under the name shop.example"),
    .fires(
      rule, "The name came first, on another connection; the address is answered all the same.",
      "== 10.0.0.1:40000 10.0.0.2:80\n" + handshake + "\(named) ①\n\(fine)\n== 10.0.0.1:40001 10.0.0.2:80 +1s\n"
        + handshake + "\(direct) ②\n\(fine)\n", at: [2, 1], .toServer, says: "names this server shop.example, too"),
    .fires(
      rule, "The name is refused, too: what the address cost is not known.",
      handshake + "\(direct) ①\n\(lost) ②\n\(named) ③\n\(lost)\n", at: [1, 2, 3], .toServer),
    .fires(
      rule, "An IPv6 address with a port, twice.",
      handshake + "> \"GET / HTTP/1.1\\r\\nHost: [2001:db8::7]:8080\\r\\n\\r\\n\" ①\n\(fine)\n"
        + "> \"GET / HTTP/1.1\\r\\nHost: [2001:db8::7]:8080\\r\\n\\r\\n\"\n\(fine)\n\(named) ②\n\(fine)\n", at: [1, 2],
      .toServer, count: 2, says: "the address 2001:db8::7 as its host (2 requests do)"),
    .silent(rule, "Nobody knows a name.", handshake + "\(direct)\n\(lost)\n\(direct)\n\(fine)\n"),
    .silent(
      rule, "Another client knows the name.",
      "== 10.0.0.1:40000 10.0.0.2:80\n" + handshake + "\(named)\n\(fine)\n== 10.0.0.9:40001 10.0.0.2:80 +1s\n"
        + handshake + "\(direct)\n\(lost)\n"),
    .silent(
      rule, "Loopback has no better name.",
      handshake + "> \"GET / HTTP/1.1\\r\\nHost: 127.0.0.1:8080\\r\\n\\r\\n\"\n\(lost)\n\(named)\n\(fine)\n"),
    .silent(
      rule, "A proxy is asked for sites by address and by name.",
      handshake + "> \"GET http://10.0.0.7/ HTTP/1.1\\r\\nHost: 10.0.0.7\\r\\n\\r\\n\"\n\(fine)\n"
        + "> \"GET http://shop.example/ HTTP/1.1\\r\\nHost: shop.example\\r\\n\\r\\n\"\n\(fine)\n"),
    .silent(
      rule, "Names that begin or look like an address.",
      handshake + "> \"GET / HTTP/1.1\\r\\nHost: 10.0.0.2.nip.example\\r\\n\\r\\n\"\n\(lost)\n"
        + "> \"GET / HTTP/1.1\\r\\nHost: 10.0.0.299\\r\\n\\r\\n\"\n\(lost)\n\(named)\n\(fine)\n"),
  ]
}
