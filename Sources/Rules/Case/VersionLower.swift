import Events
import HTTPSemantics

/// A start line whose protocol is not called HTTP in upper case.
enum VersionLower: AnomalyRule {
  static let info = RuleInfo(
    id: "case/version-lower", severity: .error,
    summary: "The protocol's name in a start line is not in upper case.",
    explanation: """
      `HTTP` in `HTTP/1.1` is case-sensitive. Strict parsers refuse `http/1.1` with 400 or take the line for \
      HTTP/0.9; lenient ones do not notice, so it survives until another server or proxy stands in the path. It comes \
      from hand-written clients and from device firmware.
      """,
    evidence: "The start line and, where a request was refused, the answer. Without a refusal it is lint.",
    fix: "Sender: write HTTP/1.1.",
    specifications: [
      Specification("RFC 9112 §2.3", "https://www.rfc-editor.org/rfc/rfc9112#section-2.3")
    ],
    since: "0.1")

  static let row = AnomalyRow(
    [.versionCase], "the protocol's name is not written HTTP")
}
