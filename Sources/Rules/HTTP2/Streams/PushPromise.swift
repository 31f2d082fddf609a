import Events

/// A response that was not asked for.
enum PushPromise: ExchangeRule {
  static let info = RuleInfo(
    id: "h2/push-promise", severity: .warning,
    summary: "A server pushed a response.",
    explanation:
      "Browsers have removed server push, and most clients turn it off. What they reset was sent for nothing.",
    evidence: "The PUSH_PROMISE.",
    fix: "Server: turn push off; 103 (Early Hints) lets clients ask for what they lack.",
    specifications: [.pushPromises], since: "0.1")

  static var needs: ExchangeFacts { .http2 }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard exchange.isPushed, let request = exchange.request else { return }
    let isUnwanted = exchange.end.resetCode != nil && exchange.end.closing?.by == .toServer
    let bytes = exchange.response?.bodyBytes ?? 0
    report(
      Finding(
        info, subject: .connection(context.id), exchange: exchange.number, direction: .toClient,
        "\(exchange.title): the server pushed it\(isUnwanted ? ", and the client reset it after \(Wording.bytes(bytes))" : "").",
        cost: isUnwanted ? .lost(bytes: bytes) : .none, fix: info.fix,
        evidence: [Evidence(.packet(request.first, .toClient), "PUSH_PROMISE")]))
  }
}
