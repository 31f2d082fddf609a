import Events
import HTTPSemantics

/// Bytes before the first delimiter.
enum Preamble: MultipartBodyRule {
  static let info = RuleInfo(
    id: "multipart/preamble", severity: .note,
    summary: "Bytes stand before the first delimiter of a multipart body.",
    explanation: """
      Mail programs once wrote a line for human readers there. HTTP clients have no use for it, parsers skip it, and \
      some firewalls take it for an attempt to hide something. In an upload it may be a first part without its \
      delimiter.
      """,
    evidence: "The bytes before the first delimiter. One line end there is common and does not count.",
    fix: "Client: begin the body with the first delimiter.", specifications: [.multipartBoundary], since: "0.1")

  static func judge(_ body: MultipartBody, in context: FlowContext, report: (Finding) -> Void) {
    guard let aside = body.record?.preamble else { return }
    report(
      body.finding(
        info, "\(Wording.bytes(aside.bytes)) stand before the first delimiter and belong to no part", [], aside,
        in: context))
  }
}
