import Events
import HTTPSemantics

/// Content-Length given twice, with the same value.
enum CLDuplicateEqual: AnomalyRule {
  static let info = RuleInfo(
    id: "http/cl-duplicate-equal", severity: .warning,
    summary: "Content-Length is given more than once, with the same value.",
    explanation: """
      A recipient may take equal values for one, or refuse the message, and both is done: nginx answers 400 to a \
      second field, browsers read on. Mostly a framework and the application behind it both set it.
      """,
    evidence: "The second value. Values that differ are http/cl-invalid.",
    fix: "Sender: set the field in one place only.",
    specifications: [
      .contentLength, Specification("RFC 9112 §6.3", "https://www.rfc-editor.org/rfc/rfc9112#section-6.3"),
    ],
    since: "0.1")

  static let row = AnomalyRow(
    [.contentLengthRepeated], "Content-Length is given twice, with the same value", fitting: [400])
}
