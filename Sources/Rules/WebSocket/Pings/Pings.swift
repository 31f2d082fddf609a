import Citation
import Events
import WebSocketSemantics

/// Pings and what answers them.
///
/// Bounded: of each side the last pings that are not answered; of a flood the oldest are forgotten, and then nothing is
/// said of pongs that match none.
struct Pings: Sendable {
  static let infos: [RuleInfo] = [unanswered, mismatch, unsolicited, flood, slow]

  private static let unanswered = RuleInfo(
    id: "ws/ping-unanswered", severity: .warning, summary: "A ping was not answered.",
    explanation: """
      A pong is owed to every ping, though one may answer several. Where none comes, the other side's program hangs, does not \
      know pings, or something between drops them; and whoever pings takes the connection for dead.
      """,
    evidence: """
      The first ping without a pong, and how the connection ended. One that a Close or the end of TCP overtook within a \
      second is left alone, and so is a side whose bytes are missing. A client that leaves before a pong was due hurts nobody.
      """,
    fix: "Receiver: answer pings from the loop that reads, whatever the application does.",
    specifications: [.webSocket("5.5.2"), .webSocket("5.5.3")], thresholds: [.pongWait], since: "0.1")

  private static let mismatch = RuleInfo(
    id: "ws/pong-mismatch", severity: .error, summary: "A pong's payload is that of no ping.",
    explanation: """
      A pong repeats the payload of the ping it answers. One with other bytes answers nothing, and strict senders take their \
      ping for lost.
      """,
    evidence: "The ping that waits, and the pong. Their payloads are compared, and not shown.",
    fix: "Receiver: copy the ping's payload into the pong.", specifications: [.webSocket("5.5.3")], since: "0.1")

  private static let unsolicited = RuleInfo(
    id: "ws/pong-unsolicited", severity: .note, summary: "A pong came without a ping.",
    explanation: "It is allowed as a heartbeat in one direction, and is not answered.",
    evidence: "The first such pong.", fix: "Nobody has to do anything.", specifications: [.webSocket("5.5.3")],
    since: "0.1")

  private static let flood = RuleInfo(
    id: "ws/ping-flood", severity: .warning, summary: "A side sends pings without end.",
    explanation: """
      More than twenty in a second, for two seconds and more. Each is to be answered: it costs both sides time, and servers \
      end such connections for it.
      """,
    evidence: "The first and the last ping of two seconds.", fix: "Sender: ping every 20 to 30 seconds.",
    specifications: [.webSocket("5.5.2")], since: "0.1")

  private static let slow = RuleInfo(
    id: "ws/ping-rtt-high", severity: .warning, confidence: .medium,
    summary: "Pongs take much longer than the network.",
    explanation: """
      The round trip of TCP is short, and that of pings long: the time goes into the program that answers, whose loop is busy, \
      or into what is queued before the pong.
      """,
    evidence: "The ping that waited longest, and its pong.",
    fix: "Receiver: look for work that blocks the loop which reads and writes.",
    specifications: [.webSocket("5.5.3")], thresholds: [.pingRoundTrip], since: "0.1")

  private struct Side: Sendable {
    var ledger = PingLedger()
    var sent: UInt64 = 0
    var slowest: (ping: Frame, pong: Frame)?
    /// Of the last pings, to tell a flood.
    var times: [PacketRef] = []
    var flood: (from: PacketRef, to: PacketRef)?
    var mismatch: (ping: Frame, pong: Frame, count: UInt64)?
    var unsolicited: (pong: Frame, count: UInt64)?
  }

  private static let floodCount = 41
  private static let floodTime: Int64 = 2_000_000_000

  /// By who sent the pings; mismatches and unasked pongs by who sent the pongs.
  private var sides = BothDirections(repeating: Side())

  mutating func observe(_ frame: Frame, _ direction: Direction, _ story: SocketStory) {
    guard frame.isComplete, frame.length <= UInt64(Frame.controlLimit) else { return }
    if frame.opcode == .ping {
      sides[direction].sent += 1
      sides[direction].ledger.note(frame)
      noteTime(frame.released, direction)
    } else if frame.opcode == .pong {
      answer(frame, direction, story)
    }
  }

  private mutating func noteTime(_ packet: PacketRef, _ direction: Direction) {
    guard sides[direction].flood == nil else { return }
    if sides[direction].times.count == Self.floodCount { sides[direction].times.removeFirst() }
    sides[direction].times.append(packet)
    if sides[direction].times.count == Self.floodCount, let first = sides[direction].times.first,
      packet.time.since(first.time) <= Self.floodTime, packet.time.since(first.time) > 0
    {
      sides[direction].flood = (first, packet)
    }
  }

  private mutating func answer(_ pong: Frame, _ direction: Direction, _ story: SocketStory) {
    let pinger = direction.opposite
    if let ping = sides[pinger].ledger.answer(pong) {
      let took = pong.released.time.since(ping.released.time)
      let longest = sides[pinger].slowest.map { $0.pong.released.time.since($0.ping.released.time) } ?? -1
      if took > longest { sides[pinger].slowest = (ping, pong) }
      return
    }
    // What answers a ping that was not captured, or is forgotten, looks unasked for.
    guard !story.isMidstream, !story.sides[pinger].isLost, !sides[pinger].ledger.hasForgotten else { return }
    if let ping = sides[pinger].ledger.open.first {
      if sides[direction].mismatch == nil {
        sides[direction].mismatch = (ping, pong, 1)
      } else {
        sides[direction].mismatch?.count += 1
      }
    } else if sides[direction].unsolicited == nil {
      sides[direction].unsolicited = (pong, 1)
    } else {
      sides[direction].unsolicited?.count += 1
    }
  }

