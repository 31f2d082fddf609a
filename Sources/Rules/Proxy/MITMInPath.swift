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
      The first such request of a client to this address, and the answer. A tunnel that is granted is sure, and so is \
      407, which proxies alone answer. A whole URL, Proxy-Connection and a CONNECT that is refused show what the client \
      takes its peer for: servers take whole URLs, too. An extended CONNECT, which begins a WebSocket in HTTP/2, is none.
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

  private struct Hop: MixedKey {
    var client: IPAddress
    var proxy: IPAddress
    var port: UInt16
  }

  /// By what a request shows that it goes to a proxy.
  private enum Sign { case tunnel, wholeURL, field }

  private static let limit = 256
  private var told = BoundedTable<Hop, Bool>(limit: limit)

  mutating func observe(_ asked: AskedExchange, in context: FlowContext, report: (Finding) -> Void) {
    let head = asked.head
    guard asked.exchange.key.stream == nil, !head.isForwarded, let sign = Self.sign(head) else { return }
    let hop = Hop(
      client: context.client.address, proxy: context.server.address, port: context.server.port)
    guard !told.has(hop) else { return }
    told.update(hop, orMake: true) { $0 = true }
    let status = asked.exchange.status
    let isProxy = status.code == 407 || sign == .tunnel && status.isSuccess
    let isRefused = sign == .tunnel && !isProxy && status.code > 0
    let text =
      isProxy
      ? "\(context.client.address) sends its requests to the proxy at \(context.server): what is found on this connection is the proxy's."
      : "\(context.client.address) takes \(context.server) for a proxy: it \(Self.words(sign, isRefused: isRefused))."
    var evidence = [Self.evidence(sign, asked)]
    if isProxy || isRefused {
      evidence.append(Evidence.status(asked.exchange.response, isProxy ? "as proxies answer" : "no tunnel"))
    }
    report(
      Finding(
        Self.info, confidence: isProxy ? .high : .medium, subject: .connection(context.id),
        exchange: asked.exchange.number, direction: .toServer, FindingMessage(text), cost: .none, fix: Self.info.fix,
        evidence: evidence.compactMap { $0 }
      ).on(context.number))
  }

  private static func sign(_ head: MessageHead) -> Sign? {
    if head.method == .connect { return .tunnel }
    if head.targetForm == .absolute { return .wholeURL }
    return head.block.first("proxy-connection") == nil ? nil : .field
  }

  private static func words(_ sign: Sign, isRefused: Bool) -> String {
    switch sign {
    case .tunnel: isRefused ? "asks for a tunnel, and gets none" : "asks for a tunnel"
    case .wholeURL: "asks for a whole URL"
    case .field: "sends Proxy-Connection"
    }
  }

  private static func evidence(_ sign: Sign, _ asked: AskedExchange) -> Evidence? {
    switch sign {
    case .tunnel: Evidence.startLine(asked.request, "asks a proxy for a tunnel")
    case .wholeURL: Evidence.startLine(asked.request, "a whole URL, as proxies are asked")
    case .field: Evidence.field("proxy-connection", of: asked.request, "sent to proxies only")
    }
  }
}
