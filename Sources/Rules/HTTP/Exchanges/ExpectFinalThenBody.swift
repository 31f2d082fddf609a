import Citation
import Events
import HTTPSemantics

/// A body that was sent although the answer was there.
enum ExpectFinalThenBody: ExchangeRule {
  static let info = RuleInfo(
    id: "http/expect-final-then-body", severity: .warning,
    summary: "The client sent its body although the server had answered already.",
    explanation: """
      The client asked whether to send the body, and got a final response instead of 100 Continue. The body it then \
      sends is discarded; worse, a server that does not read it takes its bytes for the next request.
      """,
    evidence: "The final response, and the first packet of the body after it.",
    fix: """
      Client: on a final response do not send the body; close the connection, or send the body whole where it must stay \
      open. Server: close after such an answer, or read what was announced.
      """,
    specifications: [.expect], thresholds: [.sameMoment], since: "0.1")

  static var needs: ExchangeFacts { .expectation }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let expectation = Expectation(exchange), expectation.isAnsweredBeforeBody, exchange.interim.isEmpty,
      let answer = expectation.answer, let response = exchange.response,
      // Within a round trip the client may not have known the answer.
      expectation.body.time.since(answer.time) > context.roundTrip.total ?? 0
    else { return }
    let request = expectation.request
    report(
      Finding(
        info, subject: .connection(context.id), exchange: exchange.number, direction: .toServer,
        "\(exchange.title): the answer came before the body, and the client sent \(Wording.bytes(request.bodyBytes)) after it.",
        cost: exchange.status.isError ? .lost(bytes: request.bodyBytes) : .none,
        fix: info.fix,
        evidence: [
          Evidence(.packet(answer, response.direction), "the final answer, with no 100 before it"),
          Evidence(.packet(expectation.body, request.direction), "the body begins all the same"),
        ]))
  }
}
