import Events

/// Lines of a head that are not ended, begun or folded as they should be.
enum LineAnomalies {
  static let rows: [NamedAnomaly] = [bareLF, bareCR, folded, spaceBeforeColon, spaceBeforeFirstField]

  private static let lines = Specification("RFC 9112 §2.2", "https://www.rfc-editor.org/rfc/rfc9112#section-2.2")
  private static let smuggling = Specification("RFC 9112 §11.2", "https://www.rfc-editor.org/rfc/rfc9112#section-11.2")

  private static let bareLF = NamedAnomaly(
    RuleInfo(
      id: "http/bare-lf-line", severity: .warning,
      summary: "A line of a head ends with LF alone.",
      explanation: """
        A recipient may take a lone LF for a line end, and many do: Apache, nginx and most clients read on as if nothing \
        were wrong. Strict parsers, such as llhttp in Node.js, answer 400. Where two of them stand behind one another, \
        they may see different fields, which is one of the ways requests are smuggled. Hand-written scripts and string \
        literals of several lines are the usual source.
        """,
      evidence: "The first such line, and how many there are. Chunk lines that end so are chunked/bare-lf.",
      fix: "Sender: end every line of a head with CR LF; write \\r\\n where a literal would give \\n.",
      specifications: [lines], since: "0.1"),
    [.bareLF], in: [.startLine, .fields], "a line of the head ends with LF alone", fitting: [400],
    fix: "Sender: end the lines of the head with CR LF.")

  private static let bareCR = NamedAnomaly(
    RuleInfo(
      id: "http/bare-cr", severity: .error,
      summary: "A CR without LF stands inside a head.",
      explanation: """
        A CR that no LF follows is no line end. A recipient has to refuse it or put a space in its place; some take it \
        for a line end all the same, and then see a field that the others do not see. In values that come from users it \
        is a sign of header injection.
        """,
      evidence: "The line with the CR, and how many there are. In chunk framing this is chunked/bare-cr.",
      fix: """
        Sender: keep CR out of field values, and validate what comes from users before it gets there. Receiver: refuse \
        such a message.
        """,
      specifications: [lines, smuggling], since: "0.1"),
    [.bareCR], in: [.startLine, .fields], "a CR stands in the head without an LF behind it", fitting: [400],
    fix: "Sender: keep CR out of the head, but for its line ends.")

  private static let folded = NamedAnomaly(
    RuleInfo(
      id: "http/obs-fold", severity: .error,
      summary: "A field value is folded over several lines.",
      explanation: """
        A line that begins with a blank continues the one before it. HTTP gave this up in 2014: a server has to answer \
        400 or put a space there, and peers that do neither see a field less, or one more. It comes from mail libraries \
        that fold long lines at 76 characters, and from attacks.
        """,
      evidence: "The continued line. In the type message/http folding is allowed, and not looked at.",
      fix: "Sender: write the value in one line; switch line folding off in the library that formats it.",
      specifications: [
        Specification("RFC 9112 §5.2", "https://www.rfc-editor.org/rfc/rfc9112#section-5.2")
      ], since: "0.1"),
    [.foldedLine], in: [.fields, .trailers], "a field goes on in the next line", fitting: [400],
    fix: "Sender: write each field in one line.")

  private static let spaceBeforeColon = NamedAnomaly(
    RuleInfo(
      id: "http/space-before-colon", severity: .error,
      summary: "A blank stands between a field name and its colon.",
      explanation: """
        A server has to answer such a request with 400, and a proxy has to remove the blank from a response, because \
        peers disagree on what the name is: with the blank it is no known field, without it it may be \
        Transfer-Encoding. Several smuggling attacks were nothing more than this blank.
        """,
      evidence: "The first such line, and how many there are.",
      fix: "Sender: write the colon right behind the name.",
      specifications: [
        Specification("RFC 9112 §5.1", "https://www.rfc-editor.org/rfc/rfc9112#section-5.1"), smuggling,
      ], since: "0.1"),
    [.spaceBeforeColon], in: [.fields, .trailers], "a blank stands before the colon of a field", fitting: [400],
    fix: "Sender: write the colon right behind the name.")

  private static let spaceBeforeFirstField = NamedAnomaly(
    RuleInfo(
      id: "http/ws-before-first-field", severity: .error,
      summary: "The line after the start line begins with a blank.",
      explanation: """
        There is no field yet that the line could continue. A recipient has to refuse the message or drop such lines \
        unread; others read them as a field, or as a part of the start line. What one peer drops the next one obeys.
        """,
      evidence: "The line behind the start line.",
      fix: "Sender: begin the first field at the beginning of its line.",
      specifications: [lines, smuggling], since: "0.1"),
    [.spaceBeforeFirstField], in: [.fields], "the first line after the start line begins with a blank", fitting: [400],
    fix: "Sender: begin the first field at the beginning of its line.")
}
