import Citation
import Events

/// A pause that ended when lost bytes were retransmitted.
struct RetransmissionGap: ConnectionRule {
  static let info = RuleInfo(
    id: "tcp/retransmission-gap", severity: .warning,
    summary: "The stream stalled until lost bytes were retransmitted.",
    explanation: """
      TCP delivers bytes in order, so one lost segment holds up all that came after it. If enough of them follow, \
      duplicate acknowledgements bring the copy within a round trip; the last segment of a burst has none after it, \
      and waits for the sender's timer: 200 ms at least on Linux, a second by RFC 6298, and doubled each time. On a \
      stream of small messages it looks as if the server had paused.
      """,
    evidence: """
      The first copy, or where that was lost before this capture point, the packet that showed the hole; then the copy \
      that filled it. The wait is measured between these two. Where no such wait shows, a pause of a body of two seconds in \
      which bytes were retransmitted, as an outage looks from the receiver's side. A pause without a retransmission does not \
      count, unless its sender's IP identifications count packets that never came, in a stream with a steady beat \
      (stream/stalled-together), with low confidence; nor do segments that were too large for the path, where an ICMP \
      error says so, and copies whose \
      acknowledgement echoes the timestamp of the first one, which had arrived. In a direction in which other bytes \
      came under the same numbers (tcp/overlap-conflict) only losses count that the receiver asked for, by duplicate \
      acknowledgements.
      """,
    fix: """
      Network: find where packets are lost (interface counters, a policer, Wi-Fi); captures on both ends show on which \
      side. Sender: tail loss probes and RACK (standard on current Linux) turn most of these waits into a round trip.
      """,
    specifications: [
      Specification("RFC 6298 §5", "https://www.rfc-editor.org/rfc/rfc6298#section-5"),
      Specification("RFC 8985 §7", "https://www.rfc-editor.org/rfc/rfc8985#section-7"),
    ],
    thresholds: [.lossGap, .lossOutage], causedBy: ["tcp/mss-blackhole", "tcp/host-silent"], since: "0.1")

  static var interests: EventKinds { .segment | .pause | .overlapConflict | .connectionClosed }

  /// Bytes that were sent more than once, in whatever segments.
  private struct Loss: Sendable {
    var range: Range<UInt64>
    var first: PacketRef
    var last: TCPObservation
    var copies = 1
    /// The receiver asked for them, before the copy came.
    var isAsked = false
    /// A copy was acknowledged.
    var hasArrived = false
    /// Its sender went on until the connection was over, and heard nothing.
    var wasInVain = false

    /// Whether so many copies show no effect; where a copy filled a hole, its acknowledgement is not waited for.
    var isInVain: Bool { !hasArrived && last.kind != .retransmissionOfUnseen && copies >= RetransmissionGap.ladder }

    /// Some of the same bytes, or the next ones in the same go.
    func goesOn(in seen: TCPObservation) -> Bool {
      seen.range.overlaps(range)
        || seen.range.lowerBound == range.upperBound && seen.packet.sharesMoment(with: last.packet)
    }
  }

  /// Waits that ended, and the first of them.
  private struct Tally: Sendable {
    var count: UInt64 = 0
    var nanoseconds: Int64 = 0
    var cited: [Loss] = []

    mutating func add(_ loss: Loss, _ time: Int64) {
      count &+= 1
      nanoseconds &+= time
      if cited.count < RetransmissionGap.quoted { cited.append(loss) }
    }
  }

  private struct Losses: Sendable {
    var current: Loss?
    var all = Tally()
    /// Those that the receiver asked for.
    var asked = Tally()
    /// The end of the last wait: what waited at the same time is not counted twice.
    var until = Timestamp.zero
    /// Probes of a closed window repeat bytes, too, and nothing is lost then.
    var isShut = false
    /// The newest ICMP message that a segment was too large: what it cost is another rule's.
    var tooLarge: PacketRef?
    /// A copy's bytes differ from the first one's: what repeats sequence numbers need not be a copy.
    var isInConflict = false
    var outage = Outage()
    /// The newest duplicate acknowledgement of the receiver.
    var newestAsk: PacketRef?

    /// The receiver asked for what `copy` brings, behind `first`.
    func isAsked(_ copy: TCPObservation, since first: PacketRef) -> Bool {
      copy.kind == .retransmissionFast || newestAsk.map { $0.number > first.number } ?? false
    }
  }

