import Events
import HTTPSemantics

/// An event stream whose length is announced.
enum ContentLength: ExchangeRule {
  static let info = RuleInfo(
    id: "sse/content-length", severity: .warning,
    summary: "An event stream has a Content-Length.",
    explanation: """
      A stream whose length is known before it begins was collected before it was sent, or ends at that number: the \
      client takes that for a lost connection and comes back, again and again. Proxies wait for all of a body of known \
      length.
      """,
    evidence: "The field.",
    fix: "Server: leave Content-Length out and send chunks. Proxy: do not collect responses of this type.",
    specifications: [.eventSourceModel], causedBy: ["sse/buffered"], since: "0.1")

  static var needs: ExchangeFacts { .stream }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let response = exchange.response, response.framing == .length, response.status.code == 200,
      let stream = response.stream, stream.kind == .sse, stream.isDeclared,
      let field = Evidence.field("content-length", of: response, "the stream ends here, and the client comes back")
    else { return }
    let origin = stream.isOneBurst ? ", and was collected before it was sent" : ""
    report(
      Finding(
        Self.info, subject: .connection(context.id), exchange: exchange.number, direction: response.direction,
        "\(exchange.title): the event stream announces its length: it ends after \(Wording.bytes(response.bodyBytes))\(origin).",
        cost: .none, fix: info.fix, evidence: [field]))
  }
}
