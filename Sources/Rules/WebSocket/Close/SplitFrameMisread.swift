import Citation
import Events
import WebSocketSemantics

/// A server that takes what one read gives it for a whole frame, and answers the part of a frame that came first.
struct SplitFrameMisread: SocketRule {
  static let info = RuleInfo(
    id: "ws/split-frame-misread", severity: .warning, confidence: .low,
    summary: "A server took the first segment of a frame for all of it.",
    explanation: """
      A frame longer than a segment comes in several reads. A server that hands each read to its decoder as a frame answers \
      the first part, takes the rest for another frame, and ends the connection over that. It shows only with long messages, \
      or on slow networks.
      """,
    evidence: """
      The client's frame, and the answer that is as long as the part of it in the first segment. Inferred from that length \
      and from the end behind it.
      """,
    fix: "Server: keep what was read until the frame's announced length is there.", specifications: [.webSocket("5.2")],
    thresholds: [.dropAfter], since: "0.1")

  private struct Question: Sendable {
    let frame: Frame
    let part: UInt64
    /// What the server sent first after it.
    var answer: Frame?
  }

  /// The client's last frame, if it came in several segments.
  private var asked = Rare<Question>()

  mutating func observe(_ frame: Frame, firstPart: UInt64, _ direction: Direction, _ client: Direction) {
    guard !frame.opcode.isControl else { return }
    if direction == client {
      if !asked.isEmpty { asked.remove() }
      if frame.isComplete, frame.span.first.number != frame.span.last.number, firstPart > 0 {
        asked = Rare(Question(frame: frame, part: firstPart))
      }
    } else if !asked.isEmpty, asked.value.answer == nil {
      asked.value.answer = frame
    }
  }

  /// The same of a plain one: a frame is made only of those that matter.
  @inline(__always)
  mutating func observe(_ frame: PlainFrame, _ client: Direction) {
    if frame.direction == client, frame.packet.number == frame.last.number {
      if !asked.isEmpty { asked.remove() }
    } else if frame.direction == client || !asked.isEmpty && asked.value.answer == nil {
      observe(frame.frame, firstPart: UInt64(frame.firstPart), frame.direction, client)
    }
  }

  static func judge(_ socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void) {
    let story = socket.story
    guard let asked = socket.misread.asked.copy, let answer = asked.answer, let end = story.end,
      end.by == story.client.opposite, story.isWhole,
      answer.length == asked.part, asked.part < asked.frame.length,
      answer.span.first.number > asked.frame.span.first.number,
      story.close(of: story.client) == nil,
      end.packet.time.since(max(answer.released, asked.frame.released).time)
        <= context.thresholds[.dropAfter] &+ (context.roundTrip.total ?? 0)
    else { return }
    report(
      story.finding(
        info, end.by,
        "The client sent a frame of \(Wording.bytes(asked.frame.length)), \(Wording.bytes(asked.part)) of it in its first segment; the server answered \(Wording.bytes(answer.length)), and ended the connection.",
        cost: .failed(.connection),
        [
          .frame(asked.frame, story.client, "a frame in several segments"),
          .frame(answer, end.by, "an answer as long as the first part"),
          Evidence(.packet(end.packet, end.by), end.isReset ? "RST" : "FIN"),
        ], in: context))
  }
}

private func max(_ one: PacketRef, _ other: PacketRef) -> PacketRef { one.number > other.number ? one : other }
