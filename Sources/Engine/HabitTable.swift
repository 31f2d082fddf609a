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
    // Without the findings themselves: one is large, and is copied for each comparison.
    let order = findings.indices.map { (order: findings[$0].order, at: $0) }.sorted { $0.order < $1.order }
    return order.map { findings[$0.at] }
  }
}
