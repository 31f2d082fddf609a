import Events
import LLMSemantics

/// An error that comes after 200, inside the stream.
enum ErrorInStream: ExchangeRule {
  static let info = RuleInfo(
    id: "llm/error-in-stream", severity: .error,
    summary: "An error came inside the stream of an answer.",
    explanation: """
      When a model fails after its answer has begun, the status is on the wire already. The error comes as an event or a \
      line of its own, and monitoring that counts statuses sees a success. Overload, a prompt that is too long and a filter \
      are reported in this way.
      """,
    evidence: "The item with the error; its type is shown where it has the form of a name, its text is payload.",
    fix: """
      Server: see its log for this request. Client and monitoring: read the items of a stream for errors; the status is \
      200.
      """,
    specifications: [.openAIStreaming, .anthropicStreaming], since: "0.1")

  static var needs: ExchangeFacts { .stream }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let told = ToldAnswer(exchange), let failure = told.answer.failure else { return }
    let type = told.answer.failureType.map { " (\($0))" } ?? ""
    let asked = exchange.request?.headReleased
    let after = asked.map { ", \(Wording.duration(failure.time.since($0.time))) after the request" } ?? ""
    report(
      Finding(
        info, subject: .connection(context.id), exchange: exchange.number, direction: told.message.direction,
        FindingMessage(
          "\(exchange.title): the server reports an error\(type) inside the stream\(after), \(told.progress)."),
        cost: .failed(.exchange), fix: info.fix,
        evidence: [Evidence(.packet(failure, told.message.direction), "the error")]))
  }
}
