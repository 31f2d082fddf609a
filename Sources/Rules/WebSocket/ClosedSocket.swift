import Citation
import Events
import WebSocketSemantics

/// A WebSocket whose connection is over: what was sent on it, and what was watched in the meantime.
///
/// A class, because thirty rules are handed it one after the other: a copy of it takes 10,000 instructions.
final class ClosedSocket: Sendable {
  let story: SocketStory
  let record: WebSocketRecord
  let masks: MaskKeys
  /// nil where no message came in several frames.
  let fragments: Fragments?
  let order: CloseOrder
  let drops: Drops
  let pings: Pings
  /// nil where no message was of one byte.
  let heartbeats: AppHeartbeats?
  let pace: Pace
  let coalesced: CoalescedUnanswered
  let misread: SplitFrameMisread
  let segments: SegmentPerFrame
  /// nil where nothing was retransmitted.
  let halfOpen: HalfOpen?

  init(
    story: SocketStory, record: WebSocketRecord, masks: MaskKeys, fragments: Fragments?, order: CloseOrder,
    drops: Drops, pings: Pings, heartbeats: AppHeartbeats?, pace: Pace, coalesced: CoalescedUnanswered,
    misread: SplitFrameMisread, segments: SegmentPerFrame, halfOpen: HalfOpen?
  ) {
    self.story = story
    self.record = record
    self.masks = masks
    self.fragments = fragments
    self.order = order
    self.drops = drops
    self.pings = pings
    self.heartbeats = heartbeats
    self.pace = pace
    self.coalesced = coalesced
    self.misread = misread
    self.segments = segments
    self.halfOpen = halfOpen
  }
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
