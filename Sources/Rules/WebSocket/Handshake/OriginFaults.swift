import Events
import HTTPSemantics

/// From which site a page asks for WebSocket: the one check that keeps foreign pages out, because no browser asks the
/// server first as it does for other requests.
enum OriginFaults {
  static let rows: [UpgradeRequestRule] = [missing, null, mismatch]

  private static let missing = UpgradeRequestRule(
    RuleInfo(
      id: "ws/hs-origin-missing-browser", severity: .warning, confidence: .medium,
      summary: "A browser's request for WebSocket has no Origin.",
      explanation: """
        Every browser sends Origin with the handshake. Without it, a proxy took it out, and the server can no longer tell its \
        own pages from foreign ones; or a program calls itself a browser. Servers that check refuse with 403.
        """,
      evidence: "The User-Agent of a browser, and no Origin beside it.",
      fix: "Proxy: pass Origin on. Client: a program that is no browser should not call itself one.",
      specifications: [.webSocket("4.1"), .webSocket("10.2")], since: "0.1"), isRefusable: false
  ) { upgrade in
    guard upgrade.block.first("origin") == nil, upgrade.block.first("sec-websocket-origin") == nil,
      upgrade.head.isBrowsers, let agent = upgrade.block.first("user-agent")
    else { return nil }
    return HandshakeFault(
      "the client calls itself a browser, and sends no Origin", [upgrade.field(agent, "a browser, and no Origin")])
  }

  private static let null = UpgradeRequestRule(
    RuleInfo(
      id: "ws/hs-origin-null", severity: .warning,
      summary: "The Origin of a request for WebSocket is null.",
      explanation: """
        Pages in a sandboxed frame, from a file or from a data: URL have no origin of their own. A server cannot let them in \
        without letting in every other such page, foreign ones, too.
        """,
      evidence: "The field.",
      fix: "Client: serve the page from a site, or give the frame allow-same-origin. Server: do not allow null.",
      specifications: [.webSocket("10.2")], since: "0.1"), isRefusable: false
  ) { upgrade in
    guard let field = upgrade.block.first("origin"), upgrade.block.reads("null", at: field.value) else { return nil }
    return HandshakeFault("the Origin is null", [upgrade.field(field, "a page without an origin")])
  }

  private static let mismatch = UpgradeRequestRule(
    RuleInfo(
      id: "ws/hs-origin-host-mismatch", severity: .warning,
      summary: "A server accepted WebSocket from a page of another site.",
      explanation: """
        Origin names the page's site, Host the server's. Where they differ and the server says 101, either any page may open \
        this WebSocket, with the cookies of whoever looks at it; or the server allows this site on purpose; or a proxy \
        rewrote Host, and the server compares with the wrong name. With cookies or credentials in the request it matters \
        most; another port alone is usual in development.
        """,
      evidence: """
        Both fields. Pages of apps and extensions (schemes other than http and https) are left alone, and so is a refusal.
        """,
      fix: """
        Server: accept the origins you know and no others. Proxy: pass Host on (nginx: proxy_set_header Host $host).
        """,
      specifications: [.webSocket("4.2.2"), .webSocket("10.2")], since: "0.1"), isRefusable: false
  ) { upgrade in
    guard upgrade.acceptance != nil, let origin = upgrade.block.first("origin"), let host = upgrade.head.authority,
      let page = Authority(origin: upgrade.block.value(origin)), let site = Authority(upgrade.block.value(host)),
      let difference = page.difference(from: site)
    else { return nil }
    let hasSecrets = upgrade.block.first("cookie") != nil || upgrade.block.first("authorization") != nil
    return HandshakeFault(
      """
      the server accepted a page of \(upgrade.block.shown(origin)), and is asked for as \
      \(upgrade.block.shown(host))\(difference == .port ? ": another port" : hasSecrets ? "; credentials are with it" : "")
      """,
      [upgrade.field(origin, "the page's site"), upgrade.field(host, "the server's")],
      severity: difference == .port ? .note : hasSecrets ? .error : .warning)
  }
}

/// A host and its port.
private struct Authority {
  enum Difference { case host, port }

  private var host: String
  /// nil where it is the standard one of a scheme that is not known.
  private var port: String?
  private var standard: String?

  init?(_ text: String) {
    let text = text.lowercased()
    guard !text.isEmpty else { return nil }
    let afterAddress = text.lastIndex(of: "]") ?? text.startIndex
    guard let colon = text[afterAddress...].lastIndex(of: ":") else {
      host = text
      return
    }
    host = String(text[..<colon])
    port = String(text[text.index(after: colon)...])
  }

  init?(origin: String) {
    let text = origin.lowercased()
    let standard = text.hasPrefix("http://") ? "80" : text.hasPrefix("https://") ? "443" : nil
    guard let standard, let slashes = text.firstIndex(of: "/") else { return nil }
    self.init(String(text[slashes...].dropFirst(2)))
    self.standard = standard
  }

  /// `self` is of an origin. Without a port in Host, the scheme decides, and a proxy may have changed that.
  func difference(from site: Authority) -> Difference? {
    if host != site.host { return .host }
    let mine = port ?? standard
    let others = site.port ?? (port == nil ? standard : nil)
    return mine == others ? nil : .port
  }
}
