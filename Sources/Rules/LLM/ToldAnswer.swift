import Citation
import Events
import LLMSemantics

/// The answer of a language model as the capture has it: what rules about it share.
struct ToldAnswer {
  /// With fewer deltas there is no beat.
  private static let leastDeltas: UInt64 = 10
  /// With so few a long silence at the end is still none of its pauses.
  private static let leastBeforeEnd: UInt64 = 5
  private static let longSilence: Int64 = 20
  /// So many batches are a habit.
  private static let leastBatches: UInt64 = 3

  let exchange: ExchangeRecord
  let message: Message
  let answer: AnswerRecord

  /// nil where it is none, or was not accepted.
  init?(_ exchange: ExchangeRecord) {
    guard let message = exchange.response, message.isReadByItem, let answer = exchange.answer,
      (200...299).contains(message.status.code)
    else { return nil }
    self.exchange = exchange
    self.message = message
    self.answer = answer
  }

  /// The time between two deltas, or between those that did not come at once, where most did; nil where there are too few
  /// to tell.
  var beat: Int64? { answer.deltas >= Self.leastDeltas ? usual : nil }

  private var usual: Int64? {
    let beats = [50, 75, 90].lazy.compactMap { answer.gaps.quantile($0) }
    return beats.first { $0 > 0 } ?? beats.first
  }

  /// From its last delta until its client left, where the answer was not over.
  func silence(until left: PacketRef?) -> MessageRecord.Pause? {
    guard answer.end == nil, answer.finish == nil, answer.failure == nil, let last = answer.lastContent, let left,
      left.number > last.number
    else { return nil }
    return MessageRecord.Pause(from: last, to: left)
  }

  /// Of an answer that stops after a few deltas: what they came at, where the silence is far longer than any of them took.
  func beat(before silence: MessageRecord.Pause) -> Int64? {
    guard answer.deltas >= Self.leastBeforeEnd, let slowest = answer.gaps.quantile(100),
      silence.nanoseconds >= slowest.saturatingMultiplied(by: Self.longSilence)
    else { return nil }
    return usual
  }

  /// Nearly all deltas came in batches, with so long a silence before each on average.
  func isBatched(_ wait: Int64) -> Bool {
    let batches = answer.batches
    guard batches.count >= Self.leastBatches, batches.deltas * 10 >= answer.deltas * 8, !batches.before.isEmpty else {
      return false
    }
    return batches.wait >= wait
  }

  /// At least half of what it writes in the time of a silence came at once behind it.
  func hasBacklog(behind silence: MessageRecord.Pause) -> Bool {
    guard let beat, beat > 0, let batch = answer.batches.mostAt, batch.number >= silence.to.number,
      batch.time.since(silence.to.time) <= beat
    else { return false }
    return Int64(clamping: answer.batches.most).saturatingMultiplied(by: beat) >= silence.nanoseconds / 2
  }

  /// What TCP shows of the time between two deltas.
  func cause(of pause: MessageRecord.Pause) -> StreamPause.Cause? {
    let covering = message.stalls.filter { $0.from.time < pause.to.time && pause.from.time < $0.to.time }
    return covering.max { $0.nanoseconds < $1.nanoseconds }?.cause
  }

  /// So many deltas were there.
  var progress: String {
    answer.deltas == 0 ? "before the first delta" : "behind \(Wording.count(answer.deltas, "delta"))"
  }
}

extension Specification {
  static let openAIStreaming = Specification(
    "OpenAI streaming", "https://platform.openai.com/docs/api-reference/chat-streaming")
  static let anthropicStreaming = Specification(
    "Anthropic streaming", "https://docs.anthropic.com/en/docs/build-with-claude/streaming")
  static let ollamaStreaming = Specification("Ollama API", "https://github.com/ollama/ollama/blob/main/docs/api.md")
}
