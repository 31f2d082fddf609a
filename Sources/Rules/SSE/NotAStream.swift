import Events
import HTTPSemantics

/// A page, or something else that is no stream of events, for an EventSource.
enum NotAStream: ExchangeRule {
  static let info = RuleInfo(
    id: "sse/not-a-stream", severity: .error,
    summary: "An EventSource was answered with something else than a stream of events.",
    explanation: """
      EventSource looks at the type before it reads a byte: anything but text/event-stream fails the connection for good, \
      without another attempt, and the page sees only "error". What comes instead is often the page of the application \
      itself, which a server sends for each path that it does not know, or a page to sign in.
      """,
    evidence: """
      The request as a browser's EventSource sends it (nothing but events is accepted, a browser's User-Agent, and \
      no-cache), and a response 200 of another type. A body that reads as events is sse/wrong-content-type.
      """,
    fix: """
      Server or proxy: send this path to the handler of the stream (nginx: a location of its own, before try_files falls back \
      to /index.html). Where a session has ended, answer 401 and not a page.
      """,
    specifications: [.eventSourceModel], since: "0.1")

  static var needs: ExchangeFacts { .response }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let request = exchange.request, let asked = request.head, asked.isEventSources,
      let response = exchange.response, response.status.code == 200, !response.isReadByItem,
      response.head?.isRequestKnown == true, let type = response.otherType,
      let accept = Evidence.field("accept", of: request, "asks for events")
    else { return }
    report(
      Finding(
        Self.info, subject: .connection(context.id), exchange: exchange.number, direction: response.direction,
        "\(exchange.title): an EventSource was answered with \(type.name ?? "a response without a type"): it stops for good.",
        cost: .failed(.exchange), fix: info.fix, evidence: [accept, type.shown]))
  }
}
