import Events
import HTTPSemantics

/// Crumbs of a cookie in a version that has none.
enum CookieCrumbsUnjoined: MessageRule {
  static let info = RuleInfo(
    id: "proxy/cookie-crumbs-unjoined", severity: .warning,
    summary: "A request of HTTP/1 has several Cookie fields.",
    explanation: """
      HTTP/2 lets clients send each cookie in a field of its own, and a proxy must join them for HTTP/1. Applications read \
      the first field only, and sessions are lost.
      """,
    evidence: "The second Cookie field. One and the same field that was written twice is no crumb.",
    fix: "Proxy: join the Cookie fields of HTTP/2 with a semicolon and a blank.",
    specifications: [
      Specification("RFC 9113 §8.2.3", "https://www.rfc-editor.org/rfc/rfc9113#section-8.2.3")
    ], since: "0.1")

  static var needs: ExchangeFacts { [.cookie, .repeats] }

  static func judge(
    _ message: Message, of exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard exchange.key.stream == nil, let head = message.head, exchange.isRequest(message) else { return }
    let cookies = head.block.all("cookie")
    guard cookies.count > 1, Set(cookies.map { head.block.text(of: $0.value) }).count > 1 else { return }
    report(
      Finding(
        info, subject: .connection(context.id), exchange: exchange.number, direction: message.direction,
        "\(exchange.title): the request has \(cookies.count) Cookie fields.", cost: .none, fix: info.fix,
        evidence: [.field(cookies[1], head, message.direction, "the second Cookie")]))
  }
}
