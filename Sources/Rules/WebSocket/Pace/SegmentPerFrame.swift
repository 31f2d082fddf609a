import Citation
import Events
import WebSocketSemantics

/// Small frames in quick succession, each in a segment of its own.
struct SegmentPerFrame: SocketSideRule {
  static let info = RuleInfo(
    id: "ws/segment-per-frame", severity: .note, summary: "Small frames in a row are sent one segment each.",
    explanation: """
      A segment costs some 60 bytes of headers and an interruption on both machines, whatever it carries. Frames that are \
      written within the same few milliseconds can share one; a program that calls write for each, with TCP_NODELAY set, \
      does not let them.
      """,
    evidence: "The first and the last frame of that kind.",
    fix: "Sender: collect what is ready and write it at once, or cork the socket while there is more.",
    specifications: [.webSocket("5.2")], thresholds: [.segmentFrames], since: "0.1")

  /// Frames closer than this could have shared a segment.
  private static let near: Int64 = 5_000_000

  private struct Side: Sendable {
    var before: PacketRef?
    var small: UInt64 = 0
    var alone: UInt64 = 0
    var first: PacketRef?
    var last: PacketRef?
  }

  private var sides = BothDirections(repeating: Side())

  @inline(__always)
  mutating func observe(_ packet: PacketRef, length: UInt64, _ direction: Direction) {
    defer { sides[direction].before = packet }
    // What answers a frame of the other side could not have been sent before it came.
    sides[direction.opposite].before = nil
    guard length <= PlainFrame.smallLimit, let before = sides[direction].before,
      packet.time.since(before.time) <= Self.near
    else { return }
    sides[direction].small += 1
    guard packet.number != before.number else { return }
    sides[direction].alone += 1
    if sides[direction].first == nil { sides[direction].first = before }
    sides[direction].last = packet
  }

  static func judge(
    _ direction: Direction, of socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void
  ) {
    let side = socket.segments.sides[direction]
    guard side.alone >= UInt64(max(1, context.thresholds[.segmentFrames])), side.alone * 10 >= side.small * 9,
      let first = side.first, let last = side.last
    else { return }
    report(
      socket.story.finding(
        info, direction,
        "\(Wording.sender(direction).atSentenceStart) sent \(Wording.count(side.alone, "small frame")) within \(Wording.duration(near)) of the one before, each in a segment of its own.",
        [
          Evidence(.packet(first, direction), "the first of them"), Evidence(.packet(last, direction), "the last"),
        ], count: side.alone, in: context))
  }
}

extension Threshold {
  static let segmentFrames = Threshold(
    "ws.segment-frames", .count, 50, "small frames in a row, each in its own segment")
}
