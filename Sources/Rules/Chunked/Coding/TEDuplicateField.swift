import Events
import HTTPSemantics

/// Two Transfer-Encoding fields.
enum TEDuplicateField: AnomalyRule {
  static let info = RuleInfo(
    id: "chunked/te-duplicate-field", severity: .error,
    summary: "A message has two Transfer-Encoding fields.",
    explanation: """
      Two fields mean the same as one with both values, so two times chunked is chunked twice, which is forbidden. \
      Readers differ: nginx answers 400, others join the values, take the first or the last, and then two hops \
      disagree on where the message ends. A frequent cause is an application that sets the field by hand above a \
      library that sets it too, or a proxy that copies the field and adds its own.
      """,
    evidence: ChunkTexts.fieldEvidence,
    fix: "Sender: set the field in one place only; applications leave it to their HTTP library.",
    specifications: [.transferEncoding], since: "0.1")

  static let row = AnomalyRow(
    [.transferEncodingRepeated], "Transfer-Encoding stands twice")
}
