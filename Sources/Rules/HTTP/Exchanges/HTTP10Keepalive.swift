import Citation
import Events
import HTTPSemantics

/// HTTP/1.0 with `Connection: keep-alive`.
struct HTTP10Keepalive: ConnectionRule {
  static let info = RuleInfo(
    id: "http/http10-keepalive", severity: .note,
    summary: "An HTTP/1.0 message asks for a persistent connection.",
    explanation: """
      Persistent connections are no part of HTTP/1.0; the field was added by agreement. An old proxy in between forwards \
      it blindly, and then both ends keep a connection open that the proxy waits to see closed. It also means bodies \
      without chunks, so a stream's length must be known before.
      """,
    evidence: "The start line with its version, and the field.",
    fix:
      "Client or proxy that speaks HTTP/1.0 (ApacheBench, nginx towards its upstream before 1.29.7): speak HTTP/1.1.",
    specifications: [
      Specification("RFC 9112 §9.3", "https://www.rfc-editor.org/rfc/rfc9112#section-9.3"),
      Specification("RFC 9112 Appendix C.2.2", "https://www.rfc-editor.org/rfc/rfc9112#appendix-C.2.2"),
    ],
    since: "0.1")

  /// Once per connection and side is enough.
  private var told = BothDirections(repeating: false)

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    observe(exchange.request, exchange, context, report)
    observe(exchange.response, exchange, context, report)
  }

  private mutating func observe(
    _ message: Message?, _ exchange: ExchangeRecord, _ context: FlowContext, _ report: (Finding) -> Void
  ) {
    guard let message, let head = message.head, head.version == .http10, !told[message.direction],
      head.block.contains("keep-alive", in: "connection"), let field = head.block.first("connection")
    else { return }
    told[message.direction] = true
    report(
      Finding(
        Self.info, subject: .connection(context.id), exchange: exchange.number, direction: message.direction,
        "\(exchange.title): \(Wording.sender(message.direction)) speaks HTTP/1.0 and asks to keep the connection.",
        cost: .none,
        evidence: [
          Evidence(.packet(head.span.first, message.direction), "HTTP/1.0"),
          .field(field, head, message.direction, "no part of HTTP/1.0"),
        ]))
  }
}
