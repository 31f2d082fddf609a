import Events

/// Findings about the habit of an agent or a server, which shows on connection after connection: the first of each is
/// kept until the capture is read, and the others are counted in it.
///
/// Bounded: the habits of so many agents and servers are folded, and those of others are shown as they come.
struct HabitTable: Sendable {
  private struct Key: Hashable {
    let rule: RuleID
    let habit: Int
  }

  private static let limit = 1_024
  private var places: [Key: Int] = [:]
  private var findings: [Finding] = []

  /// Whether it is kept or counted here, and is not to be shown now.
  mutating func take(_ finding: Finding) -> Bool {
    guard let habit = finding.habit else { return false }
    let key = Key(rule: finding.rule, habit: habit)
    if let at = places[key] {
      findings[at].count &+= finding.count
      if finding.lastPacket.number > findings[at].lastPacket.number { findings[at].lastPacket = finding.lastPacket }
      return true
    }
    guard findings.count < Self.limit else { return false }
    places[key] = findings.count
    findings.append(finding)
    return true
  }

  /// What was kept, by its packets.
  mutating func taken() -> [Finding] {
    defer {
      findings.removeAll()
      places.removeAll()
    }
    // Their places are sorted: a finding is large, and sorting moves what it sorts about.
    let order = findings.indices.sorted { Finding.isBefore(findings[$0], findings[$1]) }
    return order.map { findings[$0] }
  }
}
