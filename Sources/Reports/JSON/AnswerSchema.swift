import Citation
import Events
import LLMSemantics

// The llm object of a stream in streamscope.result/1: figures of an answer, and nothing of what it says.

extension JSONWriter {
  mutating func answer(_ answer: AnswerRecord, of exchange: ExchangeRecord, _ context: ResultContext) {
    object("llm") { json in
      json.field("dialect", answer.dialect.name)
      json.field("model", answer.model)
      json.field("firstTokenNs", exchange.timeToFirstToken)
      json.field("durationNs", exchange.answerDuration)
      json.field("firstItemNs", answer.firstItem.map { context.relative($0.time) })
      json.field("firstContentNs", answer.firstContent.map { context.relative($0.time) })
      json.field("firstContentPacket", answer.firstContent?.number)
      if answer.firstText != answer.firstContent {
        json.field("firstTextNs", answer.firstText.map { context.relative($0.time) })
      }
      json.field("lastContentNs", answer.lastContent.map { context.relative($0.time) })
      json.field("deltas", answer.deltas)
      json.field("reasoningDeltas", answer.reasoningDeltas)
      json.field("toolDeltas", answer.toolDeltas)
      json.gaps(answer.gaps)
      if let longest = answer.longestGap {
        json.object("longestGap") { json in
          json.field("ns", longest.nanoseconds)
          json.field("fromPacket", longest.from.number)
          json.field("toPacket", longest.to.number)
        }
      }
      if answer.batches.count > 0 {
        json.object("batches") { json in
          json.field("count", answer.batches.count)
          json.field("deltas", answer.batches.deltas)
          json.field("most", answer.batches.most)
          json.field("mostPacket", answer.batches.mostAt?.number)
        }
      }
      json.usage(answer.usage)
      if let tokens = answer.tokens {
        json.field("tokens", tokens.count)
        json.field("tokensBy", tokens.isCounted ? "usage" : "deltas")
        if let rate = exchange.milliTokensPerSecond { json.field("tokensPerSecond", decimal: rate, scale: 3) }
        json.field("timePerTokenNs", answer.timePerToken)
      }
      json.field("finish", answer.finish)
      if let end = answer.end {
        json.object("end") { json in
          json.field("marker", answer.dialect.endMarker)
          json.field("packet", end.number)
          json.field("ns", context.relative(end.time))
        }
      }
      if let failure = answer.failure {
        json.object("error") { json in
          json.field("type", answer.failureType)
          json.field("packet", failure.number)
          json.field("ns", context.relative(failure.time))
        }
      }
      if answer.hasGap { json.field("incomplete", true) }
    }
  }

  private mutating func usage(_ usage: AnswerUsage) {
    guard !usage.isEmpty else { return }
    object("usage") { json in
      json.field("promptTokens", usage.prompt)
      json.field("outputTokens", usage.output)
      json.field("reasoningTokens", usage.reasoning)
    }
  }
}
