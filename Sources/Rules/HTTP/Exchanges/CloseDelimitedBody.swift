import Events
import HTTPSemantics
import Trace

/// A response whose end is the end of the connection.
struct CloseDelimitedBody: Sendable {
  static let info = RuleInfo(
    id: "http/close-delimited-body", severity: .note,
    summary: "The end of the response is the end of the connection.",
    explanation: """
      Without Content-Length and without chunks nothing tells a whole body from one that was cut: a crash, a timeout and \
      success look the same. The connection cannot be used again, and proxies often hold such a body until it is over.
      """,
    evidence: "The head, which announces no end, and the close that was taken for it.",
    fix: "Server: answer with HTTP/1.1 and chunks, or with a Content-Length.",
    specifications: [
      Specification("RFC 9112 §6.3", "https://www.rfc-editor.org/rfc/rfc9112#section-6.3")
    ],
    since: "0.1")

  func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let response = exchange.response, let head = response.head, head.framing == .close, head.status.code > 0,
      response.bodyBytes > 0
    else { return }
    report(
      Finding(
        Self.info, subject: .connection(context.id), exchange: exchange.number, direction: response.direction,
        "\(exchange.title): the body has no announced end; a cut would look like success.", cost: .none,
        fix: "Server: use chunks or a Content-Length.",
        evidence: [
          Evidence(.packet(head.span.first, response.direction), "no Content-Length, no Transfer-Encoding"),
          Evidence(.packet(response.last, response.direction), "the body's last packet"),
        ]))
  }
}
