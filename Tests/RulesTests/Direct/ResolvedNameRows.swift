import Events

/// What name servers told the client, and what it did with that.
private func told(_ answer: String, client: String = "10.0.0.1", after: String = "+0ms") -> String {
  "== \(client):5353 10.0.0.53:53 \(after)\n< udp \(answer)\n"
}

private func conversation(
  _ server: String, client: String = "10.0.0.1:40000", after: String = "+1s", _ script: String
) -> String {
  "== \(client) \(server) \(after)\n\(script)"
}

private let fine = "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok\"\n"
private let refused = "< \"HTTP/1.1 401 Unauthorized\\r\\nContent-Length: 2\\r\\n\\r\\nno\""

private func ask(_ host: String = "shop.example", _ path: String = "/a", _ fields: String = "", _ marker: String = "")
  -> String
{
  "> \"GET \(path) HTTP/1.1\\r\\nHost: \(host)\\r\\n\(fields)\\r\\n\" \(marker)\n"
}

enum ConnectMismatchRows {
  private static let rule: RuleID = "direct/connect-mismatch"

  static let rows: [RuleRow] = [
    .fires(
      rule, "The client was told two addresses, and goes to a third one.",
      told("dns=shop.example/10.0.0.2/10.0.0.3 ②")
        + conversation("10.0.0.9:80", "> SYN ③\n< SYN ACK\n> ACK\n" + ask("Shop.Example:80", "/a", "", "①") + fine),
      at: [1, 2, 3], .toServer,
      says: "the request for shop.example went to 10.0.0.9. DNS had given this client 10.0.0.2, 10.0.0.3 1.000 s before"
    ),
    .fires(
      rule, "Two connections to the same wrong address are one finding.",
      told("dns=shop.example/10.0.0.2 ②")
        + conversation("10.0.0.9:80", "> SYN ③\n< SYN ACK\n> ACK\n" + ask("shop.example", "/a", "", "①") + fine)
        + conversation("10.0.0.9:80", client: "10.0.0.1:40001", after: "+3s", handshake + ask() + fine),
      at: [1, 2, 3], .toServer, count: 2, says: "10.0.0.9 (2 requests did)"),
    .silent(
      rule, "One of the addresses it was told.",
      told("dns=shop.example/10.0.0.2/10.0.0.3") + conversation("10.0.0.3:80", handshake + ask() + fine)),
    .silent(
      rule, "Nobody asked for this name.",
      told("dns=other.example/10.0.0.2") + conversation("10.0.0.9:80", handshake + ask() + fine)),
    .silent(
      rule, "Another client was told, and this one's answer is not in the capture.",
      told("dns=shop.example/10.0.0.2", client: "10.0.0.77")
        + conversation("10.0.0.9:80", handshake + ask() + fine)),
    .silent(
      rule, "Told after it had connected.",
      told("dns=shop.example/10.0.0.2", after: "+2s") + conversation("10.0.0.9:80", handshake + ask() + fine)),
    .silent(
      rule, "The answer had expired: there may be a newer one that was not captured.",
      told("life=3 dns=shop.example/10.0.0.2")
        + conversation("10.0.0.9:80", after: "+4s", handshake + ask() + fine)),
    .silent(
      rule, "A name of many addresses: another answer has this one, given to somebody else and later.",
      told("dns=shop.example/10.0.0.2") + told("dns=shop.example/10.0.0.9", client: "10.0.0.77", after: "+8s")
        + conversation("10.0.0.9:80", handshake + ask() + fine)),
    .silent(
      rule, "Only addresses of the other family are known.",
      told("dns=shop.example/2001:db8::2") + conversation("10.0.0.9:80", handshake + ask() + fine)),
    .silent(
      rule, "The connection is older than the capture.",
      told("dns=shop.example/10.0.0.2") + conversation("10.0.0.9:80", ask() + fine)),
    .silent(
      rule, "A proxy is asked for the name.",
      told("dns=shop.example/10.0.0.2")
        + conversation(
          "10.0.0.9:3128",
          handshake + "> \"GET http://shop.example/ HTTP/1.1\\r\\nHost: shop.example\\r\\n\\r\\n\"\n"
            + fine)),
    .silent(
      rule, "A private address for a public one is the doing of a translator.",
      told("dns=shop.example/192.0.2.7") + conversation("10.0.0.9:80", handshake + ask() + fine)),
    .silent(
      rule, "On loopback somebody forwards.",
      told("dns=shop.example/10.0.0.2") + conversation("127.0.0.1:80", handshake + ask() + fine)),
    .silent(
      rule, "The host is an address.",
      told("dns=shop.example/10.0.0.2") + conversation("10.0.0.9:80", handshake + ask("10.0.0.9") + fine)),
  ]
}

