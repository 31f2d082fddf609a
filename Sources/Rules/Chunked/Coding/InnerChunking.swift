import Citation
import Events
import HTTPSemantics

/// Chunk framing that arrives as content.
struct InnerChunking: Sendable {
  static let double = RuleInfo(
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

  static let withoutHeader = RuleInfo(
    id: "chunked/framing-without-header", severity: .error,
    summary: "A body is chunked, and no field says so.",
    explanation: """
      The body that goes on to the end of the connection is a series of size lines and data. Something on the way, or a \
      script that prints its own head, lost Transfer-Encoding and kept the bytes. The client cannot know, and shows the \
      sizes as part of the content.
      """,
    evidence: """
      The head, which has neither Transfer-Encoding nor Content-Length, and the first bytes of the body. The whole body \
      fits the pattern; where its last chunk is missing, at least three chunks do, and it is less sure.
      """,
    fix: "Proxy: forward Transfer-Encoding, or undo the chunks. Script: let the server frame the response.",
    specifications: [.transferEncoding, .bodyLength], since: "0.1")

  /// Chunks that a body without an end must have to be taken for chunked.
  private static let convincing: UInt64 = 3

  func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    for message in exchange.messages {
      guard let inner = message.innerChunks, let head = message.head, let first = message.firstBody,
        inner.isWhole || inner.count >= Self.convincing, message.isWhollyCaptured
      else { continue }
      let line = message.opening.prefix { $0 != .carriageReturn }
      let size = Evidence(
        .packet(first, message.direction), excerpt: Excerpt(Array(line).span, isPayload: false),
        "a size line at the start of the content")
      let field = head.block.first("transfer-encoding")
      guard head.framing == .close ? field == nil : field != nil else { continue }
      let announced =
        field.map { Evidence.field($0, head, message.direction, "the layer that is announced") }
        ?? Evidence(.packet(head.span.first, message.direction), "no Transfer-Encoding, no Content-Length")
      report(
        Finding(
          field == nil ? Self.withoutHeader : Self.double,
          confidence: inner.isWhole && !context.isMidstream ? .high : .medium, subject: .connection(context.id),
          exchange: exchange.number, direction: message.direction,
          .inner(exchange, inner, isAnnounced: field != nil, exchange.isRequest(message)),
          cost: exchange.isRequest(message) && !exchange.isMisunderstood ? .none : .failed(.exchange),
          fix: field == nil
            ? "Whoever wrote or forwarded the head: keep Transfer-Encoding: chunked with such a body, or undo the chunks."
            : "Sender: frame the body once; leave it to the library.",
          evidence: [announced, size]))
    }
  }
}

extension FindingMessage {
  fileprivate static func inner(
    _ exchange: ExchangeRecord, _ inner: InnerChunks, isAnnounced: Bool, _ isRequest: Bool
  ) -> Self {
    let end = inner.isWhole ? "with its last chunk" : "without a last chunk"
    let what = "\(Wording.count(inner.count, "chunk")) of \(Wording.bytes(inner.bytes)) in all, \(end)"
    return isAnnounced
      ? "\(exchange.title): the content of the chunked body is chunked again: \(what)."
      : "\(exchange.title): the body is chunked (\(what)), and no field says so; the receiver takes the sizes for content."
  }
}
