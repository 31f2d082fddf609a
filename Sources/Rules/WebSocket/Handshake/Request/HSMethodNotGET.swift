import Citation
import Events
import HTTPSemantics

/// A handshake with another method than GET.
enum HSMethodNotGET: UpgradeRequestRule {
  static let info = RuleInfo(
    id: "ws/hs-method-not-get", severity: .error,
    summary: "A request for WebSocket is not a GET.",
    explanation: """
      The opening handshake over HTTP/1.1 is a GET, and servers refuse any other method, or hand the request to a handler \
      that knows nothing of WebSocket.
      """,
    evidence: "The request line. Over HTTP/2 the method is CONNECT, and that is something else.",
    fix: "Client: use GET.", specifications: [.webSocket("4.1")], since: "0.1")

  static let refusalRank: Int? = 10

  static func find(in upgrade: Upgrade) -> HandshakeFault? {
    guard upgrade.hasToken, upgrade.head.method != .get else { return nil }
    return HandshakeFault("the upgrade is requested with \(upgrade.head.methodText)", upgrade.line("not GET"))
  }
}
