import Events
import HTTPSemantics

/// A coding for a response that has no body.
enum TEForbiddenStatus: AnomalyRule {
  static let info = RuleInfo(
    id: "chunked/te-forbidden-status", severity: .error,
    summary: "A response that cannot have a body names a transfer coding.",
    explanation: """
      A server must not send Transfer-Encoding with 1xx and 204, nor with a 2xx to CONNECT. Clients know that such a \
      response has no body and stop after its head. If the server then sends even the terminator 0 CRLF CRLF, those \
      bytes stand where the next status line should be, and a reused connection breaks on them.
      """,
    evidence: "The field in the response's head.",
    fix: """
      Server: leave Transfer-Encoding out of 1xx, 204 and answers to CONNECT; middleware that adds chunks must know the \
      status.
      """,
    specifications: [.transferEncoding], since: "0.1")

  static let row = AnomalyRow(
    [.transferEncodingForbidden], "a response without body names a transfer coding")
}
