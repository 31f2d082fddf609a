import Citation
import LLMSemantics

/// An answer that a language model streamed: when its content came, how evenly, what it counts, how it ended.
///
/// A delta is an item with content: text, reasoning or a part of a tool call. A role alone, a count or a ping is none.
package struct AnswerRecord: Sendable {
  /// Deltas that came at one clock tick of their sender, or were released at once by someone on the way.
  package struct Batches: Sendable, Equatable {
    /// Deltas that are no further apart came together.
    package static let tick: Int64 = 2_000_000
    /// So many deltas that came together are a batch.
    package static let least: UInt64 = 6
    /// How many are kept.
    package static let limit = 16

    package var count: UInt64 = 0
    /// Deltas in them.
    package var deltas: UInt64 = 0
    /// The silence before each, added up.
    package var waits: Int64 = 0
    /// How many had one.
    package var waited: UInt64 = 0
    /// The silences before the first ones.
    package var before: [MessageRecord.Pause] = []
    package var most: UInt64 = 0
    package var mostAt: PacketRef?

    package init() {}

    /// On average.
    package var wait: Int64 { waited > 0 ? waits / Int64(clamping: waited) : 0 }
  }

  /// How many of the longest silences between deltas are kept.
  package static let silenceLimit = 8
  /// A shorter one is not kept.
  package static let silenceFrom: Int64 = 200_000_000

  package var dialect: AnswerDialect
  package var model: String?
  /// The first item of all, whatever it says.
  package var firstItem: PacketRef?
  /// The first delta of any kind, and the first with text.
  package var firstContent: PacketRef?
  package var firstText: PacketRef?
  package var lastContent: PacketRef?
  package var deltas: UInt64 = 0
  package var reasoningDeltas: UInt64 = 0
  package var toolDeltas: UInt64 = 0
  package var gaps = ExponentialHistogram()
  /// The longest time between two deltas.
  package var longestGap: MessageRecord.Pause?
  /// The longest silences between deltas, in the order of their packets.
  package var silences: [MessageRecord.Pause] = []
  package var batches = Batches()
  package var usage = AnswerUsage()
  package var finish: String?
  package var finishedAt: PacketRef?
  /// The marker that ends it.
  package var end: PacketRef?
  /// The first error inside of it, with its type where that has the form of a name.
  package var failure: PacketRef?
  package var failureType: String?
  /// Bytes of it are missing: there were more deltas than these.
  package var hasGap = false

  package init(_ dialect: AnswerDialect) {
    self.dialect = dialect
  }

  /// How many tokens it has, and whether that is the server's count or one for each delta.
  package var tokens: (count: UInt64, isCounted: Bool)? {
    if let output = usage.output, output > 0 { return (output, true) }
    return deltas > 0 && !hasGap ? (deltas, false) : nil
  }

  /// From the first delta to the last, for each token after the first.
  package var timePerToken: Int64? {
    guard let tokens, tokens.count > 1, let firstContent, let lastContent else { return nil }
    return lastContent.time.since(firstContent.time) / Int64(clamping: tokens.count - 1)
  }
}

extension ExchangeRecord {
  /// The response as an answer of a language model.
  package var answer: AnswerRecord? { response?.record.stream?.answer }

  /// From the complete request head to the first delta with content.
  package var timeToFirstToken: Int64? {
    guard let asked = request?.headReleased, let content = answer?.firstContent else { return nil }
    return content.time.since(asked.time)
  }

  /// From the complete request head to the last item that counts: the end, or the last content.
  package var answerDuration: Int64? {
    guard let asked = request?.headReleased, let answer,
      let last = answer.end ?? answer.finishedAt ?? answer.lastContent
    else { return nil }
    return last.time.since(asked.time)
  }

  /// Thousandths of tokens in a second, over the whole answer.
  package var milliTokensPerSecond: Int64? {
    guard let tokens = answer?.tokens, let duration = answerDuration, duration > 0 else { return nil }
    let rate = Int128(tokens.count) * 1_000_000_000_000 / Int128(duration)
    return Int64(clamping: rate)
  }
}
