import Events
import HTTPSemantics

/// A file name that receivers read differently.
enum FilenameEscaping: MultipartAnomalyRule {
  static let info = RuleInfo(
    id: "multipart/filename-escaping", severity: .warning,
    summary: "A file name is written in a way that receivers read differently.",
    explanation: """
      Browsers write a quote in a file name as %22 and line ends as %0D and %0A, and send everything else as it is, in \
      UTF-8. A quote or backslash inside the quotes ends or bends the name for some parsers: a path of an old Windows \
      browser loses its separators, an escaped quote keeps its backslash. The form filename*=UTF-8''… is forbidden in \
      form-data, and many servers do not look at it.
      """,
    evidence: "The line with the file name. \(MultipartTexts.headerEvidence)",
    fix: "Client: send filename=\"…\" in UTF-8 with %22, %0D and %0A, and no filename*.",
    specifications: [.formDisposition, .formEncoding], since: "0.1")

  static let row = MultipartAnomalyRow(
    [(.fileNameRaw, .all), (.fileNameExtended, .all)],
    "a file name holds a quote, a backslash or a line end, or comes as filename*")
}
