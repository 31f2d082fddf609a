import Citation
import Events
import HTTPSemantics

/// Fields behind the last chunk.
struct Trailers: Sendable {
  static let present = RuleInfo(
    id: "chunked/trailers-present", severity: .note,
    summary: "Fields follow the last chunk.",
    explanation: """
      Trailers are legal, and few see them: browsers do not show them to scripts, most proxies drop them unless the \
      request said TE: trailers, and many libraries read over them. gRPC needs them and uses HTTP/2 for it.
      """,
    evidence: "The first trailer field, and whether the request announced that it takes them.",
    fix: "Sender: repeat in the content what must arrive. Client: send TE: trailers where you read them.",
    specifications: [
      Specification("RFC 9110 §6.5", "https://www.rfc-editor.org/rfc/rfc9110#section-6.5"),
      Specification("RFC 9112 §7.1.2", "https://www.rfc-editor.org/rfc/rfc9112#section-7.1.2"),
    ], since: "0.1")

  static let forbidden = RuleInfo(
    id: "chunked/trailer-forbidden", severity: .error,
    summary: "A trailer holds a field that must stand in the head.",
    explanation: """
      Framing, routing, authentication and content fields must be known before the content is read, so they must not \
      come after it. A proxy that merges trailers into the head hands the next hop a Content-Length or a Cookie that \
      nobody checked, which is why they are refused or dropped.
      """,
    evidence: "The field, by its name. Values of cookies and credentials are not shown.",
    fix: "Sender: put the field into the head. Proxy and server: drop it, never merge it.",
    specifications: [Specification("RFC 9110 §6.5.1", "https://www.rfc-editor.org/rfc/rfc9110#section-6.5.1")],
    since: "0.1")

  private static let forbiddenNames: Set<String> = [
    "transfer-encoding", "content-length", "host", "content-encoding", "content-type", "content-range", "trailer",
    "cache-control", "expires", "pragma", "vary", "age", "date", "location", "retry-after", "set-cookie", "cookie",
    "authorization", "proxy-authorization", "www-authenticate", "proxy-authenticate", "connection", "te", "upgrade",
    "expect", "max-forwards", "range", "if-match", "if-none-match", "if-modified-since", "if-unmodified-since",
    "if-range",
  ]

  func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    for message in exchange.messages {
      guard message.isComplete, let trailers = message.trailers, let first = trailers.fields.first else { continue }
      let names = trailers.fields.map { trailers.name($0) }
      let takes = exchange.request?.head?.block.contains("trailers", in: "te") == true
      var present = finding(Self.present, trailers, first, message, exchange, context)
      present.message = .present(exchange, names, isResponse: !exchange.isRequest(message), takes: takes)
      present.fix = "Sender: repeat in the content what must arrive."
      report(present)
      guard let bad = trailers.fields.first(where: { Self.forbiddenNames.contains(trailers.name($0).lowercased()) })
      else { continue }
      var forbidden = finding(Self.forbidden, trailers, bad, message, exchange, context)
      if exchange.isRequest(message), exchange.isMisunderstood {
        forbidden.cost = .failed(.exchange)
        forbidden.evidence += exchange.refusal(of: message)
      }
      report(forbidden)
    }
  }

  private func finding(
    _ info: RuleInfo, _ trailers: HeaderBlock, _ field: HeaderField, _ message: Message, _ exchange: ExchangeRecord,
    _ context: FlowContext
  ) -> Finding {
    Finding(
      info, subject: .connection(context.id), exchange: exchange.number, direction: message.direction,
      "\(exchange.title): \(Wording.sender(message.direction)) sent \(trailers.name(field)) behind the body, where it must not stand.",
      cost: .none, fix: "Sender: put \(trailers.name(field)) into the head. Receiver: never merge it.",
      evidence: [
        Evidence(
          .bytes(trailers.span(of: field.name), message.direction), excerpt: trailers.excerpt(of: field.name),
          "a field behind the last chunk")
      ])
  }
}

extension FindingMessage {
  fileprivate static func present(_ exchange: ExchangeRecord, _ names: [String], isResponse: Bool, takes: Bool) -> Self
  {
    let list = names.prefix(4).joined(separator: ", ") + (names.count > 4 ? " …" : "")
    let asked = isResponse ? takes ? "; the request says that it takes them" : "; the request did not ask for them" : ""
    return "\(exchange.title): trailers follow the body (\(list))\(asked)."
  }
}
