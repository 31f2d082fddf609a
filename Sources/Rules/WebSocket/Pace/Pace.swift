import Citation
import Events
import WebSocketSemantics

/// How messages are written and taken.
struct Pace: Sendable {
  static let infos: [RuleInfo] = [oneWay, tiny, split, pressure]

  private static let oneWay = RuleInfo(
    id: "ws/one-way", severity: .note, summary: "Messages go one way only.",
    explanation: """
      A stream in one direction needs no WebSocket: server-sent events pass every proxy, come back by themselves after a cut, \
      and are compressed like any response.
      """,
    evidence: "The first and the last message.", fix: "Server: consider server-sent events.",
    specifications: [.webSocket("1.1")], thresholds: [.oneWayCount, .oneWayTime], since: "0.1")

  private static let tiny = RuleInfo(
    id: "ws/tiny-flood", severity: .warning, summary: "Very many very small messages are sent.",
    explanation: """
      Two hundred messages a second and more, of less than 64 bytes: most of what travels are headers, and both programs are \
      woken for each.
      """,
    evidence: "The first and the last message of two such seconds.",
    fix: "Sender: collect what comes within some milliseconds into one message.", specifications: [.webSocket("1.1")],
    since: "0.1")

  private static let split = RuleInfo(
    id: "ws/header-payload-split", severity: .note, summary: "Header and payload of frames are written apart.",
    explanation: """
      Two calls for one small frame make two packets, and the second may wait for the acknowledgement of the first, which \
      receivers delay by some 40 ms (Nagle's algorithm).
      """,
    evidence: "The first such frame: the packet of its header and that of its payload.",
    fix: "Sender: write header and payload in one call, and set TCP_NODELAY.", specifications: [.webSocket("5.2")],
    thresholds: [.splitFrames], since: "0.1")

  private static let pressure = RuleInfo(
    id: "ws/backpressure", severity: .warning, summary: "A frame waited because the receiver did not read.",
    explanation: """
      The receiver's window was shut in the middle of the frame: its program is slower than what it is sent. Everything \
      behind waits with it, pings too, so that a keep-alive may end a connection that is only busy.
      """,
    evidence: "The beginning of the frame that waited longest, the shut window, and the frame's end.",
    fix:
      "Sender: look at the amount buffered before sending more, and drop or join what is out of date. Receiver: read on.",
    specifications: [.webSocket("5.4")], thresholds: [.framePause], since: "0.1")

  private struct Side: Sendable {
    var messages: UInt64 = 0
    var first: PacketRef?
    var last: PacketRef?
    /// The second that is counted, and two in a row that were floods.
    var second: (from: PacketRef, count: UInt64, bytes: UInt64)?
    var floods = 0
    var flood: (from: PacketRef, to: PacketRef, count: UInt64, bytes: UInt64)?
    var small: UInt64 = 0
    var apart: UInt64 = 0
    var firstApart: Frame?
    /// The last time that this side shut its window.
    var shut: PacketRef?
    var held: (frame: Frame, shut: PacketRef)?
  }

  private static let tinyRate: UInt64 = 200
  private static let tinyMean: UInt64 = 64
  private static let secondLength: Int64 = 1_000_000_000

  private var sides = BothDirections(repeating: Side())

  mutating func observe(_ seen: TCPObservation) {
    if seen.kind == .zeroWindow { sides[seen.direction].shut = seen.packet }
  }

  mutating func observe(_ frame: Frame, _ direction: Direction, _ thresholds: Thresholds) {
    guard frame.isComplete, !frame.opcode.isControl else { return }
    if frame.length > 0, frame.length <= PlainFrame.smallLimit {
      sides[direction].small += 1
      if let header = frame.headerReleased, header.number < frame.span.last.number,
        frame.span.first.number == header.number
      {
        sides[direction].apart += 1
        if sides[direction].firstApart == nil { sides[direction].firstApart = frame }
      }
    }
    if let shut = shut(from: frame.span.first, to: frame.released, direction, thresholds[.framePause]) {
      hold(frame, direction, shut)
    }
  }

  /// When the window was shut, of a frame that took long.
  private func shut(
    from first: PacketRef, to last: PacketRef, _ direction: Direction, _ pause: Int64
  ) -> PacketRef? {
    guard last.time.since(first.time) > pause, let shut = sides[direction.opposite].shut,
      shut.number >= first.number, shut.number <= last.number
    else { return nil }
    return shut
  }

  private mutating func hold(_ frame: Frame, _ direction: Direction, _ shut: PacketRef) {
    let took = frame.released.time.since(frame.span.first.time)
    let longest = sides[direction].held.map { $0.frame.released.time.since($0.frame.span.first.time) } ?? 0
    if took > longest { sides[direction].held = (frame, shut) }
  }

