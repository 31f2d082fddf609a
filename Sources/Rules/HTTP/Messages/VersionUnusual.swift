import Events
import HTTPSemantics

/// A version that is neither of the two in use.
enum VersionUnusual: AnomalyRule {
  static let info = RuleInfo(
    id: "http/version-unusual", severity: .warning,
    summary: "The protocol version is neither HTTP/1.0 nor HTTP/1.1.",
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
    ], since: "0.1")

  static let row = AnomalyRow(
    [.versionUnusual, .versionMalformed, .simpleMessage], "the version is neither HTTP/1.0 nor HTTP/1.1",
    fitting: [400, 505])
}
