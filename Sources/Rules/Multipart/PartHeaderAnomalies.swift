import Events
import HTTPSemantics

/// What is odd in the headers of parts.
enum PartHeaderAnomalies {
  static let rows: [MultipartAnomalyRule] = [
    noBlankLine, quote, name, unquoted, escaping, disposition, fileType, transferEncoding,
  ]

  private static let evidence = """
    The line as it was sent and, where a request was refused or never answered, how; that one led to the other is inferred.
    """

  private static let noBlankLine = MultipartAnomalyRule(
    RuleInfo(
      id: "multipart/no-blank-line", severity: .error,
      summary: "No empty line stands between the header of a part and its data.",
      explanation: """
        The header of a part ends with an empty line, that is CRLF CRLF behind its last field. Without it the first bytes \
        of the file are read as one more field or as part of the last one, up to the first empty line that the file \
        happens to hold. The file arrives without its beginning, which no viewer opens, or the whole form is refused.
        """,
      evidence: """
        The last line of the header, up to where the data begin: at a line that is no field, or at a byte that no header \
        has; behind a value the place is inferred. A header over 8 KiB counts, too. \(evidence)
        """,
      fix: "Client: write CRLF CRLF between the last field of a part and its data.",
      specifications: [.multipartBoundary], since: "0.1"),
    [(.blankLineMissing, .all), (.headerTooLarge, .all), (.headerMissing, .first)],
    "no empty line ends the header, and data stand where a field or the empty line should",
    fix: "Client: write an empty line (CRLF CRLF) before the data of each part.")

  private static let quote = MultipartAnomalyRule(
    RuleInfo(
      id: "multipart/quote-unbalanced", severity: .error,
      summary: "A quote is missing in the Content-Disposition of a part.",
      explanation: """
        With one quote too few, the field's name reaches to the next quote and swallows what stands between: the name \
        becomes something like file; filename=, and the file name is gone. A form without the expected field is answered \
        with a validation error at best, and the log shows a name that nobody wrote.
        """,
      evidence: """
        The line, with an odd number of quotes that no backslash stands before. \(evidence)
        """,
      fix: "Client: close the quote, name=\"…\"; filename=\"…\"; better, let a library build the form.",
      specifications: [.formDisposition], since: "0.1"),
    .quoteUnbalanced, "Content-Disposition has an odd number of quotes, so the name may swallow the file name",
    fix: "Client: close the quote of name or filename.")

  private static let name = MultipartAnomalyRule(
    RuleInfo(
      id: "multipart/name-missing", severity: .error,
      summary: "A part of a form has no name.",
      explanation: """
        Each part of form-data must say which field of the form it is. Frameworks look fields up by name: a part without \
        one is dropped silently, or the whole request is refused.
        """,
      evidence: "The Content-Disposition without name. \(evidence)",
      fix: "Client: give each part Content-Disposition: form-data; name=\"…\".",
      specifications: [.formDisposition], since: "0.1"),
    .nameMissing, "Content-Disposition has no name parameter", fix: "Client: add name=\"…\" to each part.")

  private static let unquoted = MultipartAnomalyRule(
    RuleInfo(
      id: "multipart/param-unquoted", severity: .warning,
      summary: "A name or file name is not quoted although it is no token.",
      explanation: """
        Without quotes a parameter ends at the first blank, semicolon or other separator. The file is stored under the \
        first word of its name, or the line is refused. Plain words without quotes are legal and common.
        """,
      evidence: "The line with the parameter. \(evidence)",
      fix: "Client: quote names and file names always.", specifications: [.formDisposition], since: "0.1"),
    .parameterUnquoted, "a name or file name without quotes has bytes that end or break it",
    fix: "Client: put quotes around name and filename.")

  private static let escaping = MultipartAnomalyRule(
    RuleInfo(
      id: "multipart/filename-escaping", severity: .warning,
      summary: "A file name is written in a way that receivers read differently.",
      explanation: """
        Browsers write a quote in a file name as %22 and line ends as %0D and %0A, and send everything else as it is, in \
        UTF-8. A quote or backslash inside the quotes ends or bends the name for some parsers: a path of an old Windows \
        browser loses its separators, an escaped quote keeps its backslash. The form filename*=UTF-8''… is forbidden in \
        form-data, and many servers do not look at it.
        """,
      evidence: "The line with the file name. \(evidence)",
      fix: "Client: send filename=\"…\" in UTF-8 with %22, %0D and %0A, and no filename*.",
      specifications: [.formDisposition, .formEncoding], since: "0.1"),
    [(.fileNameRaw, .all), (.fileNameExtended, .all)],
    "a file name holds a quote, a backslash or a line end, or comes as filename*",
    fix: "Client: write the file name as browsers do, with %22 for a quote and without filename*.")

  private static let disposition = MultipartAnomalyRule(
    RuleInfo(
      id: "multipart/disposition-wrong", severity: .error,
      summary: "A part of a form does not say that it is form-data.",
      explanation: """
        Each part must have Content-Disposition of the type form-data. A part without it, or with attachment or inline as \
        in mail, belongs to no field: most frameworks skip it or refuse the request.
        """,
      evidence: "The part's header. \(evidence)",
      fix: "Client: send Content-Disposition: form-data; name=\"…\" in each part.",
      specifications: [.formDisposition], since: "0.1"),
    [(.dispositionMissing, .all), (.dispositionOther, .all)],
    "a part has no Content-Disposition, or one of another type than form-data",
    fix: "Client: send Content-Disposition: form-data in each part.")

  private static let fileType = MultipartAnomalyRule(
    RuleInfo(
      id: "multipart/file-without-type", severity: .note,
      summary: "A file in a form has no Content-Type.",
      explanation: """
        Without it a part counts as text/plain. Servers that check the type of uploads refuse the file, and some treat the \
        part as a text field and convert its characters.
        """,
      evidence: "The Content-Disposition of the file. \(evidence)",
      fix: "Client: send Content-Type with each file; application/octet-stream where nothing is known.",
      specifications: [.formPartType], since: "0.1"),
    .fileWithoutType, "a part has a file name and no Content-Type", answers: [415, 422],
    fix: "Client: send Content-Type with each file.")

  private static let transferEncoding = MultipartAnomalyRule(
    RuleInfo(
      id: "multipart/cte-deprecated", severity: .warning,
      summary: "A part of a form has Content-Transfer-Encoding, which receivers ignore.",
      explanation: """
        HTTP carries bytes as they are, and the field is deprecated in form-data. Most servers do not look at it: data in \
        base64 or quoted-printable are stored as they came, encoded. The values binary, 8bit and 7bit change nothing.
        """,
      evidence: "The field. \(evidence)",
      fix: "Client: send the bytes as they are, and leave the field out.",
      specifications: [.formTransferEncoding], since: "0.1"),
    .transferEncoding, "a part has Content-Transfer-Encoding, which is deprecated in forms", answers: [],
    fix: "Client: leave Content-Transfer-Encoding out, and send the bytes as they are.")
}
