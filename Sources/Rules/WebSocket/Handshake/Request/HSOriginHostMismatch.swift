import Citation
import Events
import HTTPSemantics

/// A page of another site that is let in: the one check that keeps foreign pages out, because no browser asks the server
/// first as it does for other requests.
enum HSOriginHostMismatch: UpgradeRequestRule {
  static let info = RuleInfo(
    id: "ws/hs-origin-host-mismatch", severity: .warning,
    summary: "A server accepted WebSocket from a page of another site.",
    explanation: """
      Origin names the page's site, Host the server's. Where they differ and the server answers 101, either any page \
      may open this WebSocket, with the cookies of its user; or the server allows this site on purpose; or a proxy \
      rewrote Host, and the server compares with the wrong name. With cookies or credentials in the request it matters \
      most; another port alone is usual in development.
      """,
    evidence: """
      Both fields. Pages of apps and extensions (schemes other than http and https) are left alone, and so is a refusal.
      """,
    fix: """
      Server: accept the origins you know and no others. Proxy: pass Host on (nginx: proxy_set_header Host $host).
      """,
    specifications: [.webSocket("4.2.2"), .webSocket("10.2")], since: "0.1")

  static let refusalRank: Int? = nil

  static func find(in upgrade: Upgrade) -> HandshakeFault? {
    guard upgrade.acceptance != nil, let origin = upgrade.block.first("origin"), let host = upgrade.head.authority,
      let page = Authority(origin: upgrade.block.value(origin)), let site = Authority(upgrade.block.value(host)),
      let difference = page.difference(from: site)
    else { return nil }
    let hasSecrets = upgrade.block.first("cookie") != nil || upgrade.block.first("authorization") != nil
    return HandshakeFault(
      """
      the server accepted a page of \(upgrade.block.shown(origin)), and its Host is \
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
