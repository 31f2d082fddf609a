import Citation
import Events
import HTTPSemantics

/// A handshake without Host.
enum HSHostMissing: UpgradeRequestRule {
  static let info = RuleInfo(
    id: "ws/hs-host-missing", severity: .error,
    summary: "A request for WebSocket has no Host.",
    explanation: "A server must refuse the handshake without it, and a proxy does not know where to send it.",
    evidence: "The request line.", fix: "Client: send one Host with the name of the site.",
    specifications: [.webSocket("4.1"), .webSocket("4.2.1")], causedBy: ["http/host-missing"], since: "0.1")

  static let refusalRank: Int? = 50

  static func find(in upgrade: Upgrade) -> HandshakeFault? {
    guard upgrade.block.first("host") == nil, !upgrade.block.lacksFields else { return nil }
    return HandshakeFault("the request for WebSocket has no Host", upgrade.line("a head without Host"))
  }
}
