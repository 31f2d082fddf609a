import Citation
import Events
import Reports

/// What was checked, over all captures, and the results.
struct CheckTally {
  let policy: CheckPolicy
  private(set) var captures: UInt64 = 0
  private var connections: UInt64 = 0
  private var streams: UInt64 = 0
  private var packets: UInt64 = 0
  private var findings: [Severity: UInt64] = [:]
  /// Findings that follow from another, which is counted.
  private var consequences: UInt64 = 0
  /// Of the capture that is being checked: what leads to their first causes. Bounded; those beyond count for themselves.
  private var chain = CauseChain()
  private var followers: [Follower] = []
  private var chained = 0
  private static let chainLimit = 50_000
  private(set) var isFailed = false
  private var asserted: UInt64 = 0
  private var failedAssertions: UInt64 = 0
  private var undecided: UInt64 = 0
  /// Findings that were not reported: the configuration ignores them, or the baseline has them.
  var ignored: UInt64 = 0
  var known: UInt64 = 0
  /// Captures that could not be read.
  var unreadable: UInt64 = 0

  private struct Follower {
    var cause: String
    var connection: Int64?
    var severity: Severity
  }

  init(_ policy: CheckPolicy) {
    self.policy = policy
  }

  mutating func add(_ finding: Finding) {
    guard policy.counts(finding) else { return }
    if policy.fails(finding) { isFailed = true }
    let connection = finding.connection.map { Int64($0) }
    let isChained = chained < Self.chainLimit
    if isChained {
      chained += 1
      chain.add(finding.rule.text, causedBy: finding.causedBy?.text, on: connection)
    }
    if isChained, let cause = finding.causedBy {
      followers.append(Follower(cause: cause.text, connection: connection, severity: finding.severity))
    } else {
      findings[finding.severity, default: 0] += 1
    }
  }

  /// A consequence whose cause is not reported counts for itself.
  private mutating func settle() {
    for follower in followers {
      if chain.root(of: follower.cause, on: follower.connection) != nil {
        consequences += 1
      } else {
        findings[follower.severity, default: 0] += 1
      }
    }
    (chain, chained) = (CauseChain(), 0)
    followers.removeAll()
  }

  mutating func add(_ summary: Summary) {
    settle()
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
      + (consequences > 0
        ? ", \(Wording.number(consequences)) that follow\(consequences == 1 ? "s" : "") from \(total == 1 ? "it" : "them")"
        : "")
      + (known > 0 ? ", \(Wording.number(known)) known" : "")
      + (ignored > 0 ? ", \(Wording.number(ignored)) ignored" : "") + assertions
  }
}
