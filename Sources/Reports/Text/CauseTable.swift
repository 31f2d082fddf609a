import Citation
import Events

/// What one rule found over the whole capture.
struct Cause {
  let rule: RuleID
  var severity: Severity
  /// Connections, those of findings that are about many of them apart.
  private var single: UInt64 = 0
  private var last: Int?
  private var several: Set<Int> = []
  var count: UInt64
  var cost: Cost
  /// One of them is, at least.
  var isProven = false
  var firstConnection: Int
  var firstPacket: UInt64
  /// Endpoints where it was found, up to a limit.
  var places: Set<EndpointName> = []
  static let placeLimit = 1_000

  init(rule: RuleID, severity: Severity, count: UInt64, cost: Cost, firstConnection: Int, firstPacket: UInt64) {
    self.rule = rule
    self.severity = severity
    self.count = count
    self.cost = cost
    self.firstConnection = firstConnection
    self.firstPacket = firstPacket
  }

  var connections: UInt64 { single + UInt64(several.count) }

  /// Findings of one connection mostly come one after the other.
  mutating func addConnections(of finding: Finding) {
    if finding.isOfEndpoint {
      several.formUnion(finding.alsoOn)
      if let connection = finding.connection { several.insert(connection) }
    } else if finding.connection == nil || finding.connection != last {
      single += 1 + UInt64(finding.alsoOn.count)
      last = finding.connection
    }
  }

  /// The first of them, and how many more there are.
  var place: String {
    guard let first = places.min() else { return "" }
    let more = places.count > 1 ? ", \(Wording.number(UInt64(places.count - 1))) more" : ""
    return EscapedText.text("\(first.method) \(first.path)") + more
  }
}

/// Totals of findings by rule.
struct CauseTable {
  private var diagnosed: [RuleID: Cause] = [:]
  private var remarked: [RuleID: Cause] = [:]

  mutating func add(_ finding: Finding) {
    guard finding.causedBy == nil else { return }
    var cause =
      (finding.isDiagnosis ? diagnosed : remarked)[finding.rule]
      ?? Cause(
        rule: finding.rule, severity: finding.shownSeverity, count: 0, cost: .none,
        firstConnection: finding.connection ?? 0, firstPacket: finding.firstPacket.number)
    cause.severity = max(cause.severity, finding.shownSeverity)
    if finding.isProven { cause.isProven = true }
    cause.addConnections(of: finding)
    cause.count += finding.count
    cause.cost = cause.cost.adding(finding.cost)
    if let place = finding.place, cause.places.count < Cause.placeLimit { cause.places.insert(place) }
    if finding.firstPacket.number < cause.firstPacket {
      cause.firstPacket = finding.firstPacket.number
      cause.firstConnection = finding.connection ?? 0
    }
    if finding.isDiagnosis { diagnosed[finding.rule] = cause } else { remarked[finding.rule] = cause }
  }

  /// Worst first.
  var diagnoses: [Cause] {
    diagnosed.values.sorted { left, right in
      if left.severity != right.severity { return left.severity > right.severity }
      if left.connections != right.connections { return left.connections > right.connections }
      if left.isProven != right.isProven { return left.isProven }
      if left.cost.weight != right.cost.weight { return left.cost.weight > right.cost.weight }
      return left.rule < right.rule
    }
  }

  var lint: [Cause] { remarked.values.sorted { ($1.count, $0.rule) < ($0.count, $1.rule) } }
}
