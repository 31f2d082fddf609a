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
        Wording.number(endpoint.exchanges), Wording.number(endpoint.hurt), words(endpoint.waits.quantile(50)),
        words(endpoint.waits.quantile(95)), words(endpoint.gaps.quantile(95)), words(endpoint.gaps.maximum),
        SilenceWords.share(endpoint.silence),
      ]
    }
    let header = ["endpoint", "n", "hurt", "wait p50", "p95", "gap p95", "max", "silence was"]
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

  private func name(_ name: EndpointName, withHost: Bool) -> String {
    withHost ? "\(name.method) \(name.host)\(name.path)" : "\(name.method) \(name.path)"
  }

  private func words(_ nanoseconds: Int64?) -> String { nanoseconds.map(Wording.duration) ?? "-" }
}
