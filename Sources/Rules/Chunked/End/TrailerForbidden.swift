import Citation
import Events
import HTTPSemantics

/// A field behind the last chunk that must stand in the head.
enum TrailerForbidden: MessageRule {
  static let info = RuleInfo(
    id: "chunked/trailer-forbidden", severity: .error,
    summary: "A trailer holds a field that must stand in the head.",
    explanation: """
      Framing, routing, authentication and content fields must be known before the content is read, so they must not \
      come after it. A proxy that merges trailers into the head passes the next hop an unchecked Content-Length or \
      Cookie, which is why they are refused or dropped.
      """,
    evidence: "The field, by its name. Values of cookies and credentials are not shown.",
    fix: "Sender: move the field into the head. Proxy and server: drop it, never merge it.",
    specifications: [Specification("RFC 9110 §6.5.1", "https://www.rfc-editor.org/rfc/rfc9110#section-6.5.1")],
    since: "0.1")

  private static let forbiddenNames: Set<String> = [
    "transfer-encoding", "content-length", "host", "content-encoding", "content-type", "content-range", "trailer",
    "cache-control", "expires", "pragma", "vary", "age", "date", "location", "retry-after", "set-cookie", "cookie",
    "authorization", "proxy-authorization", "www-authenticate", "proxy-authenticate", "connection", "te", "upgrade",
    "expect", "max-forwards", "range", "if-match", "if-none-match", "if-modified-since", "if-unmodified-since",
    "if-range",
  ]

  static var needs: ExchangeFacts { .chunks }

  static func judge(
    _ message: Message, of exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard message.isComplete, let trailers = message.trailers,
      let bad = trailers.fields.first(where: { forbiddenNames.contains(trailers.name($0).lowercased()) })
    else { return }
    let isHurt = exchange.isRequest(message) && exchange.isMisread
    let name = trailers.name(bad)
    report(
      Finding(
        info, subject: .connection(context.id), exchange: exchange.number, direction: message.direction,
        "\(exchange.title): \(Wording.sender(message.direction)) sent \(name) behind the body, where it must not stand.",
        cost: isHurt ? .failed(.exchange) : .none,
        fix: info.fix,
        evidence: [.trailer(bad, trailers, message.direction)] + (isHurt ? exchange.refusal(of: message) : [])))
  }
}

extension Evidence {
  /// A field behind the last chunk, by its name: its value may be a secret.
  static func trailer(_ field: HeaderField, _ trailers: HeaderBlock, _ direction: Direction) -> Evidence {
    Evidence(
      .bytes(trailers.span(of: field.name), direction), excerpt: trailers.excerpt(of: field.name),
      "a field behind the last chunk")
  }
}
