import Citation
import Events
import HTTPSemantics

/// A rule that restates one property of a 101.
///
/// Reported when the connection is over, because only then it is known whether the client took the answer: one that
/// leaves at once, without a single frame, did not, and the fault cost the connection. Else it is lint.
protocol UpgradeResponseRule: Rule {
  /// Among what clients drop the connection for: of several faults, the one of the lowest rank explains that a client
  /// left. nil where they take it.
  static var rejectionRank: Int? { get }
  static func find(in answer: MessageHead, to upgrade: Upgrade) -> HandshakeFault?
}

/// Asks all rules about a 101.
enum ResponseFaults {
  private static let rules = RuleIndex.upgradeResponseRules.sorted {
    ($0.rejectionRank ?? .max, $0.info.id) < ($1.rejectionRank ?? .max, $1.info.id)
  }

  /// Reports all faults, and answers the one that explains why a client left.
  static func report(_ acceptance: Acceptance, in context: FlowContext, report: (Finding) -> Void) -> RuleID? {
    let upgrade = acceptance.upgrade
    var cause: RuleID?
    for rule in rules {
      guard let fault = rule.find(in: acceptance.answer, to: upgrade) else { continue }
      let info = rule.info
      let isHurt = rule.rejectionRank != nil && acceptance.left != nil
      var evidence = fault.evidence
      if isHurt, let left = acceptance.left {
        evidence.append(Evidence(.packet(left, upgrade.request.direction), "the client leaves without a frame"))
      }
      report(
        Finding(
          info, severity: fault.severity, confidence: isHurt ? min(info.confidence, .medium) : info.confidence,
          subject: .connection(context.id), exchange: upgrade.exchange.number,
          direction: upgrade.request.direction.opposite,
          FindingMessage(
            "\(upgrade.exchange.title): \(fault.what)\(isHurt ? "; the client left without a frame" : "")."),
          cost: isHurt ? .failed(.connection) : .none, fix: info.fix, causedBy: isHurt ? cause : nil,
          evidence: evidence))
      if isHurt, cause == nil { cause = info.id }
    }
    return cause
  }
}