  mutating func observe(_ message: WebSocketMessage) {
    guard message.isComplete else { return }
    note(message.wireBytes, message.direction, message.span.first, message.released)
  }

  mutating func observe(_ frame: PlainFrame, _ pause: Int64) {
    let direction = frame.direction
    if 1...PlainFrame.smallLimit ~= frame.length { sides[direction].small += 1 }
    if frame.last.number != frame.packet.number,
      let shut = shut(from: frame.packet, to: frame.last, direction, pause)
    {
      hold(frame.frame, direction, shut)
    }
    note(frame.length, direction, frame.packet, frame.last)
  }

  /// The frame of a plain message, which is not told as such.
  mutating func observe(plain frame: Frame, _ direction: Direction) {
    note(frame.length, direction, frame.span.first, frame.released)
  }

  private mutating func note(_ bytes: UInt64, _ direction: Direction, _ first: PacketRef, _ released: PacketRef) {
    sides[direction].messages += 1
    if sides[direction].first == nil { sides[direction].first = first }
    sides[direction].last = released
    guard let second = sides[direction].second else {
      sides[direction].second = (released, 1, bytes)
      return
    }
    let age = released.time.since(second.from.time)
    if age < Self.secondLength {
      sides[direction].second = (second.from, second.count + 1, second.bytes &+ bytes)
      return
    }
    let isFlood =
      second.count >= Self.tinyRate && second.bytes / second.count < Self.tinyMean && age < 2 * Self.secondLength
    if isFlood {
      let before = sides[direction].floods > 0 ? sides[direction].flood : nil
      sides[direction].floods += 1
      if sides[direction].floods <= 2 {
        sides[direction].flood = (
          before?.from ?? second.from, released, (before?.count ?? 0) + second.count,
          (before?.bytes ?? 0) &+ second.bytes
        )
      }
    } else if sides[direction].floods < 2 {
      sides[direction].floods = 0
      sides[direction].flood = nil
    }
    sides[direction].second = (released, 1, bytes)
  }

  func close(_ story: SocketStory, in context: FlowContext, report: (Finding) -> Void) {
    func tell(_ info: RuleInfo, _ direction: Direction, _ what: String, cost: Cost = .none, _ evidence: [Evidence]) {
      report(
        story.finding(info, direction, what, cost: cost, evidence, in: context))
    }
    for direction in Direction.allCases {
      let side = sides[direction]
      let who = Wording.sender(direction).atSentenceStart
      if let first = side.first, let last = side.last, sides[direction.opposite].messages == 0, story.isWhole,
        side.messages >= UInt64(max(1, context.thresholds[.oneWayCount])),
        last.time.since(first.time) >= context.thresholds[.oneWayTime]
      {
        tell(
          Self.oneWay, direction,
          "\(who) sent \(Wording.count(side.messages, "message")) in \(Wording.duration(last.time.since(first.time))), and the other side none.",
          [
            Evidence(.packet(first, direction), "the first message"),
            Evidence(.packet(last, direction), "the last one"),
          ])
      }
      if side.floods >= 2, let flood = side.flood {
        tell(
          Self.tiny, direction,
          "\(who) sent \(Wording.count(flood.count, "message")) of \(Wording.bytes(flood.bytes / max(1, flood.count))) on average in \(Wording.duration(flood.to.time.since(flood.from.time))).",
          [
            Evidence(.packet(flood.from, direction), "the first of them"),
            Evidence(.packet(flood.to, direction), "the last"),
          ])
      }
      if let frame = side.firstApart, side.apart >= UInt64(max(1, context.thresholds[.splitFrames])),
        side.apart * 2 >= side.small
      {
        tell(
          Self.split, direction,
          "\(who) wrote header and payload of \(Wording.number(side.apart)) of \(Wording.count(side.small, "small frame")) apart.",
          [
            .frame(frame, direction, "the header"), Evidence(.packet(frame.span.last, direction), "its payload"),
          ])
      }
      if let held = side.held {
        let took = held.frame.released.time.since(held.frame.span.first.time)
        tell(
          Self.pressure, direction,
          "A \(held.frame.name) frame of \(Wording.bytes(held.frame.length)) took \(Wording.duration(took)): \(Wording.receiver(direction)) did not read.",
          cost: .delay(nanoseconds: took),
          [
            .frame(held.frame, direction, "the frame begins"),
            Evidence(.packet(held.shut, direction.opposite), "the window is shut"),
            Evidence(.packet(held.frame.released, direction), "the frame's end"),
          ])
      }
    }
  }
}
