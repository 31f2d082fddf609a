import Citation
import Events
import HTTPSemantics

/// A client that speaks to a proxy: what is found on such a connection is the proxy's doing as much as the server's.
///
/// Bounded: told once for each client and proxy.
struct MITMInPath: CaptureRule {
  static let info = RuleInfo(
    id: "proxy/mitm-in-path", severity: .note,
    summary: "The client speaks to a proxy, and not to the server.",
    explanation: """
      A request with a whole URL as its target, and CONNECT, go to a proxy; Proxy-Connection is a field that clients add \
      for one. The connection in the capture then ends at the proxy: chunks, packets, pauses and closes are the proxy's, \
      and so are times to the first byte. A debugging proxy on the way may even hide the defect that is looked for: some \
      collect bodies, spell fields their own way, or make chunks into a length.
      """,
    evidence: """
      The first such request of a client to this address. A target with a scheme or CONNECT are sure; Proxy-Connection \
      alone shows what the client takes its peer for. An extended CONNECT, which begins a WebSocket in HTTP/2, is none.
      """,
    fix: """
      Read what is found on this connection as the proxy's. To judge the server, capture between proxy and server, or \
      let the client connect without the proxy.
      """,
    specifications: [
      Specification("RFC 9112 §3.2.2", "https://www.rfc-editor.org/rfc/rfc9112#section-3.2.2"),
      Specification("RFC 9110 §9.3.6", "https://www.rfc-editor.org/rfc/rfc9110#section-9.3.6"),
    ],
    since: "0.1")

  private struct Hop: Hashable, Sendable {
    var client: IPAddress
    var proxy: IPAddress
    var port: UInt16
  }

  private static let limit = 256
  private var told = BoundedTable<Hop, Bool>(limit: limit)

  mutating func observe(_ asked: AskedExchange, in context: FlowContext, report: (Finding) -> Void) {
    let head = asked.head
    guard asked.exchange.key.stream == nil else { return }
    let field = head.block.first("proxy-connection")
    let isTunnel = head.method == .connect
    let isAbsolute = head.targetForm == .absolute
    guard isTunnel || isAbsolute || field != nil, !head.isForwarded else { return }
    let hop = Hop(
      client: context.client.address, proxy: context.server.address, port: context.server.port)
    guard !told.has(hop) else { return }
    told.update(hop, orMake: true) { $0 = true }
    let isSure = isTunnel || isAbsolute
    let shown =
      isSure
      ? Evidence.startLine(asked.request, isTunnel ? "asks a proxy for a tunnel" : "a whole URL, as proxies are asked")
      : field.map { Evidence.field($0, head, asked.request.direction, "sent to proxies only") }
    let text =
      isSure
      ? "\(context.client.address) sends its requests to the proxy at \(context.server): what is found on this connection is the proxy's."
      : "\(context.client.address) takes \(context.server) for a proxy: it sends Proxy-Connection."
    report(
      Finding(
        Self.info, confidence: isSure ? .high : .medium, subject: .connection(context.id),
        exchange: asked.exchange.number, direction: .toServer, FindingMessage(text), cost: .none, fix: Self.info.fix,
        evidence: [shown].compactMap { $0 }
      ).on(context.number))
  }
}
