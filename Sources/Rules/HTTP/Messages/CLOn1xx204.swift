import Events
import HTTPSemantics

/// Content-Length in a response that has no content.
enum CLOn1xx204: AnomalyRule {
  static let info = RuleInfo(
    id: "http/cl-on-1xx-204", severity: .warning,
    summary: "A response without content has a Content-Length.",
    explanation: """
      In 1xx, in 204 and in the success of a CONNECT a Content-Length must not be sent, not even zero. The message \
      ends with its head all the same; a client that believes the field waits for bytes that never come, or takes \
      those of the next response.
      """,
    evidence: "The field. In 304 and in the answer to HEAD it is allowed, and is the length that GET would return.",
    fix: "Server: leave Content-Length out of 1xx and 204.",
    specifications: [
      .contentLength, Specification("RFC 9110 §15.3.5", "https://www.rfc-editor.org/rfc/rfc9110#section-15.3.5"),
    ], causedBy: ["ws/hs-101-body-headers"], since: "0.1")

  static let row = AnomalyRow(
    [.contentLengthForbidden], "a Content-Length stands where there can be no content", fitting: [400])
}
