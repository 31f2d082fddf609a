import Events
import HTTPSemantics

/// A transfer coding that is none.
enum TEIdentity: AnomalyRule {
  static let info = RuleInfo(
    id: "chunked/te-identity", severity: .warning,
    summary: "Transfer-Encoding is identity.",
    explanation: """
      The name meant "no coding" until it was taken out of HTTP in 2014. It frames nothing, yet it makes a reader that \
      knows only the field's presence skip Content-Length or wait for chunks. nginx answers a request with 501; others \
      read on to the end of the connection. Apple's API shows "Identity" for responses that were chunked on the wire: \
      that is a label of the library, and not this.
      """,
    evidence: ChunkTexts.fieldEvidence,
    fix: "Sender: leave the field out; a body without coding needs Content-Length or the end of the connection.",
    specifications: [.transferCodings, .transferEncoding], since: "0.1")

  static let row = AnomalyRow(
    [.codingIdentity], "Transfer-Encoding names identity, which is no coding since 2014")
}
