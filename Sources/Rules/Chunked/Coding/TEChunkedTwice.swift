import Events
import HTTPSemantics

/// A list of codings that names chunked twice.
enum TEChunkedTwice: AnomalyRule {
  static let info = RuleInfo(
    id: "chunked/te-chunked-twice", severity: .error,
    summary: "Transfer-Encoding names chunked twice.",
    explanation: """
      A sender must not apply the chunked coding more than once. No sender nests chunks for it: the list is usually an \
      accident of two layers that each add the name. Strict servers refuse the request, lenient ones read one layer, \
      and a literal reader would look for a second one.
      """,
    evidence: ChunkTexts.fieldEvidence, fix: "Sender: name chunked once, as the last coding.",
    specifications: [.transferEncoding], causedBy: ["chunked/te-duplicate-field"], since: "0.1")

  static let row = AnomalyRow(
    [.chunkedTwice], "Transfer-Encoding names chunked twice")
}
