import Citation
import Events
import WebSocketSemantics

/// A WebSocket whose other end is gone: what is sent is retransmitted, and not even TCP answers.
struct HalfOpen: SocketSideRule {
  static let info = RuleInfo(
    id: "ws/half-open", severity: .warning,
    summary: "One side sends, and the other is gone without having closed.",
    explanation: """
      A machine that lost power or its network, or a middlebox that evicted the connection, leaves one end that \
      believes it is connected: TCP retransmits for minutes before it reports an error to its program. Until then the \
      application sees an open WebSocket that is silent.
      """,
    evidence: """
      The first copy of what was never acknowledged, and the last. Nothing of the other side came in between: no frame, no \
      acknowledgement, no reset.
      """,
    fix: """
      Both: send pings and end the connection when one is not answered within seconds; TCP_USER_TIMEOUT shortens the rest.
      """,
    specifications: [.webSocket("5.5.2")],
    causedBy: ["stream/silent-blackhole", "tcp/host-silent", "stream/peer-gone", "tcp/retransmission-gap"], since: "0.1"
  )

  /// Copies beyond the first: one may be lost on any network.
  private static let copies = 2

  private struct Side: Sendable {
    var start: UInt64 = 0
    var copies = 0
    var first: PacketRef?
    var last: PacketRef?
    var lost: Range<UInt64>?
  }

  private var sides = BothDirections(repeating: Side())

  mutating func observe(_ seen: TCPObservation) {
    switch seen.kind {
    case .retransmissionTimeout, .retransmission:
      let start = seen.range.lowerBound
      if sides[seen.direction].copies == 0 || sides[seen.direction].start != start {
        sides[seen.direction] = Side(start: start, first: seen.earlier ?? seen.packet)
      }
      sides[seen.direction].copies += 1
      sides[seen.direction].last = seen.packet
    case .neverAcknowledged: sides[seen.direction].lost = seen.range
    default: break
    }
  }

  static func judge(
    _ direction: Direction, of socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard let halfOpen = socket.halfOpen else { return }
    let story = socket.story
    let side = halfOpen.sides[direction]
    guard side.copies >= Self.copies, let first = side.first, let last = side.last, let lost = side.lost,
      lost.contains(side.start), !context.isOneSided, story.sides[direction.opposite].last != nil,
      story.sides[direction.opposite].fin == nil, story.sides[direction.opposite].reset == nil,
      story.sides[direction.opposite].last.map({ $0.released.number < first.number }) ?? true
    else { return }
    let waited = last.time.since(first.time)
    report(
      story.finding(
        info, direction,
        "\(Wording.sender(direction).atSentenceStart) sent the same bytes \(Wording.number(UInt64(side.copies) + 1)) times in \(Wording.duration(waited)), and nothing came back: \(Wording.bytes(lost.upperBound - lost.lowerBound)) were never acknowledged.",
        cost: .failed(.connection),
        [
          Evidence(.packet(first, direction), "sent first"),
          Evidence(.packet(last, direction), "sent for the last time, and not acknowledged"),
        ], in: context))
  }
}
