import Events
import HTTPSemantics

/// A field that is meant for nginx, on its way to a client.
enum XAccelLeaked: ExchangeRule {
  static let info = RuleInfo(
    id: "proxy/x-accel-leaked", severity: .note,
    summary: "A field that is meant for nginx reached the client.",
    explanation: """
      X-Accel-Buffering, X-Accel-Redirect and the like are instructions of a server to the nginx in front of it, which \
      follows them and takes them out. Where one reaches a client, nothing in front of the server understood it: the hop \
      is another proxy, or there is none, and whatever the field should switch is not switched. X-Accel-Redirect also \
      tells a path of the server.
      """,
    evidence: """
      The field in the response. On a connection whose request was passed on by a proxy (Via, X-Forwarded-For and their \
      like, or HTTP/1.0, which nginx speaks to the server behind it) the field is where it belongs.
      """,
    fix: """
      Server: find out which proxy is in front of it, and set what that one understands; leave the field out where there \
      is none.
      """,
    specifications: [
      Specification("nginx X-Accel", "https://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_ignore_headers")
    ],
    since: "0.1")

  private static let names: [StaticString] = [
    "x-accel-buffering", "x-accel-redirect", "x-accel-expires", "x-accel-limit-rate", "x-accel-charset",
  ]

  static var needs: ExchangeFacts { [.response, .accelerator] }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let response = exchange.response, let head = response.head, let request = exchange.request?.head,
      !request.isForwarded, request.version != .http10
    else { return }
    for name in names {
      guard let field = head.block.first(name) else { continue }
      report(
        Finding(
          info, subject: .connection(context.id), exchange: exchange.number, direction: response.direction,
          "\(exchange.title): \(head.block.name(field)) is meant for nginx, and reached the client: nothing in front of the server follows it.",
          cost: .none, fix: info.fix,
          evidence: [.field(field, head, response.direction, "nginx would have taken it out")]
        ))
      return
    }
  }
}
