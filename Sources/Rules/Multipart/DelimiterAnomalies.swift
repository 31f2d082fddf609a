import Events
import HTTPSemantics

/// What is odd in the lines between parts.
enum DelimiterAnomalies {
  static let rows: [MultipartAnomalyRule] = [dashes, inLine, bareLF, inContent]

  static let evidence = """
    The bytes as they were sent and, where a request was refused or never answered, how; that one led to the other is \
    inferred. Most frameworks answer 400, some 500, some see an empty form.
    """

  private static let dashes = MultipartAnomalyRule(
    RuleInfo(
      id: "multipart/delimiter-dashes-missing", severity: .error,
      summary: "A delimiter of a multipart body lacks the two dashes before the boundary.",
      explanation: """
        Content-Type names the boundary; in the body each delimiter is that boundary with two dashes before it, and the \
        last one has two more behind it. Code that writes the bare boundary sends a body without any part: parsers skip \
        to the first delimiter, find none or only the last, and report a missing boundary or an unexpected end of the form.
        """,
      evidence: """
        A line that is exactly the boundary. A boundary that begins with dashes of its own, as browsers make them, still \
        has two more in front. \(evidence)
        """,
      fix: "Client: write \"--\" before the boundary of each part, and \"--\" before and behind the last one.",
      specifications: [.multipartBoundary, .formBoundary], since: "0.1"),
    .dashesMissing, "a delimiter is the bare boundary, without the two dashes before it",
    fix: "Client: write -- before the boundary in the body; Content-Type names it without them.")

  private static let inLine = MultipartAnomalyRule(
    RuleInfo(
      id: "multipart/delimiter-not-at-line-start", severity: .error,
      summary: "A delimiter of a multipart body does not begin a line.",
      explanation: """
        The line end before a delimiter belongs to the delimiter. Without it the dashes and the boundary are data like \
        all others: a strict parser does not see the delimiter, so the part swallows it with everything behind it, and the \
        form loses the next field or never ends.
        """,
      evidence: """
        The delimiter, which follows data on its line. Only a boundary of eight bytes and more is looked for inside lines: a \
        shorter one may stand there by chance. \(evidence)
        """,
      fix: "Client: write CRLF after the data of each part, before the next delimiter.",
      specifications: [.multipartBoundary], since: "0.1"),
    .delimiterInLine, "a delimiter does not begin a line, so it is data to a strict reader",
    fix: "Client: write CRLF before each delimiter.")

  private static let bareLF = MultipartAnomalyRule(
    RuleInfo(
      id: "multipart/bare-lf", severity: .error,
      summary: "Lines of a multipart body end with LF alone.",
      explanation: """
        Delimiters and part headers end with CRLF. A literal of several lines in source code (Swift, Kotlin, Python) gives \
        LF, and what is joined from lines with "\\n" does, too. Some parsers accept it, some take a first line with LF as a \
        sign that all have it, and strict ones find neither delimiter nor the end of the header.
        """,
      evidence: """
        The first such line. Lines inside the data do not count, whatever they end with. \(evidence)
        """,
      fix: "Client: write \\r\\n behind each delimiter, each header line and the empty line.",
      specifications: [.multipartBoundary], since: "0.1"),
    .bareLF, "a delimiter or a header line begins behind or ends with LF alone",
    fix: "Client: end delimiters and header lines with CRLF; a multi-line literal gives LF.")

  private static let inContent = MultipartAnomalyRule(
    RuleInfo(
      id: "multipart/boundary-in-content", severity: .error, confidence: .medium,
      summary: "A delimiter stands where no part begins: the data hold the boundary.",
      explanation: """
        Nothing escapes a boundary, so it must not occur in the data. A fixed or short one does sooner or later: in a mail, \
        a log, or a capture of an earlier upload. The file ends there for every parser, and the rest is read as another \
        part, or thrown away when it was the closing delimiter.
        """,
      evidence: """
        A delimiter that no header follows although an earlier part has one, or a further delimiter behind the closing one. \
        A sender that never writes headers is multipart/no-blank-line. \(evidence)
        """,
      fix: "Client: make a random boundary for each request, long enough that it cannot be in the data.",
      specifications: [.multipartBoundary, .formBoundary], since: "0.1"),
    [(.headerMissing, .later), (.delimiterAfterClose, .all)],
    "a delimiter stands where no part begins; the data seem to hold the boundary",
    fix: "Client: use a random boundary, a new one for each request.")
}
