import Events
import HTTPSemantics

/// Events in a response of another type.
enum WrongContentType: ExchangeRule {
  static let info = RuleInfo(
    id: "sse/wrong-content-type", severity: .error,
    summary: "Events are sent with another type than text/event-stream.",
    explanation: """
      EventSource looks at the type before it reads a byte: anything but text/event-stream fails the connection for good, \
      without another attempt, and the page sees only "error". Clients that parse the body themselves work, which is why \
      a test with curl or fetch finds nothing.
      """,
    evidence: """
      The request's Accept, the response's type, and the first packet of a body that reads as events. A cost counts \
      only where the client closed before the end, or a browser asked as its EventSource does.
      """,
    fix: "Server: Content-Type: text/event-stream.", specifications: [.eventSourceModel], since: "0.1")

  static var needs: ExchangeFacts { .undeclaredItems }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let response = exchange.response, let stream = response.stream, !stream.isDeclared, stream.kind == .sse,
      stream.items > 0 || stream.tail?.carriesData == true, response.head?.isRequestKnown == true,
      let type = response.otherType,
      let request = exchange.request, let asked = request.head, let first = response.firstBody,
      let accept = Evidence.field("accept", of: request, "the client asks for events")
    else { return }
    let isRefused = asked.asksForEvents && !response.isComplete && exchange.wasEndedFirst(by: .toServer, context)
    report(
      Finding(
        Self.info, confidence: asked.method == .get ? .high : .medium, subject: .connection(context.id),
        exchange: exchange.number, direction: response.direction,
        "\(exchange.title): the body reads as events, and its type is \(type.name ?? "not given")\(isRefused ? "; the client closed" : ""): an EventSource gives up for good.",
        cost: isRefused || asked.isEventSources ? .failed(.exchange) : .none, fix: info.fix,
        evidence: [accept, type.shown, Evidence(.packet(first, response.direction), "the first bytes of the body")]))
  }
}
