import Citation
import Events
import HTTPSemantics

/// Fields before Host.
enum HostNotFirst: PeerHabitRule {
  static let info = RuleInfo(
    id: "http/host-not-first", severity: .note,
    summary: "Host is not the first field of a request.",
    explanation: """
      A client should send Host first, so that a server knows early whom the request is for. Nothing fails without it; \
      some firewalls score it as the mark of a script, and it distinguishes a client that builds its own heads from \
      one that leaves them to a library.
      """,
    evidence: """
      The field that comes first, and Host, in the first such request of each agent: its User-Agent, or the client's \
      address where there is none. The count is that of its requests in the capture.
      """,
    fix: "Client: write Host right behind the request line.",
    specifications: [
      Specification("RFC 9110 §7.2", "https://www.rfc-editor.org/rfc/rfc9110#section-7.2")
    ],
    since: "0.1")

  static func observe(_ exchange: ExchangeRecord, in context: FlowContext, tally: inout LintTally) {
    // In HTTP/2 there is a field of its own for it, which comes first.
    guard exchange.key.stream == nil, let request = exchange.request, let head = request.head, head.version >= .http11,
      let first = head.block.fields.first, !head.block.isNamed("host", first), let host = head.block.first("host"),
      // A line without a colon is no field: another rule is about it, and it may be anything, a secret too.
      first.name.allSatisfy({ head.block.bytes[$0].isTokenCharacter })
    else { return }
    let agent = head.block.value("user-agent")?.hashValue ?? context.client.address.hashValue
    tally.note(Self.info.id, request.direction, of: agent) {
      Finding(
        Self.info, subject: .connection(context.id), exchange: exchange.number, direction: request.direction,
        "\(exchange.title): \(head.block.name(first)) stands before Host, which should be first.", cost: .none,
        fix: info.fix,
        evidence: [
          Evidence(
            .bytes(head.block.span(of: first.name), request.direction), excerpt: head.block.excerpt(of: first.name),
            "first"),
          .field(host, head, request.direction, "later"),
        ])
    }
  }
}
