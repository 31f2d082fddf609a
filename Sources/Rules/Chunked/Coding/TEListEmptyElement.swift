import Events
import HTTPSemantics

/// A list of codings with nothing between two commas.
enum TEListEmptyElement: AnomalyRule {
  static let info = RuleInfo(
    id: "chunked/te-list-empty-element", severity: .warning,
    summary: "The list in Transfer-Encoding has an empty element.",
    explanation: """
      A leading, doubled or trailing comma, or no value at all. Recipients have to ignore empty elements of a list; \
      those that compare the whole value with "chunked" do not, and see an unknown coding. Attackers use the \
      difference.
      """,
    evidence: ChunkTexts.fieldEvidence,
    fix: "Sender: write the value without empty elements: chunked, and nothing else.",
    specifications: [
      Specification("RFC 9110 §5.6.1", "https://www.rfc-editor.org/rfc/rfc9110#section-5.6.1"), .transferEncoding,
    ], since: "0.1")

  static let row = AnomalyRow(
    [.transferEncodingEmptyElement], "the list in Transfer-Encoding has an empty element")
}
