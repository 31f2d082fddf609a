import Citation
import Events

/// A request for a name, sent to an address that no name server gave for it.
enum ConnectMismatch: MisdirectedRequestRule {
  static let info = RuleInfo(
    id: "direct/connect-mismatch", severity: .note, confidence: .medium,
    summary: "A request for a name went to an address that DNS did not give for it.",
    explanation: """
      The client had resolved this name, had addresses that were still valid, and connected to another one. Something \
      else chose it: a resolver of the app's own (HTTPDNS, DNS over HTTPS), a pinned or remembered address, a hosts \
      file, a test override, domain fronting. It works until that address is moved or drained, and load balancing or \
      failover by DNS has no effect on this client.
      """,
    evidence: """
      The Host field or the server name in TLS, the newest answer that this client was given for the name before it \
      connected, and the connection's first packet. The rule is silent where the answer had expired or may be \
      incomplete, where DNS gave any client this address for the name, and for loopback, private addresses in place of \
      public ones, and requests to a proxy. A box that rewrites destinations on the way to the capture point looks the \
      same.
      """,
    fix: """
      Nothing, if intended. Client: give the library a resolver instead of an address, fall back to DNS when the \
      address fails, and forget remembered addresses when the network changes.
      """,
    specifications: [
      Specification("RFC 9110 §7.2", "https://www.rfc-editor.org/rfc/rfc9110#section-7.2"),
      Specification("RFC 1035 §7.4", "https://www.rfc-editor.org/rfc/rfc1035#section-7.4"),
    ],
    since: "0.1")

  static func judge(_ request: MisdirectedRequest, _ thresholds: Thresholds, report: (Finding) -> Void) {
    let context = request.connection
    let given = Wording.addresses(request.given)
    let others = request.count > 1 ? " (\(Wording.number(request.count)) requests did)" : ""
    var finding = Finding(
      info, subject: .connection(context.id), exchange: request.exchange, direction: request.direction,
      """
      \(request.title): the request for \(request.name) went to \(context.server.address)\(others). DNS had given this \
      client \(given) \(Wording.duration(context.firstPacket.time.since(request.answer.time))) before it connected.
      """,
      cost: .none,
      evidence: [
        request.field,
        Evidence(.packet(request.answer, nil), "DNS: \(request.name) is \(given)"),
        Evidence(.packet(context.firstPacket, .toServer), "to \(context.server)"),
      ])
    finding.count = request.count
    report(finding.on(context.number))
  }
}
