import Citation
import Events
import HTTPSemantics

/// A rule that restates one property of a request for WebSocket.
///
/// A request that was refused with a status that fits has failed; that its fault was the reason is inferred, and the
/// answer is quoted. Where the server took it all the same, it is lint.
protocol UpgradeRequestRule: Rule {
  /// Among what servers refuse a request for: of several faults, the one of the lowest rank explains the refusal. nil
  /// where they take it.
  static var refusalRank: Int? { get }
  /// It is none inside TLS, where no hop can read it.
  static var isOfPlainText: Bool { get }
  static func find(in upgrade: Upgrade) -> HandshakeFault?
}

extension UpgradeRequestRule {
  static var isOfPlainText: Bool { false }
}

/// Asks all rules about a request for WebSocket.
enum RequestFaults {
  private static let rules = RuleIndex.upgradeRequestRules.sorted {
    ($0.refusalRank ?? .max, $0.info.id) < ($1.refusalRank ?? .max, $1.info.id)
  }

  /// Answers of servers that did not see a request for WebSocket in it.
  private static let fitting: Set<UInt16> = ExchangeRecord.misunderstood.union([200, 426])

  /// Reports all faults, and answers the one that explains a refusal.
  static func report(_ upgrade: Upgrade, in context: FlowContext, report: (Finding) -> Void) -> RuleID? {
    var cause: RuleID?
    for rule in rules where !(rule.isOfPlainText && context.isSecure) {
      guard let fault = rule.find(in: upgrade) else { continue }
      // Without an Upgrade no server can see what is asked for, whatever it answers.
      let isHurt =
        rule.refusalRank != nil && (fitting.contains(upgrade.status) || !upgrade.hasToken && upgrade.isRefused)
      // One fault explains the answer; the others stand under it.
      report(finding(rule.info, fault, upgrade, isHurt, causedBy: isHurt ? cause : nil, in: context))
      if isHurt, cause == nil { cause = rule.info.id }
    }
    return cause
  }

  private static func finding(
    _ info: RuleInfo, _ fault: HandshakeFault, _ upgrade: Upgrade, _ isHurt: Bool, causedBy cause: RuleID?,
    in context: FlowContext
  ) -> Finding {
    var evidence = fault.evidence
    if isHurt, let answer = Evidence.status(upgrade.response, "the answer") { evidence.append(answer) }
    return Finding(
      info, severity: fault.severity, confidence: isHurt ? min(info.confidence, .medium) : info.confidence,
      subject: .connection(context.id), exchange: upgrade.exchange.number, direction: upgrade.request.direction,
      FindingMessage("\(upgrade.exchange.title): \(fault.what)."), cost: isHurt ? .failed(.exchange) : .none,
      fix: info.fix, causedBy: cause, evidence: evidence)
  }
}
