import Citation
import Events
import HTTPSemantics

/// The head announces chunks, and the body begins with something else.
enum BodyNotChunked: MessageRule {
  static let info = RuleInfo(
    id: "chunked/body-not-chunked", severity: .error,
    summary: "The head announces chunks, and the body has none.",
    explanation: """
      The first line of a chunked body is a size in hexadecimal digits. Here content stands in its place, so no reader \
      can find the end: clients report a bad chunk or line length (Python: IncompleteRead, Node.js: HPE_INVALID_CHUNK_SIZE, \
      Chrome: ERR_INVALID_CHUNKED_ENCODING), servers answer 400 or 500. Nearly always an application has set \
      Transfer-Encoding itself, above a server that leaves the framing to it, or a proxy undid the chunks and left the field.
      """,
    evidence: """
      The field, and the first bytes of the body. A size line with wrong whitespace, line end or extension does not \
      count; nor is a number written in another way (0x2f, -5), which the rules on sizes name.
      """,
    fix: """
      Application: do not set Transfer-Encoding; the server adds it when it writes chunks. Proxy: drop the field when \
      the body is sent without chunks.
      """,
    specifications: [.transferEncoding, .chunkedCoding], since: "0.1")

  static var needs: ExchangeFacts { [.chunks, .errors] }

  static func judge(
    _ message: Message, of exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard let error = message.chunkError, error.kind == .chunkSizeMalformed, error.chunkIndex == 0,
      !error.excerpt.looksLikeNumber, let head = message.head, let field = head.block.first("transfer-encoding"),
      !error.excerpt.bytes.isEmpty || head.isRequestKnown
    else { return }
    report(
      Finding(
        Self.info, confidence: exchange.confidence(of: message, context), subject: .connection(context.id),
        exchange: exchange.number, direction: message.direction,
        "\(exchange.title): \(Wording.sender(message.direction)) announces chunks, and its body begins with something else than a chunk's size.",
        cost: exchange.cost(ofUnreadable: message),
        fix: info.fix,
        evidence: [
          .field(field, head, message.direction, "announces chunks"),
          .content(error, message.direction, "where the first size line should be"),
        ] + exchange.refusal(of: message)))
  }
}
