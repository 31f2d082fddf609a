import Citation
import Events
import HTTPSemantics

/// A whole URL in the request line, and another host in the Host field.
enum AbsoluteFormHostConflict: ExchangeRule {
  static let info = RuleInfo(
    id: "http/absolute-form-host-conflict", severity: .warning,
    summary: "The URL in the request line and the Host field name different hosts.",
    explanation: """
      With a whole URL for a target the host of the URL counts: a server has to ignore the Host field, and a proxy has \
      to rewrite it. Not all do, so that one hop routes or filters by the one and the next hop by the other. It is \
      used to get past filters, and comes by accident from clients that rewrite one of the two.
      """,
    evidence: "The request line and the Host field. Letter case and a standard port make no difference.",
    fix: "Client: make both equal. Proxy: set Host from the target, as RFC 9112 demands.",
    specifications: [
      Specification("RFC 9112 §3.2.2", "https://www.rfc-editor.org/rfc/rfc9112#section-3.2.2")
    ],
    since: "0.1")

  static var needs: ExchangeFacts { [] }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let request = exchange.request, let head = request.head, case .request(_, _, let target) = head.line,
      head.targetForm == .absolute, let field = head.block.first("host"),
      let authority = Self.authority(of: head.block.text(of: target))
    else { return }
    let host = Self.normal(head.block.value(field)[...])
    guard host != authority else { return }
    let line = head.block.bytes.prefix { $0 != .carriageReturn && $0 != .lineFeed && $0 != UInt8(ascii: "?") }
    report(
      Finding(
        Self.info, subject: .connection(context.id), exchange: exchange.number, direction: request.direction,
        "The \(exchange.method) is for \(authority) by its target and for \(host.isEmpty ? "no host" : host) by its Host field.",
        cost: .none, fix: info.fix,
        evidence: [
          Evidence(
            .bytes(head.block.span(of: line.indices), request.direction),
            excerpt: head.block.excerpt(of: line.indices), "this one counts"),
          .field(field, head, request.direction, "and this one is to be ignored"),
        ]))
  }

  private static func authority(of target: String) -> String? {
    guard let scheme = target.utf8.firstIndex(of: .colon) else { return nil }
    let rest = target[scheme...].drop { $0 == ":" || $0 == "/" }
    let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    return normal(authority.split(separator: "@", omittingEmptySubsequences: false).last ?? authority)
  }

  /// Without case and without a standard port.
  private static func normal(_ host: Substring) -> String {
    let host = host.lowercased()
    for port in [":80", ":443"] where host.hasSuffix(port) { return String(host.dropLast(port.count)) }
    return host
  }
}
