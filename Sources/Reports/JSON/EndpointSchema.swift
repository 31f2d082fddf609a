import Citation
import Events

extension JSONWriter {
  static let endpointLimit = 1_000

  /// The endpoint table; durations are in nanoseconds.
  mutating func endpoints(_ summary: Summary) {
    guard !summary.endpoints.isEmpty else { return }
    array("endpoints") { list in
      for endpoint in summary.endpoints.prefix(Self.endpointLimit) { list.object { $0.endpoint(endpoint) } }
    }
    let cut = summary.endpointsCut + UInt64(max(0, summary.endpoints.count - Self.endpointLimit))
    field("endpointsCut", nonzero: cut)
  }

  private mutating func endpoint(_ endpoint: EndpointRecord) {
    field("method", endpoint.name.method)
    if !endpoint.name.host.isEmpty { field("host", endpoint.name.host) }
    field("path", endpoint.name.path)
    field("n", endpoint.exchanges)
    field("hurt", endpoint.hurt)
    let statuses = endpoint.statuses.sorted
    if !statuses.isEmpty {
      var counts = statuses.map { (name: $0.code == 0 ? "none" : "\($0.code)", value: Int64(clamping: $0.count)) }
      let others = endpoint.statuses.others
      if others > 0 { counts.append(("other", Int64(clamping: others))) }
      map("statuses", counts)
    }
    let waits = endpoint.waits
    if waits.count > 0 {
      object("wait") { json in
        json.field("p50", waits.quantile(50))
        json.field("p95", waits.quantile(95))
        json.field("p99", waits.quantile(99))
      }
    }
    if endpoint.gaps.count > 0 {
      object("gap") { json in
        json.field("p50", endpoint.gaps.quantile(50))
        json.field("p95", endpoint.gaps.quantile(95))
        json.field("p99", endpoint.gaps.quantile(99))
        json.field("max", endpoint.gaps.maximum)
      }
    }
    silenceShares(endpoint.silence)
    // In NDJSON lines of their own.
    if !listsMaps { histograms(endpoint) }
    if let answers = endpoint.answers {
      object("llm") { json in
        json.field("n", answers.count)
        if answers.firstTokens.count > 0 {
          json.object("firstToken") { json in
            json.field("p50", answers.firstTokens.quantile(50))
            json.field("p95", answers.firstTokens.quantile(95))
            json.field("p99", answers.firstTokens.quantile(99))
          }
        }
        json.gaps(answers.gaps)
        if let rate = answers.milliTokensPerSecond { json.field("tokensPerSecond", decimal: rate, scale: 3) }
      }
    }
  }
}
