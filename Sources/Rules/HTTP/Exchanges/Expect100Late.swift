import Citation
import Events
import HTTPSemantics

/// A 100 Continue behind the beginning of the body.
enum Expect100Late: ExchangeRule {
  static let info = RuleInfo(
    id: "http/expect-100-late", severity: .note,
    summary: "The interim 100 Continue came after the body had begun.",
    explanation: """
      The client had stopped waiting and was sending already. Harmless to a client that reads interim responses at any \
      time; one that looks for a 100 only before the body takes it for the answer.
      """,
    evidence: "The first packet of the body, and the 100 that came after it.",
    fix: "Server or proxy: send 100 Continue as soon as the head is read, before anything that takes time.",
    specifications: [.expect], causedBy: ["http/expect-stall"], since: "0.1")

  static var needs: ExchangeFacts { .expectation }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let expectation = Expectation(exchange), let go = exchange.interim.first(where: { $0.status.code == 100 }),
      go.first.number > expectation.body.number
    else { return }
    let body = expectation.body
    report(
      Finding(
        info, subject: .connection(context.id), exchange: exchange.number, direction: .toClient,
        """
        \(exchange.title): 100 Continue came \(Wording.duration(go.first.time.since(body.time))) after the client had \
        begun to send the body.
        """, cost: .none,
        evidence: [
          Evidence(.packet(body, expectation.request.direction), "the body begins"),
          Evidence(.packet(go.first, go.direction), "100 Continue"),
        ]))
  }
}
