import Citation
import Events
import HTTPSemantics

/// A response that answers no request.
enum ResponseUnmatched: ClosedConnectionRule {
  static let info = RuleInfo(
    id: "http/response-unmatched", severity: .error, confidence: .medium,
    summary: "The server sent a response that answers no request.",
    explanation: """
      The connection had more responses than requests. The two sides no longer agree where messages begin: the next request \
      gets the answer to another one, and with a shared connection to another user. It is what request smuggling looks \
      like from outside, and what a server does that answers twice.
      """,
    evidence: """
      The response, and the last one before it. Every request of the connection was seen and read; 408, which servers \
      send to idle connections, and answers to bytes that are no request do not count.
      """,
    fix: """
      Server: look for code that answers twice, or a body longer than its Content-Length. Proxy: do not reuse a connection \
      on which bytes are left over.
      """,
    specifications: [
      Specification("RFC 9112 §9.2", "https://www.rfc-editor.org/rfc/rfc9112#section-9.2")
    ],
    since: "0.1")

  /// Only now it is sure that the client sent nothing which could not be read.
  static func judge(_ closed: ClosedConnection, in context: FlowContext, report: (Finding) -> Void) {
    guard let first = closed.unmatched.first, !context.isMidstream, closed.story.requestsAreKnown else { return }
    let after = first.response.first.time.since(first.answered.time)
    var finding = Finding(
      Self.info, subject: .connection(context.id), direction: .toClient,
      """
      The server sent \(Wording.count(closed.unmatched.count, "response")) to no request; the first, \(first.status), \
      came \(Wording.duration(after)) after its last answer.
      """, cost: .none,
      fix: info.fix,
      evidence: [
        Evidence(.packet(first.answered, .toClient), "the last answer to a request ends"),
        Evidence(.packet(first.response.first, .toClient), "a response to nothing"),
      ])
    finding.count = closed.unmatched.count
    report(finding)
  }
}

/// The responses of a connection that answer no request: the first of them, and how many there are.
struct UnmatchedResponses: Sendable {
  private var before: PacketRef?
  private(set) var first: (answered: PacketRef, response: Message, status: UInt16)?
  private(set) var count: UInt64 = 0

  mutating func add(_ exchange: ExchangeRecord) {
    guard let response = exchange.response else { return }
    if exchange.request != nil {
      before = response.last
      return
    }
    guard let before, let head = response.head, head.status.code > 0, head.status.code != 408,
      response.isWhollyCaptured
    else { return }
    first = first ?? (before, response, head.status.code)
    count &+= 1
  }
}
