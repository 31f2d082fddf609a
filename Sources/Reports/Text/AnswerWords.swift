import Citation
import Events
import LLMSemantics

/// The answer of a language model in words: whose, when its content came, how evenly, how it ended.
struct AnswerWords {
  let exchange: ExchangeRecord
  let answer: AnswerRecord
  let style: TextStyle

  /// Instead of what is said of other streams.
  var parts: [String] {
    var parts = [whose, first]
    if let between { parts.append(between) }
    parts.append(end)
    return parts
  }

  private var whose: String {
    [answer.model.map { style.shortened(EscapedText.text($0), to: 48) }, answer.dialect.title].compactMap { $0 }
      .joined(separator: ", ")
  }

  /// `first content 0.615 s #23 (first event 13.4 ms), 121 deltas, 118 tokens by usage, 26.3 tokens/s`
  private var first: String {
    guard let content = answer.firstContent else { return "no content" }
    var words = ["first content"]
    if let wait = exchange.timeToFirstToken { words.append(Wording.duration(wait)) }
    words.append("#\(content.number)")
    if let item = answer.firstItem, item.number != content.number, let asked = exchange.request?.headReleased {
      words.append("(first \(unit) \(Wording.duration(item.time.since(asked.time))))")
    }
    var parts = [words.joined(separator: " "), Wording.count(answer.deltas, "delta")]
    if answer.reasoningDeltas > 0 { parts.append("\(Wording.number(answer.reasoningDeltas)) of reasoning") }
    if answer.toolDeltas > 0 { parts.append("\(Wording.number(answer.toolDeltas)) of tool calls") }
    if let tokens = answer.tokens {
      if tokens.isCounted { parts.append("\(Wording.count(tokens.count, "token")) by usage") }
      if let rate = exchange.milliTokensPerSecond {
        parts.append("\(Self.rate(rate)) \(tokens.isCounted ? "tokens" : "deltas")/s")
      }
    }
    return parts.joined(separator: ", ")
  }

  private var unit: String { exchange.response?.stream?.kind == .ndjson ? "line" : "event" }

  /// `between deltas p50 31 ms, p95 44 ms, p99 0.20 s, max 2.504 s (#310 → #311)`
  private var between: String? {
    guard let middle = answer.gaps.quantile(50), let most = answer.gaps.maximum else { return nil }
    var words = ["between deltas p50 \(Wording.duration(middle))"]
    for percent: UInt64 in [95, 99] where answer.gaps.count >= 100 / (100 - percent) {
      if let value = answer.gaps.quantile(percent) { words.append("p\(percent) \(Wording.duration(value))") }
    }
    let place = answer.longestGap.map { " (#\($0.from.number) \(style.joiner) #\($0.to.number))" } ?? ""
    words.append("max \(Wording.duration(most))\(place)")
    return words.joined(separator: ", ")
  }

  /// `finish stop, [DONE] #511`
  private var end: String {
    var words: [String] = []
    if let finish = answer.finish { words.append("finish \(EscapedText.text(finish))") }
    if let failure = answer.failure {
      words.append("error\(answer.failureType.map { " " + EscapedText.text($0) } ?? "") #\(failure.number)")
    }
    if let end = answer.end {
      if let marker { words.append("\(marker) #\(end.number)") }
    } else {
      words.append("no \(answer.dialect.endMarker)")
    }
    return words.joined(separator: ", ")
  }

  /// OpenAI's responses end with the name of how they ended; a failure is named before.
  private var marker: String? {
    guard answer.dialect == .openAIResponses else { return answer.dialect.endMarker }
    if answer.finish == "completed" { return answer.dialect.endMarker }
    return answer.failure == answer.end ? nil : "response.incomplete"
  }

  /// With one place.
  static func rate(_ thousandths: Int64) -> String {
    let tenths = (thousandths + 50) / 100
    return "\(Wording.number(UInt64(max(0, tenths / 10)))).\(tenths % 10)"
  }
}