enum DirectCookieRows {
  private static let rule: RuleID = "direct/cookie-lost"
  private static let cookie = "Cookie: session=1; theme=dark\\r\\n"

  static let rows: [RuleRow] = [
    .fires(
      rule, "The name has cookies, the address of the same server has none, and the user is signed out.",
      handshake + ask("shop.example", "/a", cookie, "①") + fine + ask("10.0.0.2", "/a/b", "", "②") + refused + " ③\n",
      at: [1, 2, 3], .toServer, severity: .error, cost: .failed(.exchange),
      says: "the request to 10.0.0.2 lacks the cookies session, theme, which this client sent to the same server under"),
    .fires(
      rule, "Answered all the same: lint.",
      handshake + ask("shop.example", "/a", cookie, "①") + fine + ask("10.0.0.2", "/a", "", "②") + fine
        + ask("10.0.0.2") + fine, at: [1, 2], .toServer),
    .fires(
      rule, "The name is sent, too, but DNS gave another address for it, where the cookies went.",
      told("dns=shop.example/10.0.0.2 ③")
        + conversation("10.0.0.2:80", handshake + ask("shop.example", "/a", cookie, "①") + fine)
        + conversation(
          "10.0.0.9:80", client: "10.0.0.1:40001", after: "+5s",
          handshake + ask("shop.example", "/a", "", "②") + refused + " ④\n"), at: [1, 2, 4, 3], .toServer,
      severity: .error, cost: .failed(.exchange), says: "went to 10.0.0.9 instead of 10.0.0.2, and without the cookies"),
    .silent(
      rule, "The cookies are missing on an address that DNS gave: no address to blame.",
      told("dns=shop.example/10.0.0.2/10.0.0.9")
        + conversation("10.0.0.2:80", handshake + ask("shop.example", "/a", cookie) + fine)
        + conversation(
          "10.0.0.9:80", client: "10.0.0.1:40001", after: "+5s", handshake + ask() + refused + "\n")),
    .silent(
      rule, "The cookies come along.",
      handshake + ask("shop.example", "/a", cookie) + fine + ask("10.0.0.2", "/a", cookie) + fine),
    .silent(
      rule, "Another port is another service.",
      conversation("10.0.0.2:80", handshake + ask("shop.example", "/a", cookie) + fine)
        + conversation(
          "10.0.0.2:8080", client: "10.0.0.1:40001", after: "+5s",
          handshake + ask("10.0.0.2:8080", "/a") + refused + "\n")),
    .silent(
      rule, "Another path never had them.",
      handshake + ask("shop.example", "/a", cookie) + fine + ask("10.0.0.2", "/health") + fine),
    .silent(
      rule, "Another program of the same client.",
      handshake + ask("shop.example", "/a", cookie) + fine + ask("10.0.0.2", "/a", "User-Agent: probe\\r\\n") + fine),
    .silent(
      rule, "Deleted meanwhile.",
      handshake + ask("shop.example", "/a", "Cookie: session=1\\r\\n")
        + "< \"HTTP/1.1 200 OK\\r\\nSet-Cookie: session=; Max-Age=0\\r\\nContent-Length: 2\\r\\n\\r\\nok\"\n"
        + ask("10.0.0.2") + refused + "\n"),
    .silent(
      rule, "The address comes first, and has none yet.",
      handshake + ask("10.0.0.2") + refused + "\n" + ask("shop.example", "/a", cookie) + fine),
  ]
}

enum AddressFallbackRows {
  private static let rule: RuleID = "direct/no-address-fallback"
  /// Something that makes the capture last.
  private static let later = conversation("10.0.0.99:80", client: "10.0.0.1:49999", after: "+30s", handshake)

