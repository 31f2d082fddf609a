import Citation
import Events

/// Endpoints, those with the most diagnoses first: requests, waits, and pauses of bodies.
struct TextEndpoints {
  private static let limit = 8
  private static let nameLimit = 44

  let style: TextStyle

  func write(_ endpoints: [EndpointRecord], to block: inout TextBlock) {
    let hasHosts = Set(endpoints.prefix(Self.limit).map(\.name.host)).count > 1
    let rows = endpoints.prefix(Self.limit).map { endpoint in
      [
        style.shortened(EscapedText.text(name(endpoint.name, withHost: hasHosts)), to: Self.nameLimit),
        Wording.number(endpoint.exchanges), endpoint.statuses.words(2, ascii: style.isASCII),
        Wording.number(endpoint.hurt), words(endpoint.waits.quantile(50)),
        words(endpoint.waits.quantile(95)), words(endpoint.gaps.quantile(95)), words(endpoint.gaps.maximum),
        SilenceWords.share(endpoint.silence),
      ]
    }
    let header = ["endpoint", "n", "status", "hurt", "wait p50", "p95", "gap p95", "max", "silence was"]
    block.line()
    let margins = [String](repeating: "   ", count: rows.count + 1)
    block.table([header] + rows, alignsRight: true, margins: margins, width: style.width)
    writeAnswers(endpoints, withHosts: hasHosts, to: &block)
  }

  /// The same of answers of language models, whose figures are others.
  private func writeAnswers(_ endpoints: [EndpointRecord], withHosts: Bool, to block: inout TextBlock) {
    let rows = endpoints.prefix(Self.limit).compactMap { endpoint in
      endpoint.answers.map { answers in
        [
          style.shortened(EscapedText.text(name(endpoint.name, withHost: withHosts)), to: Self.nameLimit),
          Wording.number(answers.count), words(answers.firstTokens.quantile(50)),
          words(answers.firstTokens.quantile(95)), words(answers.gaps.quantile(50)), words(answers.gaps.quantile(95)),
          words(answers.gaps.quantile(99)), words(answers.gaps.maximum),
          answers.milliTokensPerSecond.map(AnswerWords.rate) ?? "-",
        ]
      }
    }
    guard !rows.isEmpty else { return }
    let header = ["token streams", "n", "first p50", "p95", "gap p50", "p95", "p99", "max", "tokens/s"]
    block.line()
    let margins = [String](repeating: "   ", count: rows.count + 1)
    block.table([header] + rows, alignsRight: true, margins: margins, width: style.width)
  }

  /// `29 more, none hurt`
  static func rest(_ summary: Summary) -> String? {
    let more = summary.endpoints.dropFirst(limit)
    let count = UInt64(more.count) + summary.endpointsCut
    guard count > 0 else { return nil }
    let hurt = more.count { $0.hurt > 0 }
    return "\(Wording.count(count, "more endpoint")), \(hurt == 0 ? "none" : Wording.number(UInt64(hurt))) hurt"
  }

  func name(_ name: EndpointName, withHost: Bool) -> String {
    // The target of CONNECT is a host.
    withHost && name.path != name.host ? "\(name.method) \(name.host)\(name.path)" : "\(name.method) \(name.path)"
  }

  private func words(_ nanoseconds: Int64?) -> String { nanoseconds.map(Wording.duration) ?? "-" }
}
