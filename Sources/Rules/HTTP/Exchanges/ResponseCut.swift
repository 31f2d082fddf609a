import Citation
import Events
import HTTPSemantics

/// A response whose head never became whole.
enum ResponseCut: ExchangeRule {
  static let info = RuleInfo(
    id: "http/response-cut", severity: .error,
    summary: "The server closed in the middle of a response's head.",
    explanation: """
      The empty line that ends the head never came, so no client can use the response: most report an empty reply, a \
      malformed response or the end of the stream. A worker that crashed while it wrote, a program that writes the status \
      line itself and returns, or a proxy whose origin went away.
      """,
    evidence: "The last bytes of the head, and the server's FIN or reset. Silent where the capture lacks bytes.",
    fix: "Server: end the head with an empty line; look in its log for what ended it at this moment.",
    specifications: [Specification("RFC 9112 §8", "https://www.rfc-editor.org/rfc/rfc9112#section-8")], since: "0.1")

  static var needs: ExchangeFacts { [] }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let response = exchange.response, response.headReleased == nil, let request = exchange.request,
      response.direction != request.direction, let cut = response.wasCutBySender(context),
      let end = exchange.closing(response.direction),
      // A FIN has its place behind the bytes, whenever it came; a reset has none.
      cut.cause != .reset || end.number >= response.last.number
    else { return }
    report(
      Finding(
        info, severity: context.cutSeverity, confidence: context.cutConfidence, subject: .connection(context.id),
        exchange: exchange.number, direction: response.direction,
        "\(exchange.title): the server closed in the middle of the response's head; the empty line that ends it never came.",
        cost: .failed(.exchange), fix: info.fix,
        evidence: [
          Evidence(.packet(response.last, response.direction), "the last bytes of the head"),
          Evidence(.packet(end, response.direction), context.endWords(isReset: cut.cause == .reset)),
        ]))
  }
}
