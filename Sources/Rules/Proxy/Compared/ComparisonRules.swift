import Citation
import Events

/// Judges an exchange that is in two captures. Evidence is from both.
protocol ComparisonRule: Rule {
  static var standing: ComparisonStanding { get }
  static func judge(_ pair: ComparedPair, _ terms: ComparisonTerms, report: (Finding) -> Void)
}

extension ComparisonRule {
  static var standing: ComparisonStanding { .particular }
}

/// How what a rule finds stands to what the others find of the same exchange.
enum ComparisonStanding: Sendable {
  /// It explains what is general.
  case particular
  /// It explains nothing else.
  case aside
  /// It stands under what explains it.
  case general
}

/// What is known of two captures as a whole.
struct ComparisonTerms: Sendable {
  let relation: CaptureRelation
  let clock: ClockAlignment?
  let thresholds: Thresholds
}

/// What only two captures show together.
package struct ComparisonRules: Sendable {
  private let terms: ComparisonTerms

  package init(_ relation: CaptureRelation, _ clock: ClockAlignment?, _ thresholds: Thresholds) {
    terms = ComparisonTerms(relation: relation, clock: clock, thresholds: thresholds)
  }

  package func judge(_ pair: ComparedPair, report: (Finding) -> Void) {
    var cause: RuleID?
    for rule in RuleIndex.comparisonRules where rule.standing != .general {
      rule.judge(pair, terms) { finding in
        if rule.standing == .particular, cause == nil { cause = finding.rule }
        var finding = finding
        // They are what the rule needs where it sees one side.
        finding.thresholds = [:]
        report(finding)
      }
    }
    for rule in RuleIndex.comparisonRules where rule.standing == .general {
      rule.judge(pair, terms) { finding in
        var finding = finding
        finding.causedBy = cause
        report(finding.compared(with: terms.thresholds))
      }
    }
  }
}

extension ComparedPair {
  /// A finding about this exchange, reported on the capture that is worse off.
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
