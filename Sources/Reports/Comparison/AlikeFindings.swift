import Events

/// What is late in many exchanges of one endpoint in the same way, once, in text: the worst of them, and how many there
/// are. Documents list each.
struct AlikeFindings {
  private struct Kind: Hashable {
    let rule: RuleID
    let side: CompareSide
    let endpoint: EndpointName
    /// Of the verdicts.
    let words: [String]
  }

  private struct Place: Hashable {
    let side: CompareSide
    let leg: ExchangeKey
  }

  private var endpoints: [Place: (endpoint: EndpointName, words: [String])] = [:]

  init(_ record: ComparisonRecord) {
    for pair in record.pairs where !pair.isIdentical {
      guard let endpoint = pair.a.record.endpoint, endpoint == pair.b.record.endpoint else { continue }
      let words = pair.verdicts.map(\.words)
      for side in CompareSide.allCases { endpoints[Place(side: side, leg: pair[side].leg)] = (endpoint, words) }
    }
  }

  func folded(_ findings: [Finding]) -> [Finding] {
    var places: [Kind: Int] = [:]
    var kept: [Finding] = []
    for finding in findings {
      let kind = kind(of: finding)
      guard let at = kind.flatMap({ places[$0] }) else {
        if let kind { places[kind] = kept.count }
        kept.append(finding)
        continue
      }
      let count = kept[at].count &+ finding.count
      if Finding.isWorse(finding, kept[at]) { kept[at] = finding }
      kept[at].count = count
    }
    return kept
  }

  private func kind(of finding: Finding) -> Kind? {
    guard case .delay = finding.cost, finding.causedBy == nil, let side = finding.side,
      let connection = finding.connection, let exchange = finding.exchange
    else { return nil }
    let leg = ExchangeKey(connection: connection, number: exchange)
    return endpoints[Place(side: side, leg: leg)].map {
      Kind(rule: finding.rule, side: side, endpoint: $0.endpoint, words: $0.words)
    }
  }
}
