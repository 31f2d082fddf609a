import Citation
import Events
import HTTPSemantics

/// A body that holds no delimiter of the boundary its head names.
enum BoundaryNotInBody: MultipartBodyRule {
  static let info = RuleInfo(
    id: "multipart/boundary-not-in-body", severity: .error,
    summary: "The boundary that Content-Type names does not occur in the body.",
    explanation: """
      A parser skips everything up to the first delimiter; here that is the whole body, and the form is empty. Two pieces \
      of code made a boundary each: one set the field, the other wrote the body. Or the body is something else altogether, \
      JSON or a bare file, under a Content-Type that was left over.
      """,
    evidence: """
      The field and the beginning of the body; where that is a delimiter with another boundary, it shows which one was \
      meant. A boundary without its dashes is multipart/delimiter-dashes-missing.
      """,
    fix: "Client: name the boundary of the body that is sent; take both from the same object.",
    specifications: [.multipartBoundary, .formBoundary], causedBy: ["multipart/boundary-illegal"], since: "0.1")

  static func judge(_ body: MultipartBody, in context: FlowContext, report: (Finding) -> Void) {
    guard let record = body.record else { return }
    let (message, exchange, type) = (body.message, body.exchange, body.type)
    guard record.isWhole, record.delimiters == 0, record.close == nil, message.bodyBytes > 0, record.closeMissing == 0,
      let head = message.head, let first = message.firstBody
    else { return }
    let harm = MultipartHarm(message, exchange, in: context)
    let line = message.opening.firstLine.flatMap { $0.starts(with: [0x2D, 0x2D]) ? $0 : nil }
    let excerpt =
      line.map { Excerpt($0.span, isPayload: false) } ?? Excerpt(message.opening.span, isPayload: true)
    report(
      Finding(
        Self.info, confidence: harm.confidence, subject: .connection(context.id), exchange: exchange.number,
        direction: message.direction,
        """
        \(exchange.title): the boundary that Content-Type names does not occur in the \
        \(Wording.bytes(message.bodyBytes)) of the body\(line == nil ? "" : ", which begins with another one").
        """, cost: harm.cost, fix: info.fix,
        evidence: [
          .field(type, head, message.direction, "the boundary that is named"),
          Evidence(
            .packet(first, message.direction), excerpt: excerpt,
            line == nil ? "the body begins, and not with a delimiter" : "the body begins with another boundary"),
        ] + harm.evidence))
  }
}
