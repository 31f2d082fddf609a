import Events
import HTTPSemantics

/// The timer with which a proxy ends a stream that is silent, as the product calls it, by what it writes into responses.
struct ProxyTimer: Sendable {
  /// `nginx`
  let name: String
  /// For bytes of a response, of a WebSocket, and of a call of gRPC.
  let stream: String
  let socket: String
  let call: String

  private struct Row: Sendable {
    let field: StaticString
    /// In lower case; nil for any value.
    let mark: StaticString?
    let timer: ProxyTimer
  }

  private static let varnish = ProxyTimer("Varnish", "between_bytes_timeout", socket: "pipe_timeout")
  private static let squid = ProxyTimer("squid", "read_timeout")
  private static let tinyproxy = ProxyTimer("tinyproxy", "Timeout")
  private static let caddy = ProxyTimer("Caddy", "read_timeout of reverse_proxy", socket: "stream_timeout")
  private static let nginx = ProxyTimer(
    "nginx", "proxy_read_timeout", socket: "proxy_read_timeout and proxy_send_timeout", call: "grpc_read_timeout")

  /// What only an intermediary writes counts before Server.
  private static let rows: [Row] = [
    Row(field: "x-varnish", mark: nil, timer: varnish),
    Row(field: "via", mark: "varnish", timer: varnish),
    Row(field: "via", mark: "squid", timer: squid),
    Row(field: "via", mark: "tinyproxy", timer: tinyproxy),
    Row(field: "via", mark: "caddy", timer: caddy),
    Row(field: "via", mark: "nginx", timer: nginx),
    Row(field: "server", mark: "squid", timer: squid),
    Row(field: "server", mark: "tinyproxy", timer: tinyproxy),
    Row(field: "server", mark: "caddy", timer: caddy),
    Row(field: "server", mark: "nginx", timer: nginx),
    Row(field: "server", mark: "openresty", timer: nginx),
    Row(field: "server", mark: "apache/", timer: ProxyTimer("Apache httpd", "ProxyTimeout")),
    Row(field: "server", mark: "envoy", timer: ProxyTimer("Envoy", "the route's timeout and stream_idle_timeout")),
  ]

  private init(_ name: String, _ stream: String, socket: String? = nil, call: String? = nil) {
    self.name = name
    self.stream = stream
    self.socket = socket ?? stream
    self.call = call ?? stream
  }

  /// By what the client got, without what the origin had written itself.
  init?(_ outer: Message?, besides inner: Message? = nil) {
    guard let head = outer?.head else { return nil }
    for row in Self.rows {
      guard let field = head.block.first(row.field), head.block.value(field) != inner?.head?.block.value(row.field),
        row.mark.map({ head.block.contains(anyOf: [$0], in: field.value) }) ?? true
      else { continue }
      self = row.timer
      return
    }
    return nil
  }
}
