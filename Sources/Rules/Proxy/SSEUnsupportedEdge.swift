import Events
import HTTPSemantics

/// Events that were held on a way whose operator says that it does not support them.
enum SSEUnsupportedEdge: HeldStreamRule {
  static let info = RuleInfo(
    id: "proxy/sse-unsupported-edge", severity: .warning, confidence: .medium,
    summary: "Events were held behind Azure Front Door, which does not support event streams.",
    explanation: """
      Azure Front Door says in its documentation that it does not support server-sent events: it may collect a response \
      before it passes it on, and ends responses that take long. No setting of the server behind it changes that.
      """,
    evidence: """
      The field X-Azure-Ref, which Front Door adds, and the packets of the events, which did not come one by one. That \
      Front Door held them and not the server is inferred.
      """,
    fix: "Proxy (Azure Front Door): lead event streams past it, by a name of their own, or use a WebSocket.",
    specifications: [
      Specification("Azure Front Door", "https://learn.microsoft.com/azure/frontdoor/front-door-faq")
    ],
    thresholds: [.bufferedWait, .bufferedBurst, .bufferedItems], since: "0.1")

  static func judge(_ held: HeldStream, in context: FlowContext, report: (Finding) -> Void) {
    guard held.exchange.eventResponse != nil, let mark = held.head.block.first("x-azure-ref") else { return }
    let edge = Evidence.field(mark, held.head, held.response.direction, "Azure Front Door was on the way")
    let packets = held.evidence.filter { $0.excerpt == nil }
    report(
      Finding(
        info, confidence: context.isMidstream ? .low : nil, subject: .connection(context.id),
        exchange: held.exchange.number, direction: held.response.direction,
        FindingMessage(held.course + " Azure Front Door, which the response passed, does not support event streams."),
        cost: held.delay > 0 ? .delay(nanoseconds: held.delay) : .none, fix: info.fix, evidence: [edge] + packets))
  }
}
