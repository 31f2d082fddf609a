import Events

/// What was checked, over all captures, and the results.
struct CheckTally {
  let policy: CheckPolicy
  private(set) var captures: UInt64 = 0
  private var connections: UInt64 = 0
  private var streams: UInt64 = 0
  private var packets: UInt64 = 0
  private var findings: [Severity: UInt64] = [:]
  private(set) var isFailed = false
  private var asserted: UInt64 = 0
  private var failedAssertions: UInt64 = 0
  private var undecided: UInt64 = 0
  /// Findings that were not reported: the configuration ignores them, or the baseline has them.
  var ignored: UInt64 = 0
  var known: UInt64 = 0
  /// Captures that could not be read.
  var unreadable: UInt64 = 0

  init(_ policy: CheckPolicy) {
    self.policy = policy
  }

  mutating func add(_ finding: Finding) {
    guard policy.counts(finding) else { return }
    findings[finding.severity, default: 0] += 1
    if policy.fails(finding) { isFailed = true }
  }

  mutating func add(_ summary: Summary) {
    captures += 1
    connections += summary.connections
    streams += summary.streams
    packets &+= summary.capture.packets
    unreadable &+= summary.capture.unreadableMembers
    if policy.fails(summary) { isFailed = true }
    asserted += UInt64(summary.assertions.count)
    let failed = UInt64(summary.assertions.count { $0.verdict == .failed })
    failedAssertions += failed
    // An inconclusive assertion is neither a pass nor a failure: it is counted.
    undecided += UInt64(summary.assertions.count { $0.verdict == .inconclusive })
    if failed > 0 { isFailed = true }
  }

  var isClean: Bool { findings.isEmpty && unreadable == 0 && undecided == 0 && !isFailed }

  private var assertions: String {
    guard asserted > 0 else { return "" }
    let counts = [(failedAssertions, "failed"), (undecided, "inconclusive")].filter { $0.0 > 0 }
    let words = counts.map { "\(Wording.number($0.0)) \($0.1)" }.joined(separator: ", ")
    return "; \(Wording.count(asserted, "assertion")), " + (words.isEmpty ? "all passed" : words)
  }

  /// `3 captures, 41 connections, 12 streams, 20,114 packets; 0 findings`
  var line: String {
    let read = [(captures, "capture"), (connections, "connection"), (streams, "stream"), (packets, "packet")]
    let words = read.map { Wording.count($0, $1) }.joined(separator: ", ")
    let total = findings.values.reduce(0, +)
    let kinds = Severity.allCases.reversed().compactMap { severity in
      findings[severity].map { Wording.count($0, severity.name) }
    }
    let unread = unreadable > 0 ? ", \(Wording.count(unreadable, "file")) not readable" : ""
    return words + unread + "; " + Wording.count(total, "finding")
      + (kinds.isEmpty ? "" : " (\(kinds.joined(separator: ", ")))")
      + (known > 0 ? ", \(Wording.number(known)) known" : "")
      + (ignored > 0 ? ", \(Wording.number(ignored)) ignored" : "") + assertions
  }
}
