import Citation
import Events
import HTTPSemantics

/// Chunks that nothing announces.
enum FramingWithoutHeader: MessageRule {
  static let info = RuleInfo(
    id: "chunked/framing-without-header", severity: .error,
    summary: "A body is chunked, and no field announces it.",
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

  static var needs: ExchangeFacts { .chunks }

  static func judge(
    _ message: Message, of exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard let inner = exchange.innerChunks(of: message), let head = message.head, head.framing == .close,
      head.block.first("transfer-encoding") == nil
    else { return }
    report(
      exchange.finding(
        info, inner, of: message,
        "\(exchange.title): the body is chunked (\(inner.words)), and no field announces it; the receiver takes the sizes for content.",
        Evidence(.packet(head.span.first, message.direction), "no Transfer-Encoding, no Content-Length"),
        in: context))
  }
}
