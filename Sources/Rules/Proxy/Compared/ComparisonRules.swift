import Citation
import Events

/// What only two captures show together. Evidence is from both.
package struct ComparisonRules: Sendable {
  static let infos: [RuleInfo] = [CaptureDiff.info, UpgradeStripped.info, ContinueSwallowed.info]

  private let relation: CaptureRelation
  private let clock: ClockAlignment?
  private let thresholds: Thresholds

  package init(_ relation: CaptureRelation, _ clock: ClockAlignment?, _ thresholds: Thresholds) {
    self.relation = relation
    self.clock = clock
    self.thresholds = thresholds
  }

  /// The particular before the general, which then stands under it.
  package func judge(_ pair: ComparedPair, report: (Finding) -> Void) {
    var cause: RuleID?
    let found = [
      StrippedHandshake().judge(pair), UpgradeStripped().judge(pair), EndedUpload().judge(pair),
      ForgedReset().judge(pair),
    ]
    for var finding in found.compactMap({ $0 }) {
      if cause == nil { cause = finding.rule }
      // They are what the rule needs where it sees one side.
      finding.thresholds = [:]
      report(finding)
    }
    if let finding = ContinueSwallowed().judge(pair) { report(completed(finding)) }
    guard var finding = CaptureDiff(relation, clock, thresholds).judge(pair) else { return }
    finding.causedBy = cause
    report(completed(finding))
  }

  private func completed(_ finding: Finding) -> Finding {
    var finding = finding
    for threshold in finding.thresholds.keys { finding.thresholds[threshold] = thresholds[threshold] }
    return finding
  }
}

extension ComparedPair {
  /// A finding about this exchange, told of the capture that is worse off.
  func finding(
    _ info: RuleInfo, severity: Severity? = nil, confidence: Confidence? = nil, of side: CompareSide,
    _ direction: Direction?, _ message: FindingMessage, cost: Cost, fix: String?, evidence: [Evidence]
  ) -> Finding {
    let exchange = self[side]
    var finding = Finding(
      info, severity: severity, confidence: confidence, subject: .connection(exchange.connection.id),
      exchange: exchange.record.number, direction: direction, message, cost: cost, fix: fix, evidence: evidence)
    finding.side = side
    finding.connection = exchange.connection.number
    finding.parties = FindingParties(client: exchange.connection.client, server: exchange.connection.server)
    let own = evidence.filter { $0.side == side }.compactMap(\.packet)
    finding.firstPacket = own.min { $0.number < $1.number } ?? exchange.record.first
    finding.lastPacket = own.max { $0.number < $1.number } ?? exchange.record.last
    return finding
  }
}

extension Evidence {
  func from(_ side: CompareSide) -> Evidence {
    var evidence = self
    evidence.side = side
    return evidence
  }
}

extension Difference {
  /// Where it stands in both captures.
  var evidence: [Evidence] {
    CompareSide.allCases.compactMap { side in
      packets[side].map { Evidence(.packet($0, direction), note(side)).from(side) }
    }
  }

  private var direction: Direction? {
    switch part {
    case .request, .upload: .toServer
    case .interim, .response, .download: .toClient
    case .connection, .tls, .webSocket: nil
    }
  }

  /// Of fields the name alone.
  private func note(_ side: CompareSide) -> String {
    switch kind {
    case .fieldValue: "\(name)"
    case .fieldAdded, .fieldRemoved: self[side] == nil ? "without \(name)" : "with \(name)"
    case .codingCase: "Transfer-Encoding: \(self[side] ?? "")"
    case .target, .trailers, .masks: kind.rawValue
    case .content where from != nil: "the first byte that differs, or near it"
    default: self[side] ?? "nothing"
    }
  }
}
