import Events
import HTTPSemantics

/// An offer that cannot be taken.
enum H2CUpgradeInvalid: ExchangeRule {
  static let info = RuleInfo(
    id: "h2/h2c-upgrade-invalid", severity: .error,
    summary: "An offer to go on with HTTP/2 is malformed.",
    explanation: """
      Such a request has exactly one HTTP2-Settings, in base64url without padding, and names it in Connection. Else a \
      server must not take the offer.
      """,
    evidence: "The field in question.",
    fix: "Client: send one HTTP2-Settings, name it in Connection, and leave the = of base64 out.",
    specifications: [.upgradeSettings], since: "0.1")

  static var needs: ExchangeFacts { .upgrade }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard exchange.key.stream == nil, let head = exchange.request?.head,
      let upgrade = head.block.first("upgrade"), head.block.contains("h2c", in: "upgrade")
    else { return }
    let settings = head.block.all("http2-settings")
    var flaw: (field: HeaderField, words: String)?
    if settings.count != 1 {
      flaw = (settings.dropFirst().first ?? upgrade, "\(settings.count) HTTP2-Settings instead of one")
    } else if !isPlain(head.block.bytes[settings[0].value]) {
      flaw = (settings[0], "HTTP2-Settings is not base64url without padding")
    } else if !head.block.contains("http2-settings", in: "connection") {
      flaw = (settings[0], "Connection does not name HTTP2-Settings")
    }
    guard let flaw else { return }
    report(
      Finding(
        info, subject: .connection(context.id), exchange: exchange.number, direction: .toServer,
        "\(exchange.title): in the offer of h2c, \(flaw.words).", cost: .none, fix: info.fix,
        evidence: [.field(flaw.field, head, .toServer, flaw.words)]))
  }

  private static func isPlain(_ text: ArraySlice<UInt8>) -> Bool {
    text.count % 4 != 1
      && text.allSatisfy { byte in
        byte.isDigit || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte.lowercased || byte == UInt8(ascii: "-")
          || byte == UInt8(ascii: "_")
      }
  }
}
