import Citation
import Events
import HTTPSemantics

/// A request to change protocols, which a proxy passed on without it. Those of WebSocket have a rule of their own.
enum UpgradeStripped: ComparisonRule, HopPairRule {
  static let info = RuleInfo(
    id: "proxy/upgrade-stripped", severity: .error,
    summary: "A proxy took the upgrade out of a request.",
    explanation: """
      Upgrade and the Connection field that names it concern one hop, and a proxy drops both unless it is configured \
      to forward them. The server sees a plain request and answers it as one: the client waits for a 101 that never \
      comes.
      """,
    evidence: "The request on both sides of the proxy, and the answer that is no 101.",
    fix: """
      Proxy: pass the upgrade on (nginx: proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade; \
      proxy_set_header Connection "upgrade").
      """,
    specifications: [
      Specification("RFC 9110 §7.8", "https://www.rfc-editor.org/rfc/rfc9110#section-7.8")
    ],
    since: "0.1")

  static func judge(_ pair: ComparedPair, _ terms: ComparisonTerms, report: (Finding) -> Void) {
    guard let passage = pair.passage, !passage.isSameConnection,
      let (outer, inner) = stripped(pair[passage.outer].record, pair[passage.outer.other].record)
    else { return }
    let evidence = [
      Evidence.field("upgrade", of: outer, "to the proxy")?.from(passage.outer),
      Evidence.startLine(inner, "behind it, without Upgrade")?.from(passage.outer.other),
      Evidence.status(pair[passage.outer].record.response, "no 101")?.from(passage.outer),
    ]
    report(
      pair.finding(
        info, of: passage.outer, .toServer, .stripped(pair.title), cost: .failed(.exchange), fix: info.fix,
        evidence: evidence.compactMap { $0 }))
  }

  /// Both sides of the proxy are in one capture.
  static func judge(_ pair: HopPair, in context: FlowContext, report: (Finding) -> Void) {
    let exchange = pair.outer.exchange
    guard let (outer, inner) = stripped(exchange, pair.inner.exchange) else { return }
    report(
      pair.finding(
        info, .stripped(exchange.title), cost: .failed(.exchange),
        evidence: [
          Evidence.field("upgrade", of: outer, "to the proxy"),
          Evidence.startLine(inner, "behind it, on connection #\(pair.inner.context.number), without Upgrade"),
          Evidence.status(exchange.response, "no 101"),
        ]))
  }

  /// The request on both sides of the proxy, where only the client's asks to upgrade, and gets no 101.
  private static func stripped(_ outer: ExchangeRecord, _ inner: ExchangeRecord) -> (outer: Message, inner: Message)? {
    guard let asking = outer.request, let passing = inner.request, let asked = asking.head, let passed = passing.head,
      asked.asksUpgrade, !asked.asksForWebSocket, !passed.asksUpgrade, outer.status != .switchingProtocols,
      !asked.offersHTTP2
    else { return nil }
    return (asking, passing)
  }
}

extension MessageHead {
  /// An offer that concerns one hop only, and that its server is free to take: to pass it on would be a fault.
  fileprivate var offersHTTP2: Bool {
    block.value("upgrade")?.split(separator: ",").allSatisfy { $0.filter { $0 != " " }.lowercased() == "h2c" } == true
  }
}

extension FindingMessage {
  fileprivate static func stripped(_ title: String) -> Self {
    "\(title): the client asks to upgrade, and behind the proxy the request does not."
  }
}
