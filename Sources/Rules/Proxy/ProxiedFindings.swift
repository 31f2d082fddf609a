import Citation
import Events

/// Findings about one connection that may be about one side of a proxy: a request that got no answer, of which the proxy told
/// its own client with an error; a page for a stream of an origin that refuses; a WebSocket that was ended without a Close,
/// and that behind it, too. Then what the other side shows is the story, and this is a part of it. Both end together.
///
/// Such a finding is held for a second of the capture's time, until that is known, where there is more than one server in
/// the capture. Bounded: where too many are held already, others are reported at once.
package struct ProxiedFindings: Sendable {
  private struct Held: Sendable {
    let finding: Finding
    let until: Timestamp
  }

  private static let patience: Int64 = 1_000_000_000
  private static let limit = 256
  private static let rules: Set<RuleID> = [
    UnansweredRequest.info.id, Proxy504BodyAsStream.info.id, IdleCut.info.id, CloseMissingFIN.info.id,
    CloseMissingRST.info.id,
  ]

  private var server: Endpoint?
  private var hasSeveral = false
  private var held: [Held] = []

  package init() {}

  package mutating func begin(_ parties: FindingParties) {
    guard !hasSeveral else { return }
    if let server { hasSeveral = server != parties.server } else { server = parties.server }
  }

  /// Whether it is held here, and is not to be reported now.
  package mutating func hold(_ finding: Finding, at clock: Timestamp) -> Bool {
    guard hasSeveral, finding.isDiagnosis, finding.causedBy == nil, Self.rules.contains(finding.rule),
      held.count < Self.limit
    else { return false }
    held.append(Held(finding: finding, until: clock.advanced(by: Self.patience)))
    return true
  }

  /// Those that were held long enough, in the order in which they came.
  package mutating func due(at clock: Timestamp) -> [Finding] {
    held.isEmpty ? [] : taken(held.firstIndex { clock < $0.until } ?? held.count)
  }

  package var isEmpty: Bool { held.isEmpty }

  /// All that are held.
  package mutating func all() -> [Finding] { taken(held.count) }

  private mutating func taken(_ count: Int) -> [Finding] {
    guard count > 0 else { return [] }
    defer { held.removeFirst(count) }
    return held.prefix(count).map(\.finding)
  }
}
