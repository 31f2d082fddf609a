import Events
import HTTPSemantics
import Trace

/// A response that answers no request.
struct UnmatchedResponse: Sendable {
  static let info = RuleInfo(
    id: "http/response-unmatched", severity: .error, confidence: .medium,
    summary: "The server sent a response that answers no request.",
    explanation: """
      The connection had more responses than requests. The two sides no longer agree where messages begin: the next request \
      gets the answer to another one, and with a shared connection to another user. It is what request smuggling looks \
      like from outside, and what a server does that answers twice.
      """,
    evidence: """
      The response, and the last one before it. Every request of the connection was seen and read; 408, which servers send \
      to idle connections, and answers to bytes that are no request are not this.
      """,
    fix: """
      Server: look for code that answers twice, or a body longer than its Content-Length. Proxy: do not reuse a connection \
      on which bytes are left over.
      """,
    specifications: [
      Specification("RFC 9112 §9.2", "https://www.rfc-editor.org/rfc/rfc9112#section-9.2")
    ],
    since: "0.1")

  private var before: PacketRef?

  mutating func observe(
    _ exchange: ExchangeRecord, _ story: ConnectionStory, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard let response = exchange.response else { return }
    defer { before = exchange.request == nil ? before : response.last }
    guard exchange.request == nil, let before, let head = response.head, head.status.code > 0,
      head.status.code != 408, !context.isMidstream, story.requestsAreKnown, response.isWhollyCaptured
    else { return }
    report(
      Finding(
        Self.info, subject: .connection(context.id), exchange: exchange.number, direction: .toClient,
        "The server sent \(String(head.status.code)) \(Wording.duration(response.first.time.since(before.time))) after its last answer, and no request was open.",
        cost: .none,
        fix: "Server: find what answered twice, or what made a body longer than its Content-Length.",
        evidence: [
          Evidence(.packet(before, .toClient), "the last answer to a request ends"),
          Evidence(.packet(response.first, .toClient), "a response to nothing"),
        ]))
  }
}
