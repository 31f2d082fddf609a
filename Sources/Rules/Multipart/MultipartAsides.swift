import Citation
import Events
import HTTPSemantics

/// Bytes of a multipart body that belong to no part.
struct MultipartAsides: Sendable {
  static let epilogue = RuleInfo(
    id: "multipart/data-after-final", severity: .note,
    summary: "Bytes follow the closing delimiter of a multipart body.",
    explanation: """
      What stands behind the closing delimiter belongs to no part, and parsers skip it or refuse the body. In an upload it \
      is data that somebody meant to send: a part written after the form was closed, or a body written twice.
      """,
    evidence: """
      The closing delimiter and the first bytes behind it. One line end there is usual and is not this. In excerpts the \
      bytes are payload.
      """,
    fix: "Client: close the form after the last part, once.", specifications: [.multipartBoundary], since: "0.1")

  static let preamble = RuleInfo(
    id: "multipart/preamble", severity: .note,
    summary: "Bytes stand before the first delimiter of a multipart body.",
    explanation: """
      Mail programs once put a line for people there. HTTP clients have no use for it, parsers skip it, and some firewalls \
      take it for an attempt to hide something. In an upload it may be a first part without its delimiter.
      """,
    evidence: "The bytes before the first delimiter. One line end there is common and is not this.",
    fix: "Client: begin the body with the first delimiter.", specifications: [.multipartBoundary], since: "0.1")

  func observe(
    _ record: MultipartRecord, of message: Message, _ exchange: ExchangeRecord, in context: FlowContext,
    report: (Finding) -> Void
  ) {
    if let aside = record.preamble {
      report(
        finding(
          Self.preamble, "\(Wording.bytes(aside.bytes)) stand before the first delimiter and belong to no part", [],
          aside, message, exchange, context))
    }
    // Another delimiter there is told by multipart/boundary-in-content.
    if let aside = record.epilogue, let close = record.close, record.lenience(.delimiterAfterClose) == nil {
      report(
        finding(
          Self.epilogue, "\(Wording.bytes(aside.bytes)) follow the closing delimiter and belong to no part",
          [Evidence(.bytes(close, message.direction), "the closing delimiter")], aside, message, exchange, context))
    }
  }

  private func finding(
    _ info: RuleInfo, _ what: String, _ before: [Evidence], _ aside: MultipartRecord.Aside, _ message: Message,
    _ exchange: ExchangeRecord, _ context: FlowContext
  ) -> Finding {
    Finding(
      info, subject: .connection(context.id), exchange: exchange.number, direction: message.direction,
      "\(exchange.title): \(what).", cost: .none, fix: info.fix,
      evidence: before + [
        Evidence(.packet(aside.first, message.direction), excerpt: aside.opening, "the first of these bytes")
      ])
  }
}
