import Citation
import Events

/// Compares where clients connect with what DNS told them: private resolvers, rewritten URLs and pinned addresses show
/// there.
struct DNSWatch: CaptureWatcher {
  private var names = ResolvedNames()
  private var misdirected = MisdirectedRequests()
  private var attempts = AddressAttempts()

  mutating func observe(_ asked: AskedExchange, in context: FlowContext, report: (Finding) -> Void) {
    // Most captures have no answers of name servers.
    if !names.isEmpty { misdirected.observe(asked, &names, in: context) }
  }

  mutating func observe(
    _ event: Event, _ thresholds: Thresholds, in context: FlowContext?, report: (Finding) -> Void
  ) {
    switch event {
    case .named(let answer): names.add(answer)
    case .tlsClosed(let session):
      if let context, !names.isEmpty { misdirected.observe(session, &names, in: context) }
    case .connectionClosed(let end):
      if let context { attempts.close(end, names, in: context) }
    default: break
    }
  }

  mutating func finish(_ capture: CaptureRecord, _ thresholds: Thresholds, report: (Finding) -> Void) {
    for request in misdirected.finish(names) {
      for rule in RuleIndex.misdirectedRequestRules { rule.judge(request, thresholds, report: report) }
    }
    for address in attempts.finish(capture, names) {
      for rule in RuleIndex.failedAddressRules { rule.judge(address, thresholds, report: report) }
    }
  }

  /// Reports a finding about an exchange, after what explains it.
  func explain(
    _ finding: Finding, _ asked: AskedExchange, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard let lost = LostCookie(finding, asked, names, in: context) else { return report(finding) }
    var finding = finding
    for rule in RuleIndex.lostCookieRules {
      rule.judge(lost, in: context) { lead in
        finding.causedBy = lead.rule
        report(lead)
      }
    }
    report(finding)
  }
}
