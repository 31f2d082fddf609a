import Citation
import Events

/// The findings of one connection: one per rule, exchange and direction, with a count.
struct FindingSet: Sendable {
  /// Quoted per finding; further occurrences are counted.
  private static let evidenceLimit = 8
  private var findings: [Finding] = []

  mutating func add(_ finding: Finding) {
    guard
      let at = findings.firstIndex(where: {
        $0.rule == finding.rule && $0.direction == finding.direction && $0.exchange == finding.exchange
      })
    else {
      findings.append(finding)
      return
    }
    findings[at].count &+= finding.count
    findings[at].cost = findings[at].cost.adding(finding.cost)
    findings[at].severity = max(findings[at].severity, finding.severity)
    findings[at].confidence = min(findings[at].confidence, finding.confidence)
    if finding.lastPacket.number > findings[at].lastPacket.number { findings[at].lastPacket = finding.lastPacket }
    let room = Self.evidenceLimit - findings[at].evidence.count
    if room >= finding.evidence.count { findings[at].evidence.append(contentsOf: finding.evidence) }
  }

  mutating func taken() -> [Finding] {
    defer { findings.removeAll() }
    return findings
  }
}
