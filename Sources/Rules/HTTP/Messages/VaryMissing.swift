import Events
import HTTPSemantics

/// A compressed response that hides what it depends on.
enum VaryMissing: ExchangeRule {
  static let info = RuleInfo(
    id: "http/vary-missing", severity: .note,
    summary: "A compressed response does not say that it depends on Accept-Encoding.",
    explanation: """
      A cache between the two stores the response under the URL alone and serves it to all clients, also to those that \
      cannot decode it. Nothing shows until the first of those asks. Vary: Accept-Encoding makes the cache keep one \
      response for each.
      """,
    evidence: """
      Accept-Encoding, and Content-Encoding in a response to GET without Vary. Responses that no shared cache may \
      store (private, no-store) do not count.
      """,
    fix: "Server: send Vary: Accept-Encoding wherever the coding is negotiated (nginx: gzip_vary on).",
    specifications: [
      Specification("RFC 9110 §12.5.5", "https://www.rfc-editor.org/rfc/rfc9110#section-12.5.5"),
      Specification("RFC 9111 §4.1", "https://www.rfc-editor.org/rfc/rfc9111#section-4.1"),
    ],
    since: "0.1")

  static var needs: ExchangeFacts { [.response, .body, .contentEncoding] }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let coding = NegotiatedCoding(exchange), coding.request.method == .get, !varies(coding.response.block),
      !isPrivate(coding.response.block)
    else { return }
    report(
      Finding(
        info, subject: .connection(context.id), exchange: exchange.number, direction: coding.direction,
        "\(exchange.title): the compressed response has no Vary: Accept-Encoding; a shared cache would give it to all.",
        cost: .none, fix: info.fix, evidence: coding.evidence))
  }

  private static func varies(_ block: HeaderBlock) -> Bool {
    block.contains("accept-encoding", in: "vary") || block.contains("*", in: "vary")
  }

  private static func isPrivate(_ block: HeaderBlock) -> Bool {
    block.contains("private", in: "cache-control") || block.contains("no-store", in: "cache-control")
  }
}
