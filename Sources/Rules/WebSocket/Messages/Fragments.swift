import Citation
import Events
import WebSocketSemantics

/// Messages in several frames.
struct Fragments: Sendable {
  static let infos: [RuleInfo] = [orphan, interleaved, unfinished, storm, stall]

  private static let orphan = RuleInfo(
    id: "ws/fragment-orphan-continuation", severity: .error,
    summary: "A continuation frame continues nothing.",
    explanation: """
      A message begins with a text or binary frame; a continuation without one cannot be read. A receiver has to end the \
      connection with Close 1002. A sender that forgets whether it is inside a message, or two that write at once, do this.
      """,
    evidence: "The first such frame.", fix: "Sender: begin each message with its opcode.",
    specifications: [.webSocket("5.4")], since: "0.1")

  private static let interleaved = RuleInfo(
    id: "ws/fragment-interleaved", severity: .error,
    summary: "A new message begins inside another one.",
    explanation: """
      The fragments of one message must not be mixed with those of another: only control frames may stand between. A \
      receiver has to end the connection with Close 1002. Two writers on one connection without a lock do this.
      """,
    evidence: "The message that is open, and the frame that begins another.",
    fix: "Sender: finish a message before the next one; one writer for each connection.",
    specifications: [.webSocket("5.4")], since: "0.1")

  private static let unfinished = RuleInfo(
    id: "ws/fragment-unfinished", severity: .error,
    summary: "A connection was ended in the middle of a message.",
    explanation: """
      The last fragment never came: the sender closed the WebSocket or TCP before. The receiver drops what it has of the \
      message.
      """,
    evidence: "The message's first frame, and the Close, FIN or RST of its sender.",
    fix: "Sender: finish the message, with an empty final fragment at worst, before closing.",
    specifications: [.webSocket("5.4"), .webSocket("7.1.1")], since: "0.1")

  private static let storm = RuleInfo(
    id: "ws/fragment-storm", severity: .warning,
    summary: "A message is cut into very many very small fragments.",
    explanation: """
      Every fragment has a header of 2 to 14 bytes and a turn of both programs. Streams that write what they have, token by \
      token, into one message do this; some receivers limit the number of fragments.
      """,
    evidence: "The first and the last packet of the message; the message has number and mean.",
    fix: "Sender: collect some hundred bytes for a fragment, or send a message for each piece.",
    specifications: [.webSocket("5.4")], thresholds: [.stormFrames, .stormMean], since: "0.1")

  private static let stall = RuleInfo(
    id: "ws/fragment-stall", severity: .warning,
    summary: "A message waited long for its next fragment.",
    explanation: """
      Most APIs hand a message over when it is whole: a pause inside one holds it, and everything behind it, back. A stream \
      that keeps one message open for its life is never delivered at all.
      """,
    evidence: "The fragments before and after the pause.",
    fix: "Sender: begin a message when all of it is there, or send a message for each piece.",
    specifications: [.webSocket("5.4")], thresholds: [.fragmentPause], since: "0.1")

  private struct Open: Sendable {
    var first: Frame
    var last: Frame
    var frames: UInt64 = 1
    var bytes: UInt64
  }

  private struct Sighting: Sendable {
    var frames: [Frame]
    var count: UInt64 = 1
  }

  private struct Side: Sendable {
    var open: Open?
    var orphan: Sighting?
    var interleaved: Sighting?
    /// A message that was open at the side's own Close.
    var closedInside: Open?
    var stall: (from: PacketRef, to: PacketRef, count: UInt64)?
    var storm: (message: WebSocketMessage, count: UInt64)?
  }

  private var sides = BothDirections(repeating: Side())

  mutating func observe(_ frame: Frame, _ direction: Direction, _ story: inout SocketStory, _ thresholds: Thresholds) {
    if frame.opcode == .close, frame.isComplete, story.sides[direction].close == nil {
      sides[direction].closedInside = sides[direction].open
    }
    // A frame of which only a byte came says no more than what it is.
    guard !frame.opcode.isControl, frame.opcode.rawValue <= 2 else { return }
    if frame.opcode == .continuation {
      continueMessage(frame, direction, &story, thresholds)
    } else {
      if let open = sides[direction].open {
        if sides[direction].interleaved == nil {
          sides[direction].interleaved = Sighting(frames: [open.first, frame])
          story.note(fault: Self.interleaved.id, frame.span.first, direction)
        } else {
          sides[direction].interleaved?.count += 1
        }
      }
      sides[direction].open = frame.isFinal ? nil : Open(first: frame, last: frame, bytes: frame.received)
    }
  }

