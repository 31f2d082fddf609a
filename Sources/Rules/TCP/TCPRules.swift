import Citation
import Events

/// The family tcp/: what segments themselves show.
struct TCPRules: Sendable {
  static let infos: [RuleInfo] = [
    ConnectRefused.info, OverlappingCopiesDiffer.info, ResetOutOfWindow.info, WriteAfterPeerFin.info,
    ResetAfterFin.info, ResetDiscardsResponse.info, FinWithData.info, HalfClose.info, ZeroWindow.info,
    RetransmissionGap.info, DelayedAckStall.info, ResetOfMessage.midMessage, ResetOfMessage.abortive, KeepAlives.only,
    KeepAlives.failed, SegmentBlackHole.info, WindowLimited.info, SmallSegments.info,
  ]
  static let interests: EventKinds = [.segment, .overlapConflict, .connectionClosed, .exchange]

  private var refused = ConnectRefused()
  private var overlap = OverlappingCopiesDiffer()
  private var outOfWindow = ResetOutOfWindow()
  private var ending = EndingStory()
  private var reset = ResetOfMessage()
  /// Made at the first observation that is neither a handshake nor an end: most connections are never held up, and
  /// thousands that have ended wait for a late packet.
  private var waits = Rare<TCPWaits>()

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    if case .exchange(let exchange) = event {
      reset.observe(exchange, in: context, report: report)
      return
    }
    refused.observe(event, in: context, report: report)
    overlap.observe(event, in: context, report: report)
    outOfWindow.observe(event, in: context, report: report)
    if case .segment(let seen) = event {
      ending.observe(seen)
      if waits.isEmpty, !TCPWaits.isUsual(seen.kind) { waits = Rare(TCPWaits()) }
      if !waits.isEmpty { waits.value.observe(seen, in: context, report: report) }
    } else if case .connectionClosed = event {
      WriteAfterPeerFin.judge(ending, in: context, report: report)
      ResetAfterFin.judge(ending, in: context, report: report)
      ResetDiscardsResponse.judge(ending, in: context, report: report)
      FinWithData.judge(ending, in: context, report: report)
      HalfClose.judge(ending, in: context, report: report)
      reset.close(ending, in: context, report: report)
      if !waits.isEmpty { waits.value.close(ending, in: context, report: report) }
    }
  }
}

/// The rules about what held a connection up.
private struct TCPWaits: Sendable {
  private var zeroWindow = ZeroWindow()
  private var retransmission = RetransmissionGap()
  private var delayedAck = DelayedAckStall()
  private var keepAlives = KeepAlives()
  private var blackHole = SegmentBlackHole()
  private var small = SmallSegments()

  /// What every connection shows, and what none of these rules asks about.
  static func isUsual(_ kind: TCPObservation.Kind) -> Bool {
    switch kind {
    case .syn, .synAck, .fin: true
    default: false
    }
  }

  mutating func observe(_ seen: TCPObservation, in context: FlowContext, report: (Finding) -> Void) {
    zeroWindow.observe(seen, in: context, report: report)
    retransmission.observe(seen, in: context)
    delayedAck.observe(seen, in: context)
    keepAlives.observe(seen)
    blackHole.observe(seen, in: context)
    small.observe(seen)
    WindowLimited.judge(seen, in: context, report: report)
  }

  mutating func close(_ ending: EndingStory, in context: FlowContext, report: (Finding) -> Void) {
    zeroWindow.close(in: context, report: report)
    retransmission.close(in: context, report: report)
    delayedAck.close(in: context, report: report)
    keepAlives.close(ending, in: context, report: report)
    blackHole.close(in: context, report: report)
    small.close(in: context, report: report)
  }
}
