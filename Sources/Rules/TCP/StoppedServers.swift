import Citation
import Events

/// Connections that a server ended in the middle of what they carried, until it is known whether it refused others at that
/// time: then its process stopped, or was restarted, and that is the one cause.
///
/// Held for some seconds of the capture's time. Bounded: where too many are held already, others are judged by what is
/// known.
package struct StoppedServers: Sendable {
  /// How a connection in use ends.
  private static let ends: Set<RuleID> = [
    MissingLastChunk.info.id, CLShort.info.id, UnansweredRequest.info.id, RSTMidMessage.info.id,
    CutAfterRoundSilence.info.id, CutAtKnownTimeout.info.id, CloseErrorCode.info.id, CloseMissingFIN.info.id,
    CloseMissingRST.info.id, ClosedWithOpenStreams.info.id, StreamCut.info.id,
  ]

  private var held = HeldBack<Finding>(
    nanoseconds: RefusalSeries.Spell.before + RefusedAttempts.patience + 1_000_000_000, limit: 256)

  package init() {}

  package func hasNone(dueAt clock: Timestamp) -> Bool { held.hasNone(dueAt: clock) }

  /// What is held is reported in any case, and may explain what comes meanwhile.
  package func isHeld(_ rule: RuleID) -> Bool { held.contains { $0.rule == rule } }

  /// Whether it is held here, and is not to be reported now; where its cause is known, it gets it. Without a time nothing
  /// more will be known.
  package mutating func hold(_ finding: inout Finding, at clock: Timestamp?, _ refusals: inout RefusedAttempts) -> Bool
  {
    guard Self.ends.contains(finding.rule), finding.causedBy == nil, finding.isDiagnosis, finding.isByServer,
      !refusals.explain(&finding), let clock
    else { return false }
    return held.hold(finding, at: clock)
  }

  /// Those that were held long enough, or without a time all of them.
  package mutating func taken(at clock: Timestamp?, _ refusals: inout RefusedAttempts) -> [Finding] {
    var findings = held.taken(at: clock)
    for at in findings.indices { _ = refusals.explain(&findings[at]) }
    return findings
  }
}

extension Finding {
  /// The last thing that it cites is of the server: its end of the connection.
  fileprivate var isByServer: Bool {
    let last = evidence.last { $0.packet?.number == lastPacket.number }
    return switch last?.place {
    case .packet(_, let side): side == .toClient
    case .bytes(_, let side): side == .toClient
    default: false
    }
  }
}
