import Citation
import Events
import HTTPSemantics

/// Chunks inside of chunks.
enum DoubleChunked: MessageRule {
  static let info = RuleInfo(
    id: "chunked/double-chunked", severity: .error,
    summary: "The content of a chunked body is chunked once more.",
    explanation: """
      Two layers framed the body, one above the other: an application that writes size lines itself above a server that \
      chunks, or a proxy that chunks what was chunked. The receiver takes one layer off and hands the other to the app, \
      where hexadecimal numbers and line ends stand between the data: JSON does not parse, files are longer than sent.
      """,
    evidence: """
      The field, and the first bytes of the body, which are a size line again. The whole body fits the pattern from the \
      first byte to the last.
      """,
    fix: "Application: write plain data and let the server frame it. Proxy: undo the coding before adding it.",
    specifications: [.transferEncoding, .chunkedCoding], since: "0.1")

  static var needs: ExchangeFacts { .chunks }

  static func judge(
    _ message: Message, of exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard let inner = exchange.innerChunks(of: message), let head = message.head, head.framing != .close,
      let field = head.block.first("transfer-encoding")
    else { return }
    let what: FindingMessage =
      "\(exchange.title): the content of the chunked body is chunked again: \(inner.words)."
    report(
      exchange.finding(
        info, inner, of: message, what, .field(field, head, message.direction, "the layer that is announced"),
        in: context))
  }
}
