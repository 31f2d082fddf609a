import Citation
import Events
import HTTPSemantics

/// A client that leaves right behind the 101, before any frame: it did not take the answer.
enum HSClientRejected: AcceptanceRule {
  static let info = RuleInfo(
    id: "ws/hs-client-rejected", severity: .warning, confidence: .medium,
    summary: "The client dropped the connection right behind the 101.",
    explanation: """
      A client checks the 101 and closes TCP where it does not like it: no Close frame, and 1006 for the application. \
      The finding that this one is listed under names the reason. Without one, a probe that only looks whether the \
      port speaks WebSocket did the same.
      """,
    evidence: "The 101, and the client's FIN or RST before any frame of it.",
    fix: "Server: correct what the finding above names.", specifications: [.webSocket("4.1")],
    thresholds: [.rejection], since: "0.1")

  static func judge(_ acceptance: Acceptance, in context: FlowContext, report: (Finding) -> Void) {
    guard let left = acceptance.left else { return }
    let upgrade = acceptance.upgrade
    let wait = left.time.since(acceptance.answer.released.time)
    let cause = acceptance.cause
    report(
      Finding(
        info, confidence: cause == nil ? .low : .medium, subject: .connection(context.id),
        exchange: upgrade.exchange.number, direction: upgrade.request.direction,
        FindingMessage(
          "\(upgrade.exchange.title): the client left \(Wording.duration(wait)) after the 101, without a frame."),
        cost: cause == nil ? .none : .failed(.connection), fix: cause == nil ? nil : info.fix, causedBy: cause,
        evidence: upgrade.statusLine("the 101") + [
          Evidence(.packet(left, upgrade.request.direction), "the client leaves")
        ]))
  }
}

extension Threshold {
  static let rejection = Threshold(
    "ws.rejection", .nanoseconds, 100_000_000,
    "a client that leaves this soon after the 101, and a round trip, did not take it")
}
