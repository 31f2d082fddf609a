import Events
import HTTPSemantics

/// Whitespace at the beginning of the first field line.
enum WSBeforeFirstField: AnomalyRule {
  static let info = RuleInfo(
    id: "http/ws-before-first-field", severity: .error,
    summary: "The line after the start line begins with whitespace.",
    explanation: """
      There is no field yet that the line could continue. A recipient has to refuse the message or drop such lines \
      unread; others read them as a field, or as a part of the start line. What one peer drops the next one obeys.
      """,
    evidence: "The line behind the start line.",
    fix: "Sender: begin the first field at the beginning of its line.",
    specifications: [.lineEnds, .smuggling], since: "0.1")

  static let row = AnomalyRow(
    [.spaceBeforeFirstField], in: [.fields], "the first line after the start line begins with whitespace",
    fitting: [400])
}
