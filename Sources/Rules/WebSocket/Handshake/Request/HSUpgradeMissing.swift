import Citation
import Events
import HTTPSemantics

/// A key, and no upgrade.
enum HSUpgradeMissing: UpgradeRequestRule {
  static let info = RuleInfo(
    id: "ws/hs-upgrade-missing", severity: .error,
    summary: "A request has a key for WebSocket and does not ask for the upgrade.",
    explanation: """
      Upgrade and Connection concern one hop: a proxy that is not configured to forward them drops them, as it must, \
      and forwards the key. The server sees an ordinary request and answers it as one: with a page, 400, 404 or 426.
      """,
    evidence: "The key, and the Upgrade field where there is one that names something else.",
    fix: WebSocketTexts.forward,
    specifications: [.webSocket("4.1"), .http("7.6.1")], since: "0.1")

  static let refusalRank: Int? = 30

  static func find(in upgrade: Upgrade) -> HandshakeFault? {
    guard !upgrade.hasToken, upgrade.era == .standard, let key = upgrade.block.first("sec-websocket-key") else {
      return nil
    }
    var evidence = [upgrade.field(key, "a key for WebSocket, and no Upgrade: websocket")]
    if let other = upgrade.block.first("upgrade") { evidence.append(upgrade.field(other, "names something else")) }
    return HandshakeFault("there is a Sec-WebSocket-Key and no Upgrade: websocket", evidence)
  }
}