  private static let quoted = 3
  /// So many copies of the same bytes are a timer that backs off.
  private static let ladder = 3
  /// An acknowledgement later than this, or than four round trips, does not answer the copy.
  private static let prompt: Int64 = 2_000_000_000
  private static let longestTimer: Int64 = 10_000_000_000
  private static let longestBackoff: Int64 = 120_000_000_000
  /// By the direction of the data.
  private var losses = Rare<BothDirections<Losses>>()

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    switch event {
    case .segment(let seen): observe(seen, in: context)
    case .overlapConflict(_, let direction):
      losses.make(BothDirections(repeating: Losses()))
      losses.value[direction].isInConflict = true
    case .pause(let pause) where pause.cause == .retransmission:
      losses.make(BothDirections(repeating: Losses()))
      losses.value[pause.direction].outage.note(pause)
    case .connectionClosed: close(in: context, report: report)
    default: break
    }
  }

  private mutating func observe(_ seen: TCPObservation, in context: FlowContext) {
    switch seen.kind {
    case .zeroWindow:
      losses.make(BothDirections(repeating: Losses()))
      losses.value[seen.direction.opposite].isShut = true
      return
    case .windowUpdate:
      if !losses.isEmpty { losses.value[seen.direction.opposite].isShut = false }
      return
    case .duplicateAck:
      losses.make(BothDirections(repeating: Losses()))
      losses.value[seen.direction.opposite].newestAsk = seen.packet
      return
    case .icmpError where seen.isTooLargeForPath:
      losses.make(BothDirections(repeating: Losses()))
      losses.value[seen.direction].tooLarge = seen.packet
      return
    case .retransmissionTimeout, .retransmissionFast, .retransmissionOfUnseen, .retransmission:
      losses.make(BothDirections(repeating: Losses()))
    case .copyAcknowledged:
      if !losses.isEmpty { settle(copy: seen, context) }
      return
    case .neverAcknowledged:
      guard !losses.isEmpty else { return }
      // What was never delivered had no gap that ended.
      if let current = losses.value[seen.direction].current, current.range.lowerBound >= seen.range.lowerBound {
        losses.value[seen.direction].current = nil
      }
      return
    default: return
    }
    let direction = seen.direction
    losses.value[direction].outage.note(copy: seen.packet)
    guard let earlier = seen.earlier, !seen.range.isEmpty, !losses.value[direction].isShut
    else { return }
    if var loss = losses.value[direction].current, loss.goesOn(in: seen) {
      if !seen.packet.sharesMoment(with: loss.last.packet) { loss.copies += 1 }
      loss.last = seen
      loss.isAsked = loss.isAsked || losses.value[direction].isAsked(seen, since: loss.first)
      loss.range =
        min(loss.range.lowerBound, seen.range.lowerBound)..<max(loss.range.upperBound, seen.range.upperBound)
      losses.value[direction].current = loss
      return
    }
    settle(direction, context)
    losses.value[direction].current = Loss(
      range: seen.range, first: earlier, last: seen, isAsked: losses.value[direction].isAsked(seen, since: earlier))
  }

  /// Where the first copy had arrived, nothing was lost; and where the last one was acknowledged much later, it is not what
  /// ended the wait.
  private mutating func settle(copy seen: TCPObservation, _ context: FlowContext) {
    if seen.value == 1 { losses.value[seen.direction].outage.note(answer: seen.packet) }
    guard let loss = losses.value[seen.direction].current, loss.range.overlaps(seen.range), let last = seen.earlier
    else {
      return
    }
    let prompt = max(Self.prompt, (context.roundTrip.total ?? 0).multipliedReportingOverflow(by: 4).partialValue)
    // A timer that backs off shows a loss by itself, and its last copy may be answered a little later.
    let isLate = seen.packet.time.since(last.time) > (loss.copies < Self.ladder ? prompt : 2 &* prompt)
    if seen.value == 1 || isLate {
      losses.value[seen.direction].current = nil
    } else {
      losses.value[seen.direction].current?.hasArrived = true
    }
  }

  private mutating func settle(_ direction: Direction, _ context: FlowContext) {
    guard let loss = losses.value[direction].current else { return }
    losses.value[direction].current = nil
    if let icmp = losses.value[direction].tooLarge, icmp.number > loss.first.number,
      icmp.number < loss.last.packet.number
    {
      return
    }
    let time = loss.last.packet.time.since(max(loss.first.time, losses.value[direction].until))
    let roundTrips = (context.roundTrip.total ?? 0).multipliedReportingOverflow(by: 4)
    // No timer waits so long for its first copy: without a second one, or a receiver that asked, it is no loss.
    let longest = loss.isAsked ? Self.longestBackoff : Self.longestTimer
    if time > longest, loss.copies == 1 { return }
    guard !roundTrips.overflow, time >= max(context.thresholds[.lossGap], roundTrips.partialValue) else { return }
    losses.value[direction].until = loss.last.packet.time
    losses.value[direction].all.add(loss, time)
    if loss.isAsked { losses.value[direction].asked.add(loss, time) }
  }

  private mutating func close(in context: FlowContext, report: (Finding) -> Void) {
    guard !losses.isEmpty else { return }
    for direction in Direction.allCases {
      // Where the receiver was never captured, nothing shows that the last copy arrived.
      if context.isOneSided {
        losses.value[direction].current = nil
      } else if losses.value[direction].current?.isInVain == true {
        losses.value[direction].current?.wasInVain = true
      }
      settle(direction, context)
      let seen = losses.value[direction]
      let losses = seen.isInConflict ? seen.asked : seen.all
      guard let first = losses.cited.first else {
        if !context.isOneSided, !seen.isInConflict,
          let pause = seen.outage.lasting(context.thresholds[.lossOutage])
        {
          report(Self.outage(pause, in: context))
        }
        continue
      }
      let time = first.last.packet.time.since(first.first.time)
      let isBehind = Self.isBehindCapture(losses.cited, direction, context)
      var evidence: [Evidence] = []
      for loss in losses.cited {
        let isUnseen = loss.last.kind == .retransmissionOfUnseen
        evidence.append(
          Evidence(
            .packet(loss.first, direction), isUnseen ? "came after the hole" : "the last data before the silence"))
        evidence.append(
          Evidence(
            .packet(loss.last.packet, direction),
            "\(Wording.bytes(UInt64(loss.range.count))) from offset \(Wording.number(loss.range.lowerBound)) again, \(Wording.duration(loss.last.packet.time.since(loss.first.time))) later"
          ))
      }
      let all =
        losses.count > 1
        ? "; \(Wording.number(losses.count)) such waits, \(Wording.duration(losses.nanoseconds)) in all" : ""
      let words = "\(Wording.bytes(UInt64(first.range.count))) of \(Wording.sender(direction))"
      let isInVain = first.wasInVain && losses.count == 1
      var finding = Finding(
        Self.info, confidence: context.isMidstream || isInVain ? .medium : nil, subject: .connection(context.id),
        direction: direction,
        isInVain
          ? "\(words) were retransmitted for \(Wording.duration(time)), and nothing in the capture acknowledges them."
          : """
          \(Wording.receiver(direction).atSentenceStart) waited \(Wording.duration(time)) for \
          \(words) that were lost\(isBehind ? " behind the capture point" : "") and \
          retransmitted\(all).
          """,
        cost: .delay(nanoseconds: losses.nanoseconds),
        fix: isInVain
          ? "Network: these bytes, or what acknowledges them, are lost on the way: capture on the other side to see which."
          : isBehind
            ? "\(direction == .toClient ? "Client" : "Server"): the capture is on its side and has these packets, so they were lost behind the capture point: see the counters of its firewall and its host (nstat), and its last link."
            : "Network: packets of \(Wording.sender(direction)) are lost on the way; find out where.",
        evidence: evidence)
      finding.count = losses.count
      report(finding)
    }
  }
}

