import Citation
import Events

/// The findings of one connection: one per rule, exchange and direction, with a count. Beyond `limit` of them those of
/// further exchanges are counted in one per rule and direction, which says so.
struct FindingSet: Sendable {
  private struct Key: Hashable {
    let rule: RuleID
    let exchange: Int?
    let direction: Direction?

    init(_ finding: Finding) {
      rule = finding.rule
      exchange = finding.exchange
      direction = finding.direction
    }
  }

  /// Quoted per finding; further occurrences are counted.
  private static let evidenceLimit = 8
  static let limit = 4_096
  /// From so many on they are found by their key: a long connection has a finding for each of its exchanges.
  private static let searched = 16
  private var findings: [Finding] = []
  private var places: [Key: Int] = [:]

  var count: Int { findings.count }

  mutating func add(_ finding: Finding) {
    let key = Key(finding)
    guard let at = place(of: key) else {
      if findings.count >= Self.limit, finding.exchange != nil { return add(ofLater: finding) }
      findings.append(finding)
      if findings.count == Self.searched {
        for index in findings.indices { places[Key(findings[index])] = index }
      } else if findings.count > Self.searched {
        places[key] = findings.count - 1
      }
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

  private mutating func add(ofLater finding: Finding) {
    var rest = finding
    rest.exchange = nil
    rest.message.text += " Findings of this rule on later exchanges of the connection are counted with this one."
    add(rest)
  }

  private func place(of key: Key) -> Int? {
    findings.count < Self.searched ? findings.firstIndex { Key($0) == key } : places[key]
  }

  mutating func taken() -> [Finding] {
    defer {
      findings.removeAll()
      places.removeAll()
    }
    return findings
  }
}
