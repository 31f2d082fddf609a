import Citation
import Events
import WebSocketSemantics

/// A server that answers each message, and of several that come in one segment only the first.
struct CoalescedUnanswered: SocketRule {
  static let info = RuleInfo(
    id: "ws/coalesced-unanswered", severity: .note, confidence: .low,
    summary: "Of several messages in one segment the server answered one.",
    explanation: """
      TCP has no borders between writes: messages sent one after the other arrive together. A server that takes what it reads at \
      once for one frame reads the first and drops the rest. It shows only under load, or on the first quick typing.
      """,
    evidence: """
      The segment with several messages. Inferred: every message that came alone was answered by exactly one, and those \
      that came together by one for all.
      """,
    fix: "Server: read frames until the buffer is empty, and keep what is left for the next read.",
    specifications: [.webSocket("5.2")], since: "0.1")

  private var packet: PacketRef?
  private var together: UInt64 = 0
  private var answers: UInt64 = 0
  private var alone: UInt64 = 0
  private var aloneAnswered: UInt64 = 0
  private var groups: UInt64 = 0
  private var unanswered: (packet: PacketRef, messages: UInt64)?
  private var lost: UInt64 = 0
  private var groupsUnanswered: UInt64 = 0

  mutating func observe(_ frame: Frame, _ direction: Direction, _ client: Direction) {
    guard !frame.opcode.isControl, frame.isComplete, frame.isFinal else { return }
    guard direction == client else {
      if packet != nil { answers += 1 }
      return
    }
    ask(in: frame.span.first, frame.released)
  }

  mutating func observe(_ frame: PlainFrame, _ client: Direction) {
    if frame.direction == client {
      ask(in: frame.packet, frame.last)
    } else if packet != nil {
      answers += 1
    }
  }

  private mutating func ask(in first: PacketRef, _ last: PacketRef) {
    // One that began in an earlier segment was read with that one.
    let isWithin = first.number == last.number
    if isWithin, packet?.number == last.number {
      together += 1
    } else {
      settle()
      packet = isWithin ? last : nil
      together = isWithin ? 1 : 0
    }
  }

  private mutating func settle() {
    defer { answers = 0 }
    guard let packet else { return }
    if together == 1 {
      alone += 1
      if answers == 1 { aloneAnswered += 1 }
    } else if together > 1 {
      groups += 1
      guard answers == 1 else { return }
      groupsUnanswered += 1
      lost += together - 1
      if unanswered == nil { unanswered = (packet, together) }
    }
  }

  static func judge(_ socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void) {
    let story = socket.story
    var seen = socket.coalesced
    seen.settle()
    guard let unanswered = seen.unanswered, story.isWhole, seen.alone > 0, seen.aloneAnswered == seen.alone,
      seen.groupsUnanswered == seen.groups
    else { return }
    report(
      story.finding(
        info, story.client.opposite,
        "\(Wording.count(unanswered.messages, "message")) of the client came in one segment, and the server answered one of them; those that came alone it answered each.",
        [
          Evidence(
            .packet(unanswered.packet, story.client), "\(Wording.number(unanswered.messages)) messages in one segment")
        ], count: seen.lost, in: context))
  }
}
