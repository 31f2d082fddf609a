import Events
import HTTPSemantics

/// Lines of a multipart body that end in LF alone.
enum MultipartBareLF: MultipartAnomalyRule {
  static let info = RuleInfo(
    id: "multipart/bare-lf", severity: .error,
    summary: "Lines of a multipart body end with LF alone.",
    explanation: """
      Delimiters and part headers end with CRLF. A literal of several lines in source code (Swift, Kotlin, Python) gives \
      LF, and what is joined from lines with "\\n" does, too. Some parsers accept it, some take a first line with LF as a \
      sign that all have it, and strict ones find neither delimiter nor the end of the header.
      """,
    evidence: """
      The first such line. Lines inside the data do not count, whatever they end with. \(MultipartTexts.delimiterEvidence)
      """,
    fix: "Client: write \\r\\n behind each delimiter, each header line and the empty line.",
    specifications: [.multipartBoundary], since: "0.1")

  static let row = MultipartAnomalyRow(
    .bareLF, "a delimiter or a header line begins behind or ends with LF alone")
}
