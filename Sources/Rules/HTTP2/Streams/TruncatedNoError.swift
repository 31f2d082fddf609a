import Citation
import Events
import HTTP2Semantics

/// An end that is none.
enum TruncatedNoError: StreamEndRule {
  static let info = RuleInfo(
    id: "h2/truncated-no-error", severity: .warning,
    summary: "A server ended a response by a reset without an error.",
    explanation: """
      NO_ERROR behind a whole response stops an upload that is not needed. In the middle of a response some clients \
      take it for the end, and no client notices what is missing.
      """,
    evidence: "The RST_STREAM.",
    fix: "Server: end responses with END_STREAM. Client: take a reset before it for a failure.",
    specifications: [.resets], since: "0.1")

  static func judge(_ end: StreamEnd, in context: FlowContext, report: (Finding) -> Void) {
    guard end.by == .toClient, end.code == .noError, !end.isLate, let response = end.exchange.response,
      let head = response.head
    else { return }
    let announced = head.block.number("content-length")
    let missing = announced.map { $0 - min($0, response.bodyBytes) }
    report(
      finding(
        end, context, "the server reset the response after \(Wording.bytes(response.bodyBytes)) with NO_ERROR",
        cost: missing.map { .lost(bytes: $0) } ?? .failed(.exchange)))
  }
}
