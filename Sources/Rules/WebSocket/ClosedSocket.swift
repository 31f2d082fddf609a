import Citation
import Events
import WebSocketSemantics

/// A WebSocket whose connection is over: what was sent on it, and what was watched in the meantime.
struct ClosedSocket: Sendable {
  let story: SocketStory
  let record: WebSocketRecord
  let masks: MaskKeys
  /// nil where no message came in several frames.
  let fragments: Fragments?
  let order: CloseOrder
  let drops: Drops
  let pings: Pings
  let pace: Pace
  let coalesced: CoalescedUnanswered
  let misread: SplitFrameMisread
  let segments: SegmentPerFrame
  /// nil where nothing was retransmitted.
  let halfOpen: HalfOpen?
}

/// Judges a WebSocket when its connection is over.
protocol SocketRule: StoryRule where Story == ClosedSocket {}

/// Judges each direction of a WebSocket by itself.
protocol SocketSideRule: SocketRule {
  static func judge(
    _ direction: Direction, of socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void)
}

extension SocketSideRule {
  static func judge(_ socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void) {
    for direction in Direction.allCases { judge(direction, of: socket, in: context, report: report) }
  }
}
