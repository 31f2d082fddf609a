import Citation
import Events
import HTTPSemantics

/// A handshake with several keys.
enum HSKeyDuplicate: UpgradeRequestRule {
  static let info = RuleInfo(
    id: "ws/hs-key-duplicate", severity: .error,
    summary: "A request for WebSocket has more than one key.",
    explanation: """
      The field must stand once. A server refuses, or answers one of the keys while the client waits for the digest of the \
      other. Usually a library writes its own beside one that was set by hand, or a proxy adds one.
      """,
    evidence: "The first two of the fields.", fix: "Client: let the library make the key, and set none by hand.",
    specifications: [.webSocket("11.3.1")], since: "0.1")

  static let refusalRank: Int? = 100

  static func find(in upgrade: Upgrade) -> HandshakeFault? {
    let keys = upgrade.block.all("sec-websocket-key")
    guard keys.count > 1 else { return nil }
    return HandshakeFault(
      "there are \(keys.count) Sec-WebSocket-Key fields",
      keys.prefix(2).map { upgrade.field($0, "one of \(keys.count)") })
  }
}
