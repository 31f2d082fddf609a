import Events
import HTTPSemantics

/// A Content-Length that is not one number.
enum CLInvalid: AnomalyRule {
  static let info = RuleInfo(
    id: "http/cl-invalid", severity: .error,
    summary: "Content-Length is not one decimal number.",
    explanation: """
      A sign, a prefix, a fraction, nothing at all, a number beyond 64 bits, or several that differ: one parser takes \
      the digits at the beginning, the next one the last value, a third one refuses. Where they stand behind one \
      another the message ends in different places for each, and the rest of it is the next request. A server has to \
      answer 400 and close; a client has to drop the response.
      """,
    evidence: "The field with the value. Several equal values are http/cl-duplicate-equal.",
    fix: "Sender: write the number of bytes in decimal digits, once; let the framework do it.",
    specifications: [
      .contentLength, Specification("RFC 9112 §6.3", "https://www.rfc-editor.org/rfc/rfc9112#section-6.3"),
    ],
    since: "0.1")

  static let row = AnomalyRow(
    [.contentLengthInvalid, .contentLengthOverflow, .contentLengthConflicting], "Content-Length is no single number",
    fitting: [400, 411, 413])
}
