import Citation
import Events
import HTTPSemantics

/// Who may have held a stream back, as far as the response's head shows: a claim of the sender.
struct LikelyHolder: Sendable {
  /// `nginx`
  let name: String
  /// What its owner would change.
  let fix: String
  /// The field that names it.
  let evidence: Evidence

  private struct Row: Sendable {
    let field: StaticString
    /// In lower case; nil for any value.
    let mark: StaticString?
    let name: String
    let fix: String
    /// Where messages of gRPC need another.
    var callFix: String?
  }

  private static let nginx =
    "Proxy (nginx): proxy_buffering off (proxy_http_version 1.1 alone helps only if the origin sends chunks). Server behind it: answer with X-Accel-Buffering: no."

  private static let nginxOfCalls =
    "Proxy (nginx): grpc_pass, which sends on each message as it comes. Server behind it: send each message at once."

  /// The nearer to the client, the earlier: a field that only an intermediary writes counts before Server.
  private static let rows: [Row] = [
    Row(
      field: "x-azure-ref", mark: nil, name: "Azure Front Door",
      fix: "Proxy (Azure Front Door): by its documentation it does not support event streams; lead them past it."
    ),
    Row(
      field: "cf-ray", mark: nil, name: "Cloudflare",
      fix:
        "Proxy (Cloudflare): switch buffering features off for this route. Server: Cache-Control: no-cache, no-transform."
    ),
    Row(
      field: "x-varnish", mark: nil, name: "Varnish", fix: "Proxy (Varnish): set beresp.do_stream, or pipe this route."),
    Row(field: "server", mark: "nginx", name: "nginx", fix: nginx, callFix: nginxOfCalls),
    Row(field: "server", mark: "openresty", name: "OpenResty (nginx)", fix: nginx, callFix: nginxOfCalls),
    Row(field: "via", mark: "nginx", name: "nginx", fix: nginx, callFix: nginxOfCalls),
    Row(
      field: "server", mark: "envoy", name: "Envoy",
      fix: "Proxy (Envoy): take buffering and compressing filters off this route."),
    Row(
      field: "server", mark: "microsoft-iis", name: "IIS",
      fix: "Proxy (IIS with ARR): responseBufferLimit=\"0\", and no dynamic compression of this type."),
    Row(
      field: "x-powered-by", mark: "php", name: "PHP",
      fix:
        "Server (PHP): output_buffering off and zlib.output_compression off for this script; flush() after each event."
    ),
    Row(
      field: "server", mark: "apache", name: "Apache httpd",
      fix: "Proxy (Apache): flushpackets=on for this worker, and no mod_deflate for this type."),
    Row(
      field: "server", mark: "lighttpd", name: "lighttpd",
      fix:
        "Proxy (lighttpd): server.stream-response-body = 1 or 2 for this path; by default it holds a response to its end."
    ),
    Row(
      field: "via", mark: nil, name: "the proxy named in Via", fix: "Proxy: stream this route instead of buffering it."),
  ]

  init?(_ response: Message, of kind: ItemRecord.Kind) {
    guard let head = response.head else { return nil }
    for row in Self.rows {
      guard let field = head.block.first(row.field) else { continue }
      guard row.mark.map({ head.block.contains(anyOf: [$0], in: field.value) }) ?? true else { continue }
      name = row.name
      fix = (kind == .grpc ? row.callFix : nil) ?? row.fix
      evidence = .field(field, head, response.direction, "names \(row.name), which may have held it")
      return
    }
    return nil
  }
}
