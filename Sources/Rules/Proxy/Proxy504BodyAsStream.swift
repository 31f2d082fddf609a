import Events
import HTTPSemantics

/// The error page of a proxy where a stream was asked for.
enum Proxy504BodyAsStream: ExchangeRule {
  static let info = RuleInfo(
    id: "proxy/504-body-as-stream", severity: .warning, confidence: .medium,
    summary: "A proxy answered a request for a stream with an error page.",
    explanation: """
      502, 503, 504 and 524 with a page of HTML are how a proxy or a CDN says that the server behind it gave no answer in \
      time, closed, or was not there. A client that reads a stream of events gets a page instead: one that does not look \
      at the status waits in it for the first event.
      """,
    evidence: """
      The request that asks for a stream, and the answer with its type. That a proxy wrote it and not the server is \
      inferred from status and type.
      """,
    fix: """
      Proxy: its error log names the server that failed; raise its read timeout for this route where the first event may \
      take longer. Server: send the head of a stream at once, and a comment now and then. Client: look at the status first.
      """,
    specifications: [
      Specification("RFC 9110 §15.6", "https://www.rfc-editor.org/rfc/rfc9110#section-15.6")
    ],
    causedBy: ["tcp/host-silent"], since: "0.1")

  private static let goneFix = """
    Proxy: its error log names the server that closed, or was not there: start that, or correct its address. Client: look \
    at the status first.
    """

  private static let busyFix = """
    Proxy: it refused the request itself, at a limit of its own (nginx: limit_conn, limit_req; haproxy: maxconn), or because \
    none of its servers is in service: its log says which. Client: look at the status first.
    """

  static var needs: ExchangeFacts { [.response, .denial] }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard [502, 503, 504, 524].contains(exchange.status.code), let request = exchange.request, let asked = request.head,
      asked.asksForEvents, let response = exchange.response, let head = response.head, head.isRequestKnown,
      head.block.contentType?.essence == "text/html",
      let accept = Evidence.field("accept", of: request, "asks for a stream of events"),
      let type = Evidence.field("content-type", of: response, "a page in place of the stream"),
      let status = Evidence.status(response, "as proxies answer")
    else { return }
    let isLate = exchange.status.code == 504 || exchange.status.code == 524
    let isBusy = exchange.status.code == 503
    let wait = exchange.wait.map { ", \(Wording.duration($0)) after the request" } ?? ""
    report(
      Finding(
        info, subject: .connection(context.id), exchange: exchange.number, direction: response.direction,
        "\(exchange.title): a page of HTML came in place of the stream\(wait), as a proxy answers \(isBusy ? "at a limit, or without a server in service" : "for a server that does not").",
        cost: .failed(.exchange), fix: isLate ? info.fix : isBusy ? busyFix : goneFix, evidence: [accept, status, type])
    )
  }
}
