import Citation
import Events
import HTTPSemantics

/// A body in so many small chunks that the framing weighs as much as the content.
enum TinyChunks: MessageRule {
  static let info = RuleInfo(
    id: "chunked/tiny-chunks", severity: .warning,
    summary: "A body is cut into very small chunks.",
    explanation: """
      Every chunk costs a size line and a line end, a write, often a packet, and a call of the receiver's handler. With \
      a few bytes each the framing is a good part of the body, and phones wake up for single characters. Token streams \
      of language models and loggers that print without a buffer look like this.
      """,
    evidence: "The first and the last chunk, how many are smaller than 32 bytes, and the share of framing in the body.",
    fix: "Sender: collect writes for some milliseconds or some hundred bytes, and flush then.",
    specifications: [.chunkedCoding], thresholds: [.tinyChunkCount, .tinyChunkOverhead], since: "0.1")

  static var needs: ExchangeFacts { .chunks }

  static func judge(
    _ message: Message, of exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard let chunks = message.chunks, chunks.count >= UInt64(max(0, context.thresholds[.tinyChunkCount])),
      chunks.tiny > chunks.count / 2, let first = chunks.first, let last = chunks.last
    else { return }
    let share = chunks.framing &* 100 / max(1, chunks.framing &+ message.bodyBytes)
    guard share >= UInt64(max(0, context.thresholds[.tinyChunkOverhead])) else { return }
    report(
      Finding(
        Self.info, subject: .connection(context.id), exchange: exchange.number, direction: message.direction,
        "\(exchange.title): \(Wording.number(chunks.tiny)) of \(Wording.count(chunks.count, "chunk")) hold less than 32 B; framing is \(share) % of the body on the wire.",
        cost: .none, fix: info.fix,
        evidence: [
          Evidence(.packet(first, message.direction), "the first chunk"),
          Evidence(.packet(last, message.direction), "the last chunk"),
        ]))
  }
}

extension Threshold {
  static let tinyChunkCount = Threshold("chunked.tiny-count", .count, 50, "chunks of one body, most of them tiny")
  static let tinyChunkOverhead = Threshold(
    "chunked.tiny-overhead", .percent, 20, "share of size lines and line ends in a body on the wire")
}
