import Citation
import Events
import HTTPSemantics

/// An event by which the server reports an error.
enum ErrorEvent: ExchangeRule {
  static let info = RuleInfo(
    id: "sse/error-event", severity: .warning, confidence: .medium,
    summary: "The server reports an error by an event.",
    explanation: """
      The status of a stream is on the wire before its first event. What fails later is told by an event, mostly with the \
      name error; monitoring that counts statuses sees a success. In a page such an event calls the same handlers as a lost \
      connection, which mostly do not look at its data.
      """,
    evidence: "The event with the name error; what it says is payload. Events of other names are not judged.",
    fix: """
      Server: see its log for this request; give the event another name than error, which EventSource uses for lost \
      connections.
      """,
    specifications: [.eventSourceModel], since: "0.1")

  static var needs: ExchangeFacts { .remarkableEvents }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let events = exchange.eventResponse, let event = events.stream.errorEvent,
      events.stream.answer?.failure == nil
    else { return }
    let response = events.message
    let asked = exchange.request?.headReleased
    let after = asked.map { ", \(Wording.duration(event.time.since($0.time))) after the request" } ?? ""
    report(
      Finding(
        info, subject: .connection(context.id), exchange: exchange.number, direction: response.direction,
        FindingMessage("\(exchange.title): the server reports an error by an event\(after)."),
        cost: .failed(.exchange), fix: info.fix,
        evidence: [Evidence(.packet(event, response.direction), "event: error")]))
  }
}