  /// Pings of a side without a pong, oldest first.
  func open(of direction: Direction) -> [Frame] { sides[direction].ledger.open }

  func close(
    _ story: SocketStory, _ record: WebSocketRecord, in context: FlowContext, report: (Finding) -> Void
  ) {
    for direction in Direction.allCases {
      let side = sides[direction]
      let who = Wording.sender(direction).atSentenceStart
      func tell(
        _ info: RuleInfo, _ direction: Direction, _ what: String, cost: Cost = .none, _ evidence: [Evidence],
        _ count: UInt64 = 1
      ) {
        report(story.finding(info, direction, what, cost: cost, evidence, count: count, in: context))
      }
      if let found = side.mismatch {
        tell(
          Self.mismatch, direction, "\(who) sent a pong with another payload than the ping that waits for one.",
          [
            .frame(found.ping, direction.opposite, "the ping that waits"),
            .frame(found.pong, direction, "the pong, with other bytes"),
          ], found.count)
      }
      if let found = side.unsolicited {
        tell(
          Self.unsolicited, direction, "\(who) sent \(Wording.count(found.count, "pong")) that no ping asked for.",
          [.frame(found.pong, direction, "no ping was open")], found.count)
      }
      if let found = side.flood {
        tell(
          Self.flood, direction,
          "\(who) sent \(Self.floodCount) pings in \(Wording.duration(found.to.time.since(found.from.time))), of \(Wording.number(side.sent)) in all.",
          [
            Evidence(.packet(found.from, direction), "the first of them"),
            Evidence(.packet(found.to, direction), "the last of them"),
          ])
      }
      if let slowest = side.slowest, record.pingRoundTrips[direction].count >= 3,
        let high = record.pingRoundTrips[direction].quantile(95),
        high > max(context.thresholds[.pingRoundTrip], 5 &* (context.roundTrip.total ?? 0))
      {
        let network = context.roundTrip.total.map { "; a round trip of TCP takes \(Wording.duration($0))" } ?? ""
        tell(
          Self.slow, direction.opposite,
          "Of \(Wording.count(record.pingRoundTrips[direction].count, "ping")) of \(Wording.sender(direction)) the slowest twentieth took \(Wording.duration(high)) and more\(network).",
          [
            .frame(slowest.ping, direction, "the ping that waited longest"),
            .frame(slowest.pong, direction.opposite, "its pong"),
          ])
      }
      judgeUnanswered(side, direction, story, context) { tell(Self.unanswered, direction, $0, cost: $1, $2, $3) }
    }
  }

  private func judgeUnanswered(
    _ side: Side, _ direction: Direction, _ story: SocketStory, _ context: FlowContext,
    _ tell: (String, Cost, [Evidence], UInt64) -> Void
  ) {
    guard let first = side.ledger.open.first, !side.ledger.hasForgotten, story.sides[direction].fault == nil,
      story.isWhole
    else {
      return
    }
    let asked = first.released
    // Whoever closes need not answer any more.
    if let close = story.firstClose, close.frame.released.time.since(asked.time) < 1_000_000_000 { return }
    let end = story.end
    let until = end?.packet ?? story.firstClose?.frame.released ?? story.lastFrame?.packet ?? asked
    let age = until.time.since(asked.time)
    // A younger pong may be on its way, whoever ends the connection; unless that end is the answer.
    let isDue = age > 1_000_000_000 &+ (context.roundTrip.total ?? 0)
    guard isDue || isKill(first, direction, story, context) else { return }
    let isOverdue = age >= context.thresholds[.pongWait] || side.ledger.open.count >= 3
    guard isOverdue || end != nil else { return }
    let isLeft = end.map { $0.by == story.client && !isOverdue } ?? false
    var evidence = [Evidence.frame(first, direction, "the ping")]
    var how = ""
    if let end, story.firstClose == nil {
      evidence.append(Evidence(.packet(end.packet, end.by), "\(end.isReset ? "RST" : "FIN"), and no pong before it"))
      how = ", until \(Wording.sender(end.by)) ended TCP"
    }
    tell(
      "\(side.ledger.open.count == 1 ? "A ping" : Wording.count(UInt64(side.ledger.open.count), "ping")) of \(Wording.sender(direction)) got no pong for \(Wording.duration(age))\(how).",
      end != nil && story.firstClose == nil && !isLeft ? .failed(.connection) : .none, evidence,
      UInt64(side.ledger.open.count))
  }

  /// The server ended TCP over the client's ping (see ws/drop-after-ping).
  private func isKill(_ ping: Frame, _ direction: Direction, _ story: SocketStory, _ context: FlowContext) -> Bool {
    guard let end = story.end, end.by != direction, direction == story.client, story.firstClose == nil,
      story.lastOpcode == .ping, story.lastFrame?.packet == ping.released
    else { return false }
    let after = end.packet.time.since(ping.released.time)
    return after <= context.thresholds[.dropAfter] &+ (context.roundTrip.total ?? 0)
  }
}
