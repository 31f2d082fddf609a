import Events
import LLMSemantics

/// Deltas that come in batches, at the clock ticks of a buffer.
enum Batched: ExchangeRule {
  /// So many are cited.
  private static let citedLimit = 3

  static let info = RuleInfo(
    id: "llm/batched", severity: .warning, confidence: .medium,
    summary: "The deltas of an answer came in batches.",
    explanation: """
      A model writes a delta every few tens of milliseconds, and each is meant to be shown as it comes. Many of them in one \
      packet, again and again, with a silence before each batch, are the work of a buffer or a timer between the model and \
      the client: a gateway that collects, a compressor, a runtime that flushes by the clock. The text appears in jerks.
      """,
    evidence: """
      The first deltas of batches, each behind its silence. Two to five deltas at a time are no batch: that is how models \
      with speculative decoding write.
      """,
    fix: """
      Server or gateway: write and flush each delta as it comes, and do not compress this route; a capture on the gateway's \
      host shows which of the two collects.
      """,
    specifications: [.openAIStreaming], thresholds: [.answerBatchWait],
    causedBy: ["sse/buffered", "stream/block-buffered", "stream/compression-on-stream", "proxy/hop-joined"],
    since: "0.1")

  static var needs: ExchangeFacts { .stream }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let told = ToldAnswer(exchange), told.isBatched(context.thresholds[.answerBatchWait]),
      let longest = told.answer.batches.before.map(\.nanoseconds).max()
    else { return }
    let batches = told.answer.batches
    let direction = told.message.direction
    let wait = Wording.duration(batches.wait)
    report(
      Finding(
        info, subject: .connection(context.id), exchange: exchange.number, direction: direction,
        FindingMessage(
          "\(exchange.title): \(Wording.number(batches.deltas)) of \(Wording.count(told.answer.deltas, "delta")) came in \(Wording.count(batches.count, "batch", "batches")) of up to \(Wording.number(batches.most)), one per \(wait): a buffer or a timer collects them."
        ),
        cost: .delay(nanoseconds: longest), fix: info.fix,
        evidence: batches.before.prefix(Self.citedLimit).map { pause in
          Evidence(
            .packet(pause.to, direction), "a batch begins, behind \(Wording.duration(pause.nanoseconds)) of silence")
        }))
  }
}

extension Threshold {
  static let answerBatchWait = Threshold(
    "llm.batch-wait", .nanoseconds, 250_000_000, "the silence before batches of deltas, on average")
}
