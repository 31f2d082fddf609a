import Events
import HTTPSemantics

/// A method that is not in upper case: methods are case-sensitive.
enum MethodLower: AnomalyRule {
  static let info = RuleInfo(
    id: "case/method-lower", severity: .error,
    summary: "A method is not in upper case.",
    explanation: """
      Methods are case-sensitive: `get` is not GET but an unknown method. Servers answer 400, 405 or 501, or close; \
      frameworks that raise the case hide it until the request takes another path. It comes from code that passes a \
      method on as it was typed; browsers raise the case of only some of them, so fetch with `patch` sends `patch`.
      """,
    evidence: """
      The request line and, where it was refused, the answer. Without a refusal it is lint. Methods that are not known \
      in any case do not count.
      """,
    fix: "Client: write the method in upper case.",
    specifications: [
      Specification("RFC 9110 §9.1", "https://www.rfc-editor.org/rfc/rfc9110#section-9.1"),
      Specification("RFC 9112 §3.1", "https://www.rfc-editor.org/rfc/rfc9112#section-3.1"),
    ],
    since: "0.1")

  static let row = AnomalyRow(
    [.methodCase], "the method is not in upper case, and methods are case-sensitive")
}
