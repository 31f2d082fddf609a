import Citation
import Events
import Reports
import Synchronization

/// Applies the configuration and the baseline to each finding before it is reported: they change its severity or drop it.
///
/// It is called in the order of the captures and names in the end the entries that matched nothing.
final class FindingReview: Sendable {
  private struct State: Sendable {
    var used: Set<Int> = []
    var ignored: UInt64 = 0
    var known: UInt64 = 0
    var ordinals = FindingOrdinals()
    /// Entries of the baseline that did not occur.
    var awaited: [String: Baseline.Entry] = [:]
    var occurred = Baseline()
    var cut: UInt64 = 0
  }

  private let configuration: Configuration
  private let policy: CheckPolicy
  private let today: CivilDate
  /// All findings of this run are written to the baseline.
  private let isWritten: Bool
  private let known: Set<String>
  private let state: Mutex<State>

  init(_ configuration: Configuration, baseline: Baseline?, isWritten: Bool, today: CivilDate) {
    self.configuration = configuration
    self.isWritten = isWritten
    self.today = today
    policy = configuration.policy
    let entries = baseline?.entries ?? []
    known = Set(entries.map(\.fingerprint))
    var state = State()
    for entry in entries { state.awaited[entry.fingerprint] = entry }
    self.state = Mutex(state)
  }

  /// Whether the finding is reported.
  func accepts(_ finding: inout Finding) -> Bool {
    if let choice = configuration.severity(of: finding.rule) {
      guard let severity = choice else { return false }
      finding.severity = severity
    }
    let told = finding
    return state.withLock { state in !isIgnored(told, &state) && !isKnown(told, &state) }
  }

  private func isIgnored(_ finding: Finding, _ state: inout State) -> Bool {
    var isIgnored = false
    for (index, entry) in configuration.ignores.enumerated()
    where !entry.isExpired(on: today) && entry.matches(finding) {
      isIgnored = true
      state.used.insert(index)
    }
    // Lint outside the verdict needs no entry, and is not counted.
    if isIgnored, policy.counts(finding) { state.ignored += 1 }
    return isIgnored
  }

  private func isKnown(_ finding: Finding, _ state: inout State) -> Bool {
    guard isWritten || !known.isEmpty, policy.counts(finding) else { return false }
    let entry = state.ordinals.entry(finding)
    state.awaited[entry.fingerprint] = nil
    var isKnown = known.contains(entry.fingerprint)
    if isWritten {
      if state.occurred.entries.count < Baseline.limit {
        state.occurred.entries.append(entry)
        isKnown = true
      } else {
        state.cut += 1
      }
    }
    if isKnown { state.known += 1 }
    return isKnown
  }

  // MARK: At the end

  var ignored: UInt64 { state.withLock { $0.ignored } }
  var knownCount: UInt64 { state.withLock { $0.known } }
  var occurred: Baseline { state.withLock { $0.occurred } }

  /// Expired entries of ignores.
  var expired: [String] {
    configuration.ignores.compactMap { entry in
      guard let expires = entry.expires, entry.isExpired(on: today) else { return nil }
      return "\(entry.origin): the \(entry.words) expired on \(expires.text)"
    }
  }

  /// Entries that matched no finding, after all captures.
  func unneeded(_ baseline: String?) -> [String] {
    let (used, awaited, cut) = state.withLock { ($0.used, $0.awaited, $0.cut) }
    var words = configuration.ignores.enumerated().compactMap { index, entry in
      used.contains(index) || entry.isExpired(on: today) ? nil : "\(entry.origin): the \(entry.words) matched nothing"
    }
    if let baseline {
      let gone = awaited.values.map { "\($0.words) (\($0.fingerprint))" }.sorted()
      words += gone.prefix(Self.shownLimit).map { "\(baseline): \($0) no longer occurs" }
      if gone.count > Self.shownLimit {
        words.append("\(baseline): \(gone.count - Self.shownLimit) more no longer occur")
      }
    }
    if cut > 0 { words.append("\(Wording.count(cut, "finding")) left out: a baseline holds \(Baseline.limit)") }
    return words
  }

  private static let shownLimit = 20
}
