import Citation
import Events
import LLM
import LLMSemantics

/// Follows the answer of a language model while it arrives: the figures of its deltas, and how it ended.
struct AnswerBuilder: Sendable {
  private var reader: AnswerReader
  private var record: AnswerRecord?
  private var tokens: [AnswerToken] = []
  /// Deltas that came together, the last ones: how many, and the silence before them.
  private var together: UInt64 = 0
  private var silence: MessageRecord.Pause?

  init(_ form: AnswerReader.Form) {
    reader = AnswerReader(form)
  }

  /// It turned out not to be an answer.
  var isOver: Bool { reader.isOver }

  mutating func read(_ chunk: borrowing CitedBytes) {
    reader.consume(chunk, into: &tokens)
    takeTokens()
  }

  mutating func skip(at offset: UInt64) {
    reader.skip(gap: offset..<offset &+ 1, into: &tokens)
    takeTokens()
  }

  /// What it was; nil where it was none.
  mutating func finish() -> AnswerRecord? {
    reader.finish(.fin, into: &tokens)
    takeTokens()
    endBatch()
    return record
  }

  private mutating func takeTokens() {
    guard !tokens.isEmpty else { return }
    if record == nil, let dialect = reader.dialect { record = AnswerRecord(dialect) }
    for token in tokens {
      switch token {
      case .item(let item): take(item)
      case .gap:
        record?.hasGap = true
        endBatch()
      }
    }
    tokens.removeAll(keepingCapacity: true)
  }

  private mutating func take(_ item: AnswerItem) {
    guard record != nil else { return }
    if record?.firstItem == nil { record?.firstItem = item.completed }
    if let model = item.model, record?.model == nil { record?.model = model }
    if !item.usage.isEmpty { record?.usage.merge(item.usage) }
    if let finish = item.finish {
      record?.finish = finish
      record?.finishedAt = item.completed
    }
    if item.isEnd, record?.end == nil { record?.end = item.completed }
    if let failure = item.failure, record?.failure == nil {
      record?.failure = item.completed
      record?.failureType = failure.type
    }
    if !item.content.isEmpty { take(item.content, item.completed) }
  }

  private mutating func take(_ content: AnswerContent, _ packet: PacketRef) {
    record?.deltas += 1
    if content.contains(.reasoning) { record?.reasoningDeltas += 1 }
    if content.contains(.tool) { record?.toolDeltas += 1 }
    if content.contains(.text), record?.firstText == nil { record?.firstText = packet }
    if let last = record?.lastContent {
      let pause = MessageRecord.Pause(from: last, to: packet)
      record?.gaps.add(pause.nanoseconds)
      if pause.nanoseconds > record?.longestGap?.nanoseconds ?? -1 { record?.longestGap = pause }
      if pause.nanoseconds > AnswerRecord.Batches.tick {
        endBatch()
        silence = pause
      }
      if pause.nanoseconds >= AnswerRecord.silenceFrom { keep(pause) }
    } else {
      record?.firstContent = packet
    }
    record?.lastContent = packet
    together += 1
  }

  /// Keeps the longest ones.
  private mutating func keep(_ pause: MessageRecord.Pause) {
    guard var silences = record?.silences else { return }
    record?.silences = []
    silences.append(pause)
    if silences.count > AnswerRecord.silenceLimit,
      let shortest = silences.indices.min(by: { silences[$0].nanoseconds < silences[$1].nanoseconds })
    {
      silences.remove(at: shortest)
    }
    record?.silences = silences
  }

  private mutating func endBatch() {
    defer {
      together = 0
      silence = nil
    }
    guard together >= AnswerRecord.Batches.least, record != nil else { return }
    record?.batches.count += 1
    record?.batches.deltas += together
    if together > record?.batches.most ?? 0 {
      let last = record?.lastContent
      record?.batches.most = together
      record?.batches.mostAt = last
    }
    guard let silence else { return }
    record?.batches.waits &+= max(0, silence.nanoseconds)
    record?.batches.waited += 1
    if record?.batches.before.count ?? 0 < AnswerRecord.Batches.limit { record?.batches.before.append(silence) }
  }
}
