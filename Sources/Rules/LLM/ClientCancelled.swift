import Citation
import Events
import LLMSemantics

/// A client that stops an answer.
enum ClientCancelled: ExchangeRule {
  static let info = RuleInfo(
    id: "llm/client-cancelled", severity: .note,
    summary: "The client ended an answer before it was complete.",
    explanation: """
      A reader who presses stop, a page that is left, a time limit of the client's library: the client closes the connection \
      or resets the stream. The server should stop the model then. Many only find out when a write fails, and until then \
      work for nothing; what they wrote after the client's end is visible here, what they computed is not.
      """,
    evidence: "The first delta, and the packet by which it ended.",
    fix: """
      Server: watch for the end of the client's side, and stop the model. Client: where a time limit did it, count it from \
      the last delta and not from the request.
      """,
    specifications: [.openAIStreaming], since: "0.1")

  static var needs: ExchangeFacts { .stream }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let told = ToldAnswer(exchange), told.answer.end == nil, told.answer.finish == nil,
      !told.message.isComplete || told.message.framing == .close,
      told.answer.failure == nil, let last = told.answer.firstContent,
      let stop = exchange.firstEnd(by: told.message.direction.opposite, context)
    else { return }
    let direction = told.message.direction
    let asked = exchange.request?.headReleased.map {
      ", \(Wording.duration(stop.time.since($0.time))) after its request"
    }
    let went = told.message.lastBody.flatMap { $0.number > stop.number ? $0.time.since(stop.time) : nil }
    let on = went.map { "; the server went on for \(Wording.duration($0))" } ?? ""
    report(
      Finding(
        info, subject: .connection(context.id), exchange: exchange.number, direction: direction.opposite,
        FindingMessage("\(exchange.title): the client ended the answer\(asked ?? ""), \(told.progress)\(on)."),
        cost: .none, fix: info.fix,
        evidence: [
          Evidence(.packet(last, direction), "the first delta"),
          Evidence(.packet(stop, direction.opposite), "the client ends it"),
        ]))
  }
}
