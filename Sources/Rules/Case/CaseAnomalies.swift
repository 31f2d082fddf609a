import Events
import HTTPSemantics

/// Case where it matters: methods and the protocol's name are compared to the letter.
enum CaseAnomalies {
  static let table = AnomalyTable([method, version])

  private static let method = NamedAnomaly(
    RuleInfo(
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
      since: "0.1"),
    [.methodCase], "the method is not in upper case, and methods are compared to the letter",
    fix: "Client: write the method in upper case.")

  private static let version = NamedAnomaly(
    RuleInfo(
      id: "case/version-lower", severity: .error,
      summary: "The protocol's name in a start line is not in upper case.",
      explanation: """
        `HTTP` in `HTTP/1.1` is case-sensitive. Strict parsers refuse `http/1.1` with 400 or take the line for \
        HTTP/0.9; lenient ones do not notice, so it survives until another server or proxy stands in the path. It comes \
        from hand-written clients and from device firmware.
        """,
      evidence: "The start line and, where a request was refused, the answer. Without a refusal it is a remark.",
      fix: "Sender: write HTTP/1.1.",
      specifications: [
        Specification("RFC 9112 §2.3", "https://www.rfc-editor.org/rfc/rfc9112#section-2.3")
      ],
      since: "0.1"),
    [.versionCase], "the protocol's name is not written HTTP", fix: "Sender: write HTTP/1.1.")
}
