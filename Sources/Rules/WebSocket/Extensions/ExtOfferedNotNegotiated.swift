import Citation
import Events
import HTTPSemantics

/// Compression that the client offers and the server does not take.
enum ExtOfferedNotNegotiated: AcceptanceRule {
  static let info = RuleInfo(
    id: "ws/ext-offered-not-negotiated", severity: .note,
    summary: "The client offered compression, and the server did not take it.",
    explanation: """
      Every browser offers permessage-deflate. A 101 without it is correct, and all messages then travel as they are. For \
      text that is sent often, compression saves most of the bytes; for small or already compressed messages, nothing.
      """,
    evidence: "The offer, and the 101 without Sec-WebSocket-Extensions.",
    fix: "Server or proxy: enable permessage-deflate if the text is worth it.", specifications: [.deflate("5")],
    thresholds: [.plainText], since: "0.1")

  static func judge(_ acceptance: Acceptance, in context: FlowContext, report: (Finding) -> Void) {
    let (upgrade, textBytes) = (acceptance.upgrade, acceptance.textBytes)
    guard let offer = ExtensionList(upgrade.block).elements.first(where: \.isDeflate),
      acceptance.answer.block.first("sec-websocket-extensions") == nil
    else { return }
    let isMuch = textBytes > UInt64(max(0, context.thresholds[.plainText]))
    let text = isMuch ? "; \(Wording.bytes(textBytes)) of messages went uncompressed" : ""
    report(
      Finding(
        info, severity: isMuch ? .warning : .note, subject: .connection(context.id), exchange: upgrade.exchange.number,
        direction: upgrade.request.direction.opposite,
        FindingMessage(
          "\(upgrade.exchange.title): the client offered permessage-deflate, and the server did not take it\(text)."),
        cost: .none, fix: info.fix,
        evidence: [upgrade.field(offer.field, "the offer")]
          + upgrade.statusLine("without Sec-WebSocket-Extensions")))
  }
}

extension Threshold {
  static let plainText = Threshold(
    "ws.plain-text", .bytes, 50_000, "messages that would have been worth compressing")
}
