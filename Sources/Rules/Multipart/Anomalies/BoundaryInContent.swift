import Events
import HTTPSemantics

/// A delimiter in the data.
enum BoundaryInContent: MultipartAnomalyRule {
  static let info = RuleInfo(
    id: "multipart/boundary-in-content", severity: .error, confidence: .medium,
    summary: "A delimiter stands where no part begins: the data hold the boundary.",
    explanation: """
      Nothing escapes a boundary, so it must not occur in the data. A fixed or short one does sooner or later: in a \
      mail, a log, or a capture of an earlier upload. The file ends there for every parser, and the rest is read as \
      another part, or discarded where it was the closing delimiter.
      """,
    evidence: """
      A delimiter that no header follows although an earlier part has one, or a further delimiter behind the closing one. \
      A sender that never writes headers is multipart/no-blank-line. \(MultipartTexts.delimiterEvidence)
      """,
    fix: "Client: make a random boundary for each request, long enough that it cannot be in the data.",
    specifications: [.multipartBoundary, .formBoundary], since: "0.1")

  static let row = MultipartAnomalyRow(
    [(.headerMissing, .later), (.delimiterAfterClose, .all)],
    "a delimiter stands where no part begins; the data seem to hold the boundary")
}
