import Citation
import Events
import HTTPSemantics

/// Fields behind the last chunk.
enum TrailersPresent: MessageRule {
  static let info = RuleInfo(
    id: "chunked/trailers-present", severity: .note,
    summary: "Fields follow the last chunk.",
    explanation: """
      Trailers are legal, and few see them: browsers do not show them to scripts, most proxies drop them unless the \
      request had TE: trailers, and many libraries read over them. gRPC needs them and uses HTTP/2 for it.
      """,
    evidence: "The first trailer field, and whether the request announced that it takes them.",
    fix: "Sender: repeat in the content what must arrive. Client: send TE: trailers where you read them.",
    specifications: [
      Specification("RFC 9110 §6.5", "https://www.rfc-editor.org/rfc/rfc9110#section-6.5"),
      Specification("RFC 9112 §7.1.2", "https://www.rfc-editor.org/rfc/rfc9112#section-7.1.2"),
    ], since: "0.1")

  static var needs: ExchangeFacts { .chunks }

  static func judge(
    _ message: Message, of exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard message.isComplete, let trailers = message.trailers, let first = trailers.fields.first else { return }
    let names = trailers.fields.map { trailers.name($0) }
    let takes = exchange.request?.head?.block.contains("trailers", in: "te") == true
    report(
      Finding(
        info, subject: .connection(context.id), exchange: exchange.number, direction: message.direction,
        .present(exchange, names, isResponse: !exchange.isRequest(message), takes: takes), cost: .none,
        fix: info.fix,
        evidence: [.trailer(first, trailers, message.direction)]))
  }
}

extension FindingMessage {
  fileprivate static func present(_ exchange: ExchangeRecord, _ names: [String], isResponse: Bool, takes: Bool) -> Self
  {
    let list = names.prefix(4).joined(separator: ", ") + (names.count > 4 ? " …" : "")
    let asked =
      isResponse ? takes ? "; the request accepts them (TE: trailers)" : "; the request did not ask for them" : ""
    return "\(exchange.title): trailers follow the body (\(list))\(asked)."
  }
}
