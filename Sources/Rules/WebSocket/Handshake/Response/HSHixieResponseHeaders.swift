import Citation
import Events
import HTTPSemantics

/// Fields of the drafts 75 and 76 in a 101.
enum HSHixieResponseHeaders: UpgradeResponseRule {
  static let info = RuleInfo(
    id: "ws/hs-hixie-response-headers", severity: .warning,
    summary: "A 101 has fields or a reason phrase of the drafts of 2010.",
    explanation: """
      WebSocket-Origin, WebSocket-Location and "Web Socket Protocol Handshake" belong to drafts 75 and 76. Clients \
      ignore them. They show old code behind: such servers often have no pings, no binary messages, no fragments and \
      no 64-bit lengths, and die of the first. The fields show the server's own address, too.
      """,
    evidence: "The fields, or the status line. An answer to a client of those drafts is left alone.",
    fix: "Server: take the fields out, and test pings, binary messages, fragments and messages of 64 KiB and more.",
    specifications: [.webSocket("4.2.2"), .webSocketDraft], since: "0.1")

  static let rejectionRank: Int? = nil

  static func find(in answer: MessageHead, to upgrade: Upgrade) -> HandshakeFault? {
    guard upgrade.era == .standard else { return nil }
    let names: [StaticString] = [
      "websocket-origin", "websocket-location", "sec-websocket-origin", "sec-websocket-location",
    ]
    let fields = names.compactMap { answer.block.first($0) }
    let reason = answer.reasonText
    let hasReason =
      ["web socket protocol handshake", "websocket protocol handshake"].contains(reason.lowercased())
    guard !fields.isEmpty || hasReason else { return nil }
    var what = fields.map { answer.block.name($0) }
    if hasReason { what.insert("\"\(reason)\"", at: 0) }
    return HandshakeFault(
      "the 101 has \(what.joined(separator: ", ")), of the drafts of 2010",
      (hasReason ? upgrade.statusLine("the reason phrase of the drafts") : [])
        + fields.compactMap { upgrade.answered($0, "of the drafts") })
  }
}