  private mutating func continueMessage(
    _ frame: Frame, _ direction: Direction, _ story: inout SocketStory, _ thresholds: Thresholds
  ) {
    guard let open = sides[direction].open else {
      if sides[direction].orphan == nil {
        // Mid-stream, or after a hole, the beginning may be what is missing.
        guard !story.isMidstream || story.sides[direction].frames > 0 else { return }
        sides[direction].orphan = Sighting(frames: [frame])
        story.note(fault: Self.orphan.id, frame.span.first, direction)
      } else {
        sides[direction].orphan?.count += 1
      }
      return
    }
    let pause = frame.span.first.time.since(open.last.released.time)
    if pause > thresholds[.fragmentPause] {
      let known = sides[direction].stall
      if known.map({ pause > $0.to.time.since($0.from.time) }) ?? true {
        sides[direction].stall = (open.last.released, frame.span.first, (known?.count ?? 0) + 1)
      } else {
        sides[direction].stall?.count += 1
      }
    }
    if frame.isFinal, frame.isComplete {
      sides[direction].open = nil
    } else {
      sides[direction].open?.last = frame
      sides[direction].open?.frames += 1
      sides[direction].open?.bytes &+= frame.received
    }
  }

  mutating func observe(_ message: WebSocketMessage, _ thresholds: Thresholds) {
    guard message.frames >= 8 else { return }
    let mean = message.wireBytes / message.frames
    let isMany =
      message.frames >= UInt64(max(1, thresholds[.stormFrames])) && mean < UInt64(max(1, thresholds[.stormMean]))
    guard isMany || mean < 16 else { return }
    if sides[message.direction].storm == nil {
      sides[message.direction].storm = (message, 1)
    } else {
      sides[message.direction].storm?.count += 1
    }
  }

  func close(_ story: SocketStory, in context: FlowContext, report: (Finding) -> Void) {
    for direction in Direction.allCases {
      let side = sides[direction]
      let who = Wording.sender(direction).atSentenceStart
      func tell(
        _ info: RuleInfo, _ what: String, cost: Cost, _ evidence: [Evidence], causedBy: RuleID? = nil, count: UInt64 = 1
      ) {
        report(
          story.finding(info, direction, what, cost: cost, causedBy: causedBy, evidence, count: count, in: context))
      }
      if let found = side.orphan, let frame = found.frames.first {
        let death = story.death(after: frame.span.first, of: direction, in: context)
        tell(
          Self.orphan, "\(who) sent a continuation frame, and no message is open.",
          cost: death == nil ? .none : .failed(.connection),
          [.frame(frame, direction, "continues nothing")] + [death].compactMap { $0 }, count: found.count)
      }
      if let found = side.interleaved, let frame = found.frames.last {
        let death = story.death(after: frame.span.first, of: direction, in: context)
        tell(
          Self.interleaved, "\(who) began a \(frame.name) message inside another one.",
          cost: death == nil ? .none : .failed(.connection),
          [.frame(found.frames[0], direction, "this message is open"), .frame(frame, direction, "another one begins")]
            + [death].compactMap { $0 }, count: found.count)
      }
      if let stall = side.stall {
        let pause = stall.to.time.since(stall.from.time)
        tell(
          Self.stall,
          "A message of \(Wording.sender(direction)) waited \(Wording.duration(pause)) for its next fragment.",
          cost: .delay(nanoseconds: pause),
          [
            Evidence(.packet(stall.from, direction), "the fragment before"),
            Evidence(.packet(stall.to, direction), "the next one"),
          ], count: stall.count)
      }
      if let found = side.storm {
        let message = found.message
        let mean = message.wireBytes / max(1, message.frames)
        tell(
          Self.storm,
          "\(who) cut a message of \(Wording.bytes(message.wireBytes)) into \(Wording.number(message.frames)) frames of \(Wording.bytes(mean)) on average.",
          cost: .none,
          [
            Evidence(.packet(message.span.first, direction), "the message begins"),
            Evidence(.packet(message.span.last, direction), "and ends"),
          ], count: found.count)
      }
      judgeUnfinished(side, direction, story, context, tell)
    }
  }

  private func judgeUnfinished(
    _ side: Side, _ direction: Direction, _ story: SocketStory, _ context: FlowContext,
    _ tell: (RuleInfo, String, Cost, [Evidence], RuleID?, UInt64) -> Void
  ) {
    guard !story.sides[direction].isLost, let open = side.closedInside ?? side.open else { return }
    let end: Evidence
    if side.closedInside != nil, let close = story.sides[direction].close {
      end = .frame(close, direction, "closes the WebSocket")
    } else if let tcp = story.end, story.sides[direction].close == nil {
      end = Evidence(.packet(tcp.packet, tcp.by), "\(Wording.sender(tcp.by)) ends the connection")
    } else {
      return
    }
    let by = side.closedInside != nil ? direction : story.end?.by ?? direction
    tell(
      Self.unfinished,
      "A \(open.first.name) message of \(Wording.sender(direction)) has no end: \(Wording.sender(by)) closed after \(Wording.count(open.frames, "frame")) and \(Wording.bytes(open.bytes)) of it.",
      open.bytes > 0 ? .lost(bytes: open.bytes) : .none, [.frame(open.first, direction, "the message begins"), end],
      story.sides[direction].fault?.rule, 1)
  }
}
