import Events

/// Versions and status lines that are none.
enum StartLineAnomalies {
  static let rows: [NamedAnomaly] = [version, status]

  private static let version = NamedAnomaly(
    RuleInfo(
      id: "http/version-unusual", severity: .warning,
      summary: "The protocol version is neither of the two in use.",
      explanation: """
        On the wire there are HTTP/1.0 and HTTP/1.1. Any other version in a start line, one that is malformed, or none \
        at all, which was HTTP/0.9, is refused by many servers with 400 or 505 and understood by others, each in its own \
        way. A reply without status line is taken for the body as a whole, an error page included.
        """,
      evidence: "The start line, or the first bytes of the reply. Lower case is case/version-lower.",
      fix: "Sender: write HTTP/1.1; where HTTP/2 is meant, negotiate it (ALPN) or begin with its preface.",
      specifications: [
        Specification("RFC 9112 §2.3", "https://www.rfc-editor.org/rfc/rfc9112#section-2.3"),
        Specification("RFC 9110 §2.5", "https://www.rfc-editor.org/rfc/rfc9110#section-2.5"),
      ], since: "0.1"),
    [.versionUnusual, .versionMalformed, .simpleMessage], "the version is neither HTTP/1.0 nor HTTP/1.1",
    fitting: [400, 505],
    fix: "Sender: write HTTP/1.1.")

  private static let status = NamedAnomaly(
    RuleInfo(
      id: "http/status-line-bad", severity: .error,
      summary: "The status line does not have the form of one.",
      explanation: """
        The status is three digits from 100 to 599, with one space before it and one behind, even where no reason \
        follows. Many clients read on with less; strict ones end the exchange with a parse error, and the response that was there is never seen.
        """,
      evidence: "The status line. A reason of several words, or in another language, is legal.",
      fix: "Server: write three digits and a space behind them, as in \"HTTP/1.1 200 \".",
      specifications: [
        Specification("RFC 9112 §4", "https://www.rfc-editor.org/rfc/rfc9112#section-4"),
        Specification("RFC 9110 §15", "https://www.rfc-editor.org/rfc/rfc9110#section-15"),
      ], since: "0.1"),
    [.statusMalformed, .statusUnusual, .reasonSeparatorMissing, .startLineSpacing, .startLineLeadingSpace],
    in: [.startLine], of: .responses,
    "the status line is not a version, three digits from 100 to 599 and a reason, with one space between them",
    fix: "Server: write the status line as the grammar wants it.")
}
