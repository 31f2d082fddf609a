import Citation
import Events
import HTTPSemantics

/// `X_Token`: legal, and gone behind nginx.
enum NameUnderscore: PeerHabitRule {
  static let info = RuleInfo(
    id: "http/name-underscore", severity: .note,
    summary: "A field name has an underscore in it.",
    explanation: """
      The name is legal, and nginx drops such a field of a request without a word unless underscores_in_headers is on; \
      Apache does not show it to scripts. The reason is CGI, where hyphens become underscores, so that X_Token and \
      X-Token cannot be distinguished and one could pose as the other. What works against the application itself fails \
      behind the proxy.
      """,
    evidence: "The first such field of the connection's messages in this direction, and how many messages have one.",
    fix: "Sender: use hyphens. Proxy: allow the names that you need, and no others.",
    specifications: [
      Specification("RFC 9110 §5.1", "https://www.rfc-editor.org/rfc/rfc9110#section-5.1"),
      Specification(
        "nginx", "https://nginx.org/en/docs/http/ngx_http_core_module.html#underscores_in_headers"),
    ],
    since: "0.1")

  static func observe(_ exchange: ExchangeRecord, in context: FlowContext, tally: inout LintTally) {
    count(exchange.request, exchange, context, &tally)
    count(exchange.response, exchange, context, &tally)
  }

  private static func count(
    _ message: Message?, _ exchange: ExchangeRecord, _ context: FlowContext, _ tally: inout LintTally
  ) {
    guard let message, let head = message.head, head.block.hasUnderscore, let field = Self.first(in: head.block) else {
      return
    }
    tally.note(Self.info.id, message.direction) {
      Finding(
        Self.info, subject: .connection(context.id), exchange: exchange.number, direction: message.direction,
        "\(exchange.title): the field name \(head.block.name(field)) has an underscore; nginx would drop it from a request.",
        cost: .none, fix: info.fix,
        evidence: [
          Evidence(
            .bytes(head.block.span(of: field.name), message.direction), excerpt: head.block.excerpt(of: field.name),
            "legal, and not everywhere understood")
        ])
    }
  }

  private static func first(in block: HeaderBlock) -> HeaderField? {
    let held = block.bytes
    let bytes = held.span
    for field in block.fields where holds(UInt8(ascii: "_"), bytes.extracting(field.name.clamped(to: bytes.indices))) {
      return field
    }
    return nil
  }
}
