import Events
import HTTPSemantics

/// A line of a head that ends in LF alone.
enum BareLFLine: AnomalyRule {
  static let info = RuleInfo(
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
    specifications: [.lineEnds], since: "0.1")

  static let row = AnomalyRow(
    [.bareLF], in: [.startLine, .fields], "a line of the head ends with LF alone", fitting: [400])
}
