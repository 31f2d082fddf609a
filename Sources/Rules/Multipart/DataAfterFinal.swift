import Events
import HTTPSemantics

/// Bytes behind the closing delimiter.
enum DataAfterFinal: MultipartBodyRule {
  static let info = RuleInfo(
    id: "multipart/data-after-final", severity: .note,
    summary: "Bytes follow the closing delimiter of a multipart body.",
    explanation: """
      What stands behind the closing delimiter belongs to no part, and parsers skip it or refuse the body. In an \
      upload it is data that the client meant to send: a part written after the form was closed, or a body written \
      twice.
      """,
    evidence: """
      The closing delimiter and the first bytes behind it. One line end there is usual and does not count. In excerpts \
      the bytes are payload.
      """,
    fix: "Client: close the form after the last part, once.", specifications: [.multipartBoundary], since: "0.1")

  static func judge(_ body: MultipartBody, in context: FlowContext, report: (Finding) -> Void) {
    // Another delimiter there is reported by multipart/boundary-in-content.
    guard let record = body.record, let aside = record.epilogue, let close = record.close,
      record.lenience(.delimiterAfterClose) == nil
    else { return }
    report(
      body.finding(
        info, "\(Wording.bytes(aside.bytes)) follow the closing delimiter and belong to no part",
        [Evidence(.bytes(close, body.message.direction), "the closing delimiter")], aside, in: context))
  }
}
