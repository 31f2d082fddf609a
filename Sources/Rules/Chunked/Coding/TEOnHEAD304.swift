import Citation
import Events
import HTTPSemantics

/// Transfer-Encoding in an answer to HEAD, or in a 304.
enum TEOnHEAD304: ExchangeRule {
  static let info = RuleInfo(
    id: "chunked/te-on-head-304", severity: .note,
    summary: "A response that ends with its head names a transfer coding.",
    explanation: """
      An answer to HEAD and a 304 may say how the body would have been framed. It is allowed and of no use, and it is a \
      trap for readers that decide by the field alone: they wait for chunks that never come. Many servers send it, \
      because the framework adds the field before it drops the body.
      """,
    evidence: "The field. Body bytes after such a head would be another, and a real, fault.",
    fix: "Nothing, as long as clients do not wait. Server: leave framing fields out of answers to HEAD and of 304.",
    specifications: [.transferEncoding], since: "0.1")

  static var needs: ExchangeFacts { [.chunks, .response] }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let response = exchange.response, let head = response.head, head.framing == .none,
      head.reason == .headRequest || head.status == .notModified,
      let field = head.block.first("transfer-encoding")
    else { return }
    report(
      Finding(
        Self.info, subject: .connection(context.id), exchange: exchange.number, direction: response.direction,
        "\(exchange.title): the response has no body and names a transfer coding for it.", cost: .none,
        fix: info.fix,
        evidence: [.field(field, head, response.direction, "frames a body that cannot come")]))
  }
}
