import Citation
import Events
import LLMSemantics

/// An answer that just stops.
enum NoEndMarker: ExchangeRule {
  static let info = RuleInfo(
    id: "llm/no-end-marker", severity: .error,
    summary: "An answer ended without the marker that ends it.",
    explanation: """
      Every dialect has a last item: data: [DONE], message_stop, done: true, response.completed, a finish reason. A response \
      that ends without one was cut: the worker died, a proxy reached its time limit and closed its side properly, the \
      handler returned early. With HTTP/1.1 and close, or with a proxy that writes the last chunk itself, nothing else shows \
      it, and programs take half an answer for a whole one.
      """,
    evidence: """
      The last delta, and the end of the response. An answer with a finish reason and without the marker is whole; that is \
      a note.
      """,
    fix: """
      Server: write the end marker last, also when the answer is cut short, with a finish reason or an error. Client: take \
      an answer without one for incomplete.
      """,
    specifications: [.openAIStreaming, .anthropicStreaming, .ollamaStreaming],
    causedBy: [
      "stream/cut-at-known-timeout", "stream/cut-after-round-silence", "stream/cut-by-middlebox",
      "stream/total-duration-cap",
      "chunked/missing-last-chunk", "proxy/read-timeout", "proxy/truncation-hidden", "proxy/stream-dropped",
      "h2/stream-reset", "h2/closed-with-open-streams",
    ], since: "0.1")

  static var needs: ExchangeFacts { .stream }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let told = ToldAnswer(exchange), told.answer.end == nil, told.answer.failure == nil, !told.answer.hasGap,
      let last = told.answer.lastContent, told.message.isWhollyCaptured,
      told.message.isComplete || exchange.wasEndedFirst(by: told.message.direction, context),
      !exchange.wasEndedFirst(by: told.message.direction.opposite, context) || told.message.framing != .close,
      let end = told.message.framing == .chunked && told.message.isComplete
        ? told.message.end?.packet : exchange.closing(told.message.direction) ?? told.message.end?.packet
    else { return }
    let direction = told.message.direction
    let marker = told.answer.dialect.endMarker
    let finish = told.answer.finish
    report(
      Finding(
        info, severity: finish == nil ? nil : .note, subject: .connection(context.id), exchange: exchange.number,
        direction: direction,
        finish == nil
          ? "\(exchange.title): the answer ended \(told.progress), without a finish reason and without \(marker)."
          : "\(exchange.title): the answer has a finish reason, and not the \(marker) that ends it.",
        cost: finish == nil ? .failed(.exchange) : .none, fix: info.fix,
        evidence: [
          Evidence(.packet(last, direction), "the last delta"),
          Evidence(.packet(end, direction), "the response ends"),
        ]))
  }
}
