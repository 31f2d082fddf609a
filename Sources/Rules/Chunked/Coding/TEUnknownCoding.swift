import Events
import HTTPSemantics

/// A coding that is in no registry.
enum TEUnknownCoding: AnomalyRule {
  static let info = RuleInfo(
    id: "chunked/te-unknown-coding", severity: .warning,
    summary: "Transfer-Encoding names a coding that is not registered.",
    explanation: """
      The registry holds chunked, gzip, x-gzip, deflate, compress and x-compress. A server that meets another name \
      should answer 501. Some take any name at all for chunked, and some ignore the field: two of them in a row frame \
      the same bytes in two ways.
      """,
    evidence: ChunkTexts.fieldEvidence,
    fix: """
      Sender: compression of the content belongs into Content-Encoding; Transfer-Encoding is chunked or nothing. A \
      misspelled name (chunkedchunked, x-chunked) comes from code that builds the field by hand.
      """,
    specifications: [.transferEncoding, .transferCodings], since: "0.1")

  static let row = AnomalyRow(
    [.codingUnknown], "Transfer-Encoding names a coding that is not registered")
}
