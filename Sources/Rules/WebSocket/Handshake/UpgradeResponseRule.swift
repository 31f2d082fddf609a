import Citation
import Events
import HTTPSemantics

/// A rule that restates one property of a 101: a row of a table.
///
/// Told when the connection is over, because only then it is known whether the client took the answer: one that leaves at
/// once, without a single frame, did not, and the fault cost the connection. Else it is lint.
struct UpgradeResponseRule: Sendable {
  typealias Find = @Sendable (Upgrade, MessageHead) -> HandshakeFault?

  let info: RuleInfo
  /// Whether clients drop the connection for it.
  let isFatal: Bool
  let find: Find

  init(_ info: RuleInfo, isFatal: Bool = true, _ find: @escaping Find) {
    self.info = info
    self.isFatal = isFatal
    self.find = find
  }

  static let rows: [UpgradeResponseRule] =
    AcceptanceFaults.rows + SelectionFaults.rows + NegotiationFaults.rows

  /// Tells all faults, and answers the first that explains why a client left.
  static func observe(
    _ upgrade: Upgrade, _ answer: MessageHead, left: PacketRef?, in context: FlowContext, report: (Finding) -> Void
  ) -> RuleID? {
    var cause: RuleID?
    for row in rows {
      guard let fault = row.find(upgrade, answer) else { continue }
      let isHurt = row.isFatal && left != nil
      var evidence = fault.evidence
      if isHurt, let left {
        evidence.append(Evidence(.packet(left, upgrade.request.direction), "the client leaves without a frame"))
      }
      let finding = Finding(
        row.info, severity: fault.severity,
        confidence: isHurt ? min(row.info.confidence, .medium) : row.info.confidence,
        subject: .connection(context.id), exchange: upgrade.exchange.number,
        direction: upgrade.request.direction.opposite,
        FindingMessage("\(upgrade.exchange.title): \(fault.what)\(isHurt ? "; the client left without a frame" : "")."),
        cost: isHurt ? .failed(.connection) : .none, fix: row.info.fix, causedBy: isHurt ? cause : nil,
        evidence: evidence)
      if isHurt, cause == nil { cause = row.info.id }
      report(finding)
    }
    return cause
  }
}
