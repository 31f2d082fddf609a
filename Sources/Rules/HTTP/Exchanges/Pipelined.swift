import Citation
import Events
import HTTPSemantics

/// Requests that were sent before the response to the one before was over.
struct Pipelined: ConnectionRule {
  static let info = RuleInfo(
    id: "http/pipelined", severity: .note,
    summary: "The client sent a request before the response to the one before was over.",
    explanation: """
      Pipelining is part of HTTP/1.1 and hardly used: servers and proxies are poorly tested with it, one slow response \
      holds all that follow, and when the connection breaks it is unknown which requests were carried out.
      """,
    evidence: "The first request that was early, and the end of the response it did not wait for.",
    fix: "Client: wait for each response, or use several connections, or HTTP/2.",
    specifications: [
      Specification("RFC 9112 §9.3.2", "https://www.rfc-editor.org/rfc/rfc9112#section-9.3.2")
    ],
    since: "0.1")

  static var interests: EventKinds { .connectionClosed | .stray }

  private var last: PacketRef?
  private var count: UInt64 = 0
  /// Behind bytes that could not be read it is unknown where a message begins.
  private var isLost = false
  private var first: (request: PacketRef, answered: PacketRef)?

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    if exchange.hasErrors { isLost = true }
    if !isLost, let last, let request = exchange.request, request.first.number < last.number {
      count &+= 1
      first = first ?? (request.first, last)
    }
    // After a tunnel began, or for a response that ended with the connection, there is no next request.
    last = exchange.response?.isComplete == true && exchange.status.code != 101 ? exchange.response?.last : nil
  }

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    if case .stray(.error, _, _) = event { isLost = true }
    guard case .connectionClosed = event, let first else { return }
    var finding = Finding(
      Self.info, subject: .connection(context.id), direction: .toServer,
      "\(Wording.count(count, "request")) did not wait for the end of the response before.", cost: .none,
      evidence: [
        Evidence(.packet(first.request, .toServer), "a request"),
        Evidence(.packet(first.answered, .toClient), "the response to the one before ends"),
      ])
    finding.count = count
    report(finding)
  }
}
