import Citation
import Events
import HTTPSemantics

/// A rule that restates one property of a request for WebSocket: a row of a table.
///
/// A request that was refused with a status that fits is hurt; that its fault was the reason is inferred, and the answer
/// is quoted. Where the server took it all the same, it is lint.
struct UpgradeRequestRule: Sendable {
  typealias Find = @Sendable (Upgrade) -> HandshakeFault?

  let info: RuleInfo
  /// Whether servers refuse it.
  let isRefusable: Bool
  let find: Find

  init(_ info: RuleInfo, isRefusable: Bool = true, _ find: @escaping Find) {
    self.info = info
    self.isRefusable = isRefusable
    self.find = find
  }

  static let rows: [UpgradeRequestRule] =
    RequestLineFaults.rows + KeyFaults.rows + DraftFaults.rows + ListFaults.rows + OriginFaults.rows
    + [Cleartext.rule]
  /// Inside of TLS nobody reads along.
  private static let secureRows = rows.filter { $0.info.id != Cleartext.rule.info.id }

  /// Answers of servers that did not see a request for WebSocket in it.
  static let fitting: Set<UInt16> = ExchangeRecord.misunderstood.union([200, 426])

  /// Tells all faults, and answers the first that explains a refusal: the order of the rows is that of likelihood.
  static func observe(_ upgrade: Upgrade, in context: FlowContext, report: (Finding) -> Void) -> RuleID? {
    var cause: RuleID?
    for row in context.isSecure ? secureRows : rows {
      guard let fault = row.find(upgrade) else { continue }
      let isHurt = row.isRefusable && fitting.contains(upgrade.status)
      var finding = row.finding(fault, upgrade, isHurt, in: context)
      // One fault explains the answer; the others stand under it.
      if isHurt, cause != nil { finding.causedBy = cause }
      if isHurt, cause == nil { cause = row.info.id }
      report(finding)
    }
    return cause
  }

  private func finding(
    _ fault: HandshakeFault, _ upgrade: Upgrade, _ isHurt: Bool, in context: FlowContext
  ) -> Finding {
    var evidence = fault.evidence
    if isHurt, let answer = Evidence.status(upgrade.response, "the answer") { evidence.append(answer) }
    return Finding(
      info, severity: fault.severity, confidence: isHurt ? min(info.confidence, .medium) : info.confidence,
      subject: .connection(context.id), exchange: upgrade.exchange.number, direction: upgrade.request.direction,
      FindingMessage("\(upgrade.exchange.title): \(fault.what)."), cost: isHurt ? .failed(.exchange) : .none,
      fix: info.fix, evidence: evidence)
  }
}
