import Events
import HTTPSemantics

/// An answer after which an EventSource never asks again.
enum StatusStops: ExchangeRule {
  static let info = RuleInfo(
    id: "sse/status-stops", severity: .warning,
    summary: "An EventSource request was answered in a way that stops it for good.",
    explanation: """
      EventSource comes back after a lost connection, and not after an answer: 204 makes it stop, and any status but \
      200 is an error from which it does not recover by itself. A 502 or 503 of a restart of a second leaves the page \
      without events until it is loaded again.
      """,
    evidence: """
      The request that accepts events, and the status. A client that is no browser may ask again all the same: then it is a \
      note, and a failure of the server is http/server-error's.
      """,
    fix: """
      Server or proxy: for a temporary failure, drop the connection or hold it rather than answer 5xx. Client: make a \
      new EventSource after an error with readyState CLOSED.
      """,
    specifications: [.eventSourceModel], causedBy: ["proxy/504-body-as-stream"], since: "0.1")

  static var needs: ExchangeFacts { .denial }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    let code = exchange.status.code
    guard code == 204 || code >= 400, code < 600, let request = exchange.request, let head = request.head,
      head.asksForEvents, exchange.response?.head?.isRequestKnown == true,
      let accept = Evidence.field("accept", of: request, "asks for events"),
      let status = Evidence.status(exchange.response, "no further attempt")
    else { return }
    let isServers = code >= 500
    let isBrowsers = head.isBrowsers
    report(
      Finding(
        Self.info, severity: isServers && !isBrowsers ? .note : nil, confidence: isBrowsers ? .high : .medium,
        subject: .connection(context.id),
        exchange: exchange.number, direction: .toClient,
        "\(exchange.title): an EventSource stops for good at this answer\(isServers ? ", though the failure may be temporary" : "").",
        cost: isServers && isBrowsers ? .failed(.exchange) : .none,
        fix: info.fix, evidence: [accept, status]))
  }
}
