import Events
import HTTPSemantics

/// An offer that was not taken.
enum H2CUpgradeIgnored: ExchangeRule {
  static let info = RuleInfo(
    id: "h2/h2c-upgrade-ignored", severity: .warning,
    summary: "A server did not take the offer to go on with HTTP/2.",
    explanation: """
      The offer is optional, and RFC 9113 has removed it. Some proxies refuse such a request instead of answering it over \
      HTTP/1.1.
      """,
    evidence: """
      The field Upgrade of the request, and the answer. The request failed by the offer only where the answer is that of \
      a server that did not understand it (400, 501 …), not where it refuses what is asked for (403, 404 …).
      """,
    fix: "Client: use HTTP/2 over TLS, or by prior knowledge where the server speaks it without.",
    specifications: [.upgradeOffer], since: "0.1")

  static var needs: ExchangeFacts { [.response, .upgrade] }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard exchange.key.stream == nil, let head = exchange.request?.head, let answer = exchange.response,
      let field = head.block.first("upgrade"), head.block.contains("h2c", in: "upgrade"),
      exchange.status != .switchingProtocols
    else { return }
    report(
      Finding(
        info, subject: .connection(context.id), exchange: exchange.number, direction: .toClient,
        "\(exchange.title): the server did not answer the offer of h2c with 101.",
        cost: exchange.isMisread ? .failed(.exchange) : .none, fix: info.fix,
        evidence: [
          .field(field, head, .toServer, "the offer"), Evidence(.packet(answer.first, .toClient), "the answer"),
        ]))
  }
}

extension Specification {
  static let upgradeOffer = Specification("RFC 7540 §3.2", "https://www.rfc-editor.org/rfc/rfc7540#section-3.2")
  static let upgradeSettings = Specification(
    "RFC 7540 §3.2.1", "https://www.rfc-editor.org/rfc/rfc7540#section-3.2.1")
}
