import Citation
import Events
import HTTPSemantics

/// Several types of one body.
enum ConflictingContentType: ExchangeRule {
  static let info = RuleInfo(
    id: "sniff/conflicting-content-type", severity: .warning,
    summary: "Several Content-Type fields differ.",
    explanation: """
      Which of them counts depends on who reads: browsers follow the MIME Sniffing standard, which takes the last valid \
      one, many libraries take the first, and some proxies join them with a comma, which is no type at all. So one \
      client renders or streams what another one holds back or downloads. Mostly a framework and a proxy, or two layers \
      of one framework, each add their own.
      """,
    evidence: "The fields, in their order. The same value twice does not count.",
    fix: "Server or proxy: send one Content-Type; find the layer that adds the second.",
    specifications: [
      Specification("RFC 9110 §5.3", "https://www.rfc-editor.org/rfc/rfc9110#section-5.3"),
      Specification("RFC 9110 §8.3", "https://www.rfc-editor.org/rfc/rfc9110#section-8.3"),
      Specification("MIME Sniffing", "https://mimesniff.spec.whatwg.org/"),
    ],
    since: "0.1")

  private static let quoted = 4

  static var needs: ExchangeFacts { [.response, .contentType, .repeats] }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let response = exchange.response, let head = response.head else { return }
    let block = head.block
    guard let one = block.first("content-type"),
      block.fields.contains(where: { $0.name != one.name && block.isNamed("content-type", $0) })
    else { return }
    let types = block.all("content-type")
    let values = types.map { head.block.value($0) }
    guard Set(values.map { $0.lowercased() }).count > 1, let first = values.first, let last = values.last else {
      return
    }
    report(
      Finding(
        Self.info, subject: .connection(context.id), exchange: exchange.number, direction: response.direction,
        """
        \(exchange.title): \(types.count) Content-Type fields; some clients take the first ("\(first)"), browsers the \
        last ("\(last)").
        """,
        cost: .none, fix: info.fix,
        evidence: types.prefix(Self.quoted).enumerated().map { index, field in
          .field(field, head, response.direction, "number \(index + 1)")
        }))
  }
}
