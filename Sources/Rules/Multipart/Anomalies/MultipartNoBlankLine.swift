import Events
import HTTPSemantics

/// A part whose header does not end.
enum MultipartNoBlankLine: MultipartAnomalyRule {
  static let info = RuleInfo(
    id: "multipart/no-blank-line", severity: .error,
    summary: "No empty line stands between the header of a part and its data.",
    explanation: """
      The header of a part ends with an empty line, that is CRLF CRLF behind its last field. Without it the first bytes \
      of the file are read as one more field or as part of the last one, up to the first empty line that the file \
      happens to hold. The file arrives without its beginning, which no viewer opens, or the whole form is refused.
      """,
    evidence: """
      The last line of the header, up to where the data begin: at a line that is no field, or at a byte that no header \
      has; behind a value the place is inferred. A header over 8 KiB counts, too. \(MultipartTexts.headerEvidence)
      """,
    fix: "Client: write CRLF CRLF between the last field of a part and its data.",
    specifications: [.multipartBoundary], since: "0.1")

  static let row = MultipartAnomalyRow(
    [(.blankLineMissing, .all), (.headerTooLarge, .all), (.headerMissing, .first)],
    "no empty line ends the header, and data stand where a field or the empty line should")
}
