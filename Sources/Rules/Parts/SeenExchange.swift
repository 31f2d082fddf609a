import Citation
import Events

/// An exchange as a rule keeps it that reports when the capture is read.
struct SeenExchange: Sendable {
  let flow: FlowID
  let connection: Int
  let number: Int
  let title: String

  init(_ asked: AskedExchange, in context: FlowContext) {
    flow = context.id
    connection = context.number
    number = asked.exchange.number
    title = asked.exchange.title
  }

  /// A finding of the rule about it, with the rule's own fix.
  func finding(
    _ rule: RuleInfo, _ direction: Direction, _ sentence: FindingMessage, cost: Cost, evidence: [Evidence]
  ) -> Finding {
    Finding(
      rule, subject: .connection(flow), exchange: number, direction: direction, sentence, cost: cost, fix: rule.fix,
      evidence: evidence
    ).on(connection)
  }
}
