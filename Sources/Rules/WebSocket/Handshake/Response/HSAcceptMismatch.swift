import Citation
import Digests
import Events
import HTTPSemantics

/// A 101 with a wrong proof.
enum HSAcceptMismatch: UpgradeResponseRule {
  static let info = RuleInfo(
    id: "ws/hs-accept-mismatch", severity: .error,
    summary: "The server's Sec-WebSocket-Accept does not belong to the client's key.",
    explanation: """
      The value is the SHA-1 of the key, as it was sent, with a fixed GUID behind it, in Base64. Another value comes \
      from a cached 101, from a wrong GUID, from a key that was decoded first or has a space at its end, or from a \
      proxy that made a key of its own. Clients drop the connection, and their API shows 1006.
      """,
    evidence: "The key, and the answer; the message holds what it should be.",
    fix:
      "Server: Base64(SHA-1(key + \"258EAFA5-E914-47DA-95CA-C5AB0DC85B11\")), with the key's text. Proxy: cache no 101.",
    specifications: [.webSocket("4.2.2"), .webSocket("4.1")], since: "0.1")

  static let rejectionRank: Int? = 20

  static func find(in answer: MessageHead, to upgrade: Upgrade) -> HandshakeFault? {
    guard let key = upgrade.key, let accept = answer.block.first("sec-websocket-accept") else { return nil }
    let value = Array(upgrade.block.bytes[key.value.clamped(to: upgrade.block.bytes.indices)])
    let expected = proof(for: value)
    guard answer.block.value(accept) != expected else { return nil }
    return HandshakeFault(
      "Sec-WebSocket-Accept is \(answer.block.shown(accept)) and should be \(expected)",
      [upgrade.field(key, "the key"), upgrade.answered(accept, "not its digest")].compactMap { $0 })
  }

  /// What every server appends to the key (RFC 6455 §1.3).
  private static let suffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

  /// The proof that belongs to a key.
  private static func proof(for key: [UInt8]) -> String {
    let text = key + Array(suffix.utf8)
    return SHA1.digest(of: text.span).base64
  }
}
