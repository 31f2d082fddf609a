import Citation
import Events

/// Findings about one connection that may be about one side of a proxy: a request that got no answer, of which the
/// proxy told its own client with an error; a page for a stream, or a WebSocket not opened, of an origin that refuses;
/// a response that was cut, or had stopped before; a WebSocket that was ended without a Close, or with an error code, and
/// that behind it, too; what a proxy passed on. Then what the other side shows is the story, and this is a part of it. Both end together.
///
/// Such a finding is held for a second of the capture's time, until that is known, where there is more than one server in
/// the capture. Bounded: where too many are held already, others are reported at once.
package struct ProxiedFindings: Sendable {
  private static let rules: Set<RuleID> = PassedFindings.rules.union([
    UnansweredRequest.info.id, Proxy504BodyAsStream.info.id, IdleCut.info.id, CloseMissingFIN.info.id,
    CloseMissingRST.info.id, HSRefusedGateway.info.id, ReplyAfterClose.info.id, MissingLastChunk.info.id,
    CutAfterRoundSilence.info.id, CutAtKnownTimeout.info.id, CLShort.info.id, CloseErrorCode.info.id,
  ])

  private var server: Endpoint?
  private var hasSeveral = false
  private var held = HeldBack<Finding>(nanoseconds: 1_000_000_000, limit: 256)

  package init() {}

  package mutating func begin(_ parties: FindingParties) {
    guard !hasSeveral else { return }
    if let server { hasSeveral = server != parties.server } else { server = parties.server }
  }

  /// Whether it is held here, and is not to be reported now.
  package mutating func hold(_ finding: Finding, at clock: Timestamp) -> Bool {
    hasSeveral && finding.isDiagnosis && finding.causedBy == nil && Self.rules.contains(finding.rule)
      && held.hold(finding, at: clock)
  }

  /// What is held is reported in any case, and may explain what comes meanwhile.
  package func isHeld(_ rule: RuleID) -> Bool { held.contains { $0.rule == rule } }

  package var isEmpty: Bool { held.isEmpty }

  /// Those that were held long enough, or without a time all of them.
  package mutating func taken(at clock: Timestamp?) -> [Finding] { held.taken(at: clock) }
}
