import Events
import HTTPSemantics

/// A part of a form that does not say that it is one.
enum DispositionWrong: MultipartAnomalyRule {
  static let info = RuleInfo(
    id: "multipart/disposition-wrong", severity: .error,
    summary: "A part of a form does not say that it is form-data.",
    explanation: """
      Each part must have Content-Disposition of the type form-data. A part without it, or with attachment or inline as \
      in mail, belongs to no field: most frameworks skip it or refuse the request.
      """,
    evidence: "The part's header. \(MultipartTexts.headerEvidence)",
    fix: "Client: send Content-Disposition: form-data; name=\"…\" in each part.",
    specifications: [.formDisposition], causedBy: ["multipart/no-blank-line", "multipart/boundary-in-content"],
    since: "0.1")

  static let row = MultipartAnomalyRow(
    [(.dispositionMissing, .all), (.dispositionOther, .all)],
    "a part has no Content-Disposition, or one of another type than form-data")
}
