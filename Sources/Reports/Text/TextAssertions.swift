import Events

/// Assertions, a line each: the verdict, what was asserted, what was observed, of how many samples, and where to look.
struct TextAssertions {
  let style: TextStyle

  func write(_ results: [AssertionResult], to block: inout TextBlock) {
    guard !results.isEmpty else { return }
    block.line()
    block.line(heading(results))
    for result in results { write(result, to: &block) }
  }

  private func heading(_ results: [AssertionResult]) -> String {
    let verdicts: [AssertionResult.Verdict] = [.failed, .inconclusive, .passed]
    let counts = verdicts.compactMap { verdict in
      let count = results.count { $0.verdict == verdict }
      return count > 0 ? "\(Wording.number(UInt64(count))) \(verdict.rawValue)" : nil
    }
    return "\(Wording.count(UInt64(results.count), "assertion")): \(counts.joined(separator: ", "))"
  }

  private func write(_ result: AssertionResult, to block: inout TextBlock) {
    let name = result.verdict == .failed ? "FAILED" : result.verdict.rawValue
    let paint: TextStyle.Paint = result.verdict == .failed ? .error : result.verdict == .passed ? .faint : .warning
    let word = style.paint(name, paint).padded(to: AssertionResult.Verdict.inconclusive.rawValue.count)
    let indent = String(repeating: " ", count: 4 + AssertionResult.Verdict.inconclusive.rawValue.count)
    block.paragraph(EscapedText.text(result.text), indent: indent, first: "  \(word)  ", width: style.width)
    if let facts = result.facts { block.paragraph(facts, indent: indent, width: style.width) }
    for note in result.notes { block.paragraph(EscapedText.text(note), indent: indent, width: style.width) }
  }
}

extension AssertionResult {
  /// `1.200 s, limit < 0.250 s; 140 samples; see #412, connection 3, exchange 1`
  var facts: String? {
    guard let observed else { return nil }
    var facts = ["\(observed.words), limit \(relation) \(limit.words)"]
    if limit.unit == .nanoseconds || limit.unit == .bytes { facts.append(Wording.count(samples, "sample")) }
    if let worst {
      var place = ["#\(worst.packet)"]
      if let connection = worst.connection { place.append("connection \(connection)") }
      if let exchange = worst.exchange { place.append("exchange \(exchange)") }
      facts.append("see \(place.joined(separator: ", "))")
    }
    return facts.joined(separator: "; ")
  }
}