  static let rows: [RuleRow] = [
    .fires(
      rule, "Three SYNs to one of two addresses, and no answer.",
      told("dns=shop.example/10.0.0.2/10.0.0.3 ①")
        + conversation("10.0.0.2:443", "> SYN ②\n+1s\n> SYN\n+2s\n> SYN ③\n") + later, at: [1, 2, 3], .toServer,
      cost: .failed(.connection),
      says: "tried 10.0.0.2:443 3 times in 3.002 s without success, and never 10.0.0.3, which DNS had given it for"),
    .fires(
      rule, "Refused twice, on two connections.",
      told("dns=shop.example/10.0.0.2/10.0.0.3 ①") + conversation("10.0.0.2:443", "> SYN ②\n< RST ack=0 ③\n")
        + conversation("10.0.0.2:443", client: "10.0.0.1:40001", after: "+4s", "> SYN ④\n< RST ack=0 ⑤\n") + later,
      at: [1, 2, 3, 4, 5], .toServer, cost: .failed(.connection), count: 2, says: "2 times in 3.001 s"),
    .silent(
      rule, "Refused once.",
      told("dns=shop.example/10.0.0.2/10.0.0.3") + conversation("10.0.0.2:443", "> SYN\n< RST ack=0\n") + later),
    .silent(
      rule, "The other address was tried after 5 s.",
      told("dns=shop.example/10.0.0.2/10.0.0.3") + conversation("10.0.0.2:443", "> SYN\n+1s\n> SYN\n+2s\n> SYN\n")
        + conversation("10.0.0.3:443", client: "10.0.0.1:40001", after: "+6s", handshake) + later),
    .silent(
      rule, "The other address had been tried before.",
      told("dns=shop.example/10.0.0.2/10.0.0.3")
        + conversation("10.0.0.3:443", client: "10.0.0.1:40001", after: "+500ms", "> SYN\n< RST ack=0\n")
        + conversation("10.0.0.2:443", "> SYN\n+1s\n> SYN\n+2s\n> SYN\n") + later),
    .silent(
      rule, "The client went on by IPv6, where it has another address of its own.",
      told("dns=shop.example/10.0.0.2/10.0.0.3") + told("dns=shop.example/2001:db8::2")
        + conversation("10.0.0.2:443", "> SYN\n+1s\n> SYN\n+2s\n> SYN\n")
        + conversation("[2001:db8::2]:443", client: "[2001:db8::1]:40001", after: "+2s", handshake) + later),
    .silent(
      rule, "There is one address only.",
      told("dns=shop.example/10.0.0.2") + conversation("10.0.0.2:443", "> SYN\n+1s\n> SYN\n+2s\n> SYN\n") + later),
    .silent(
      rule, "The other one is of the other family, which the client may not have.",
      told("dns=shop.example/10.0.0.2") + told("dns=shop.example/2001:db8::2")
        + conversation("10.0.0.2:443", "> SYN\n+1s\n> SYN\n+2s\n> SYN\n") + later),
    .silent(
      rule, "Nobody knows what else the client could have tried.",
      conversation("10.0.0.2:443", "> SYN\n+1s\n> SYN\n+2s\n> SYN\n") + later),
    .silent(
      rule, "Another client was told of both.",
      told("dns=shop.example/10.0.0.2/10.0.0.3", client: "10.0.0.77")
        + conversation("10.0.0.2:443", "> SYN\n+1s\n> SYN\n+2s\n> SYN\n") + later),
    .silent(
      rule, "The address answers at the third try.",
      told("dns=shop.example/10.0.0.2/10.0.0.3") + conversation("10.0.0.2:443", "> SYN\n< RST ack=0\n")
        + conversation("10.0.0.2:443", client: "10.0.0.1:40001", after: "+3s", "> SYN\n< RST ack=0\n")
        + conversation("10.0.0.2:443", client: "10.0.0.1:40002", after: "+5s", handshake) + later),
    .silent(
      rule, "The capture ends too soon to tell.",
      told("dns=shop.example/10.0.0.2/10.0.0.3") + conversation("10.0.0.2:443", "> SYN\n+1s\n> SYN\n+2s\n> SYN\n")),
  ]
}
