import Events
import HTTPSemantics

/// A method that is not in upper case: methods are compared to the letter.
enum MethodLower: AnomalyRule {
  static let info = RuleInfo(
    id: "case/method-lower", severity: .error,
    summary: "A method is not in upper case.",
    explanation: """
      Methods are case-sensitive: `get` is not GET but a method that nobody knows. Servers answer 400, 405 or 501, or \
      close; frameworks that raise the case hide it until the request takes another path. It comes from code that \
      hands a method through as it was typed; browsers raise the case of only some of them, so fetch with `patch` \
      sends `patch`.
      """,
    evidence: """
      The request line and, where it was refused, the answer. Without a refusal it is a remark. Methods that are not \
      known in any case are not this.
      """,
    fix: "Client: write the method in upper case.",
    specifications: [
      Specification("RFC 9110 §9.1", "https://www.rfc-editor.org/rfc/rfc9110#section-9.1"),
      Specification("RFC 9112 §3.1", "https://www.rfc-editor.org/rfc/rfc9112#section-3.1"),
    ],
    since: "0.1")

  static let row = AnomalyRow(
    [.methodCase], "the method is not in upper case, and methods are compared to the letter")
}
