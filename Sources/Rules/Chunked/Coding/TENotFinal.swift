import Events
import HTTPSemantics

/// A list of codings that does not end with chunked.
enum TENotFinal: AnomalyRule {
  static let info = RuleInfo(
    id: "chunked/te-not-final", severity: .error,
    summary: "Transfer-Encoding names chunked, but not as the last coding.",
    explanation: """
      Only a body whose outermost coding is chunked marks its own end. A request that applies another coding after it \
      cannot be framed at all, and a server has to answer 400 and close; one that goes on guesses, which is what \
      request smuggling lives on. A response of that kind goes on to the end of the connection.
      """,
    evidence: ChunkTexts.fieldEvidence, fix: "Sender: make chunked the last coding in the list.",
    specifications: [.bodyLength, .transferEncoding], since: "0.1")

  static let row = AnomalyRow(
    [.chunkedNotLast], "chunked is not the last transfer coding, so the end of the body cannot be known")
}
