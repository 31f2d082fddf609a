import Citation
import Events

/// Packets that the capture holds before what they acknowledge.
///
/// Lint: the traffic is well, its times are not. Those of a direction are added up and reported once, when the connection
/// is over.
struct Disorder: ConnectionRule {
  static let info = RuleInfo(
    id: "capture/disorder", severity: .note,
    summary: "The capture holds answers before what they answer.",
    explanation: """
      A packet acknowledges bytes of the other side that stand behind it in the capture. No host acknowledges what it has \
      not received: the capture was put together from two ports, two queues or two hosts whose stamps disagree. Bytes are \
      read in the order that the acknowledgements prove, and no waiting time is given where it would be negative. All \
      other times between the two directions are wrong by as much or more.
      """,
    evidence: """
      The first such packet, and the one that brought what it acknowledges. A packet whose acknowledged bytes never come \
      does not count: these are a hole.
      """,
    fix: """
      Record both directions with one clock: one interface, or both ports of a tap on one card with hardware stamps; with \
      one queue (ethtool -L … combined 1). Where two files were merged, correct the offset of one first (editcap -t).
      """,
    specifications: [
      Specification("RFC 9293 §3.10.7.4", "https://www.rfc-editor.org/rfc/rfc9293#section-3.10.7.4")
    ],
    since: "0.1")
  static var interests: EventKinds { .segment | .connectionClosed }

  private struct Ahead: Sendable {
    let first: TCPObservation
    var packets: UInt64 = 0
    var most: UInt64 = 0
  }

  private var ahead = Rare<BothDirections<Ahead?>>()

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    switch event {
    case .segment(let seen):
      guard seen.kind == .aheadOfAcknowledged else { return }
      ahead.make(BothDirections(repeating: nil))
      var side = ahead.value[seen.direction] ?? Ahead(first: seen)
      side.packets += 1
      side.most = max(side.most, seen.value)
      ahead.value[seen.direction] = side
    case .connectionClosed:
      guard !ahead.isEmpty else { return }
      for direction in Direction.allCases {
        // In the order of the file alone: the times are right.
        if let side = ahead.value[direction], side.most > 0 { report(finding(side, direction, context)) }
      }
    default: break
    }
  }

  private func finding(_ side: Ahead, _ direction: Direction, _ context: FlowContext) -> Finding {
    var evidence = [Evidence(.packet(side.first.packet, direction), "acknowledges bytes that stand behind it")]
    if let later = side.first.earlier { evidence.append(Evidence(.packet(later, direction.opposite), "brings them")) }
    var finding = Finding(
      Self.info, subject: .connection(context.id), direction: direction,
      .ahead(side.packets, direction, Int64(clamping: side.most)), cost: .none, fix: Self.info.fix, evidence: evidence)
    finding.count = side.packets
    return finding
  }
}

extension FindingMessage {
  fileprivate static func ahead(_ packets: UInt64, _ direction: Direction, _ most: Int64) -> Self {
    """
    \(Wording.count(packets, "packet")) of \(Wording.sender(direction)) \(packets == 1 ? "stands" : "stand") before \
    what \(packets == 1 ? "it acknowledges" : "they acknowledge"), by up to \(Wording.duration(most)): times between \
    the two directions are wrong by as much or more.
    """
  }
}
