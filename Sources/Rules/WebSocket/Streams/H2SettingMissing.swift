import Events

/// An extension that was not offered.
enum H2SettingMissing: ConnectRule {
  static let info = RuleInfo(
    id: "ws/h2-setting-missing", severity: .error,
    summary: "A client sent an extended CONNECT to a server that had not announced it.",
    explanation: """
      Only after SETTINGS_ENABLE_CONNECT_PROTOCOL 1 may a request have :protocol. Other servers take it for malformed.
      """,
    evidence: "The CONNECT.",
    fix: "Client: wait for the server's SETTINGS, and use HTTP/1.1 where they lack it.",
    specifications: [.connectSetting], since: "0.1")

  static func judge(_ story: ConnectStory, in context: FlowContext, report: (Finding) -> Void) {
    guard let exchange = story.exchange, let request = exchange.request, let asked = request.headReleased,
      story.allowed.map({ $0.released.number > asked.number }) ?? true
    else { return }
    let isRefused = !(200..<300 ~= exchange.status.code)
    report(
      Finding(
        info, subject: .connection(context.id), exchange: exchange.number, direction: .toServer,
        "\(exchange.title): the server had not announced extended CONNECT.",
        cost: isRefused ? .failed(.exchange) : .none, fix: info.fix,
        evidence: [Evidence(.packet(request.first, .toServer), "CONNECT")]))
  }
}