extension RetransmissionGap {
  static let lostUpstreamFix = """
    Network: packets of the server are lost before this capture point: find what was down (a link, a radio, a filter). \
    Client: see whether its host was asleep at this time.
    """

  /// What the receiver met, where no copy shows a wait of its own.
  private static func outage(_ pause: StreamPause, in context: FlowContext) -> Finding {
    let direction = pause.direction
    let proof = pause.proof.filter { $0.number > pause.from.number && $0.number < pause.to.number }.prefix(2)
    return Finding(
      info, confidence: context.isMidstream ? .medium : nil, subject: .connection(context.id), direction: direction,
      """
      \(Wording.receiver(direction).atSentenceStart) got nothing new of \(Wording.sender(direction)) for \
      \(Wording.duration(pause.nanoseconds)), while bytes were lost and retransmitted.
      """,
      cost: .delay(nanoseconds: pause.nanoseconds),
      fix: "Network: packets of \(Wording.sender(direction)) are lost on the way; find out where.",
      evidence: [Evidence(.packet(pause.from, direction), "the last new bytes")]
        + proof.map { Evidence(.packet($0, direction), "while bytes are retransmitted") }
        + [Evidence(.packet(pause.to, direction), "the stream goes on")])
  }

  /// A capture on the receiver's side has the first copies: they were lost on no network before it.
  private static func isBehindCapture(_ losses: [Loss], _ direction: Direction, _ context: FlowContext) -> Bool {
    context.roundTrip.vantage == (direction == .toClient ? .client : .server)
      && losses.allSatisfy { $0.last.kind != .retransmissionOfUnseen }
  }
}

extension Threshold {
  static let lossOutage = Threshold(
    "tcp.retransmission-outage", .nanoseconds, 2_000_000_000,
    "a stream without new bytes for so long, while some are lost")
  static let lossGap = Threshold(
    "tcp.retransmission-gap", .nanoseconds, 500_000_000,
    "a noticeable wait for lost bytes, if it is also four round trips")
}
