import Citation
import Events
import HTTPSemantics

/// A request in the clear that a server of TLS refuses.
enum PlainToTLS: ExchangeRule {
  static let info = RuleInfo(
    id: "http/plain-to-tls", severity: .error,
    summary: "The client spoke plain HTTP to a port that expects TLS.",
    explanation: """
      The scheme of the URL is wrong: http:// in front of a port that speaks TLS, a proxy whose upstream is configured without \
      TLS, a health check that was not changed with the listener. The request went over the network in the clear, with \
      whatever cookies and tokens it had.
      """,
    evidence: "The request, and the status line of the answer, whose body says so in the words of a known server.",
    fix: """
      Client: use https:// here, or the port for plain HTTP; take the request's credentials for disclosed. Proxy: turn TLS on \
      for this upstream.
      """,
    specifications: [Specification("RFC 9110 §4.2.2", "https://www.rfc-editor.org/rfc/rfc9110#section-4.2.2")],
    since: "0.1")

  static var needs: ExchangeFacts { .denial }

  /// What servers say in the bytes of a body that are kept: nginx, those written in Go, Tomcat.
  private static let words = [
    "plain HTTP request was sent to HTTP", "sent an HTTP request to an HTTPS server",
    "combination of host and port requires TLS",
  ].map { Array($0.utf8) }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard exchange.status.code == 400, !context.isSecure, let request = exchange.request,
      let response = exchange.response, words.contains(where: { response.opening.contains($0) }),
      let status = Evidence.status(response, "refused, because it is not TLS")
    else { return }
    report(
      Finding(
        info, subject: .connection(context.id), exchange: exchange.number, direction: .toServer,
        "\(exchange.title): \(context.server) expects TLS, and the client sent the request in plain HTTP.",
        cost: .failed(.exchange), fix: info.fix,
        evidence: [Evidence(.packet(request.first, .toServer), "the request, in the clear"), status]))
  }
}
