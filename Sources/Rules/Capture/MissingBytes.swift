import Citation
import Events

/// Bytes of a stream that the capture lacks.
///
/// Holes of a direction are added up and reported once, when the connection is over.
struct MissingBytes: ConnectionRule {
  static let info = RuleInfo(
    id: "capture/missing-bytes", severity: .warning,
    summary: "The capture lacks bytes of a stream.",
    explanation: """
      The receiver acknowledged bytes that no captured packet carries, packets were cut by the snapshot length, or \
      data lies beyond a hole that was never filled. The connection may have been healthy: the recording is \
      incomplete. Data is not joined across such a hole: a message in it is reported as unfinished, and timings start \
      again after it.
      """,
    evidence: """
      The acknowledgement that covers the first hole, or the packet behind it. A segment that only came late does not \
      count: the program waits for it and fills the hole. Where the receiver acknowledges the bytes in front of the hole \
      again when it has what is behind, and no more until the end, the network lost the bytes, and the finding says so.
      """,
    fix: """
      Capture again with a larger buffer (tcpdump -B 65536), a filter that fits (port …), the whole packet (-s 0), and \
      on a host that sees both directions. Check the count of "packets dropped by kernel" that tcpdump prints.
      """,
    specifications: [],
    since: "0.1")
  static var interests: EventKinds { .gap | .connectionClosed }

  private struct Holes: Sendable {
    var bytes: UInt64 = 0
    var count: UInt64 = 0
    var bySnaplen: UInt64 = 0
    var acknowledged: UInt64 = 0
    var lostOnPath: UInt64 = 0
    var first: SequenceGap?
  }

  private var holes = BothDirections(repeating: Holes())

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    switch event {
    case .gap(let gap, let direction):
      let bytes = gap.range.upperBound - gap.range.lowerBound
      holes[direction].bytes &+= bytes
      holes[direction].count += 1
      if gap.cause == .snaplen { holes[direction].bySnaplen &+= bytes }
      if gap.isLostOnPath { holes[direction].lostOnPath &+= bytes }
      if gap.cause == .notCaptured { holes[direction].acknowledged &+= bytes }
      if holes[direction].first == nil { holes[direction].first = gap }
    case .connectionClosed:
      for direction in Direction.allCases {
        if let first = holes[direction].first { report(finding(holes[direction], first, direction, context)) }
      }
    default: break
    }
  }

  private static let lostFix = "Network: find the hop that loses packets on the way to the receiver."

  private func finding(
    _ holes: Holes, _ first: SequenceGap, _ direction: Direction, _ context: FlowContext
  ) -> Finding {
    let isCut = holes.bySnaplen == holes.bytes
    let isLostOnPath = holes.lostOnPath == holes.bytes
    var evidence: [Evidence] = []
    if let before = first.before, before.number != first.packet.number {
      evidence.append(Evidence(.packet(before, direction), "last packet before the first hole"))
    }
    evidence.append(Evidence(.packet(first.packet, nil), first.cause.words))
    var finding = Finding(
      Self.info, confidence: holes.acknowledged > 0 || isCut || isLostOnPath ? .high : .medium,
      subject: .connection(context.id),
      direction: direction, .missing(holes.bytes, holes.count, direction, isLostOnPath: isLostOnPath), cost: .none,
      fix: isLostOnPath ? Self.lostFix : Self.info.fix,
      evidence: evidence)
    finding.count = holes.count
    return finding
  }
}

extension SequenceGap.Cause {
  fileprivate var words: String {
    switch self {
    case .notCaptured: "acknowledges bytes that were not captured"
    case .snaplen: "cut by the snapshot length"
    case .neverArrived: "last packet seen while the hole was open"
    case .holdLimit: "more data waited behind the hole than the program buffers"
    }
  }
}

extension FindingMessage {
  fileprivate static func missing(
    _ bytes: UInt64, _ holes: UInt64, _ direction: Direction, isLostOnPath: Bool
  ) -> Self {
    isLostOnPath
      ? """
      \(Wording.bytes(bytes)) of \(Wording.sender(direction))'s stream never came, in \
      \(Wording.count(holes, "hole")): \(Wording.sender(direction.opposite)) still asked for them when it had what is behind them.
      """
      : """
      \(Wording.bytes(bytes)) of \(Wording.sender(direction))'s stream are not in the capture, in \
      \(Wording.count(holes, "hole")).
      """
  }
}
