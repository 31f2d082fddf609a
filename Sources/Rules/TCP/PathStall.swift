import Citation
import Events

/// Packets that were held on the way, and not lost.
struct PathStall: ConnectionRule {
  static let info = RuleInfo(
    id: "tcp/path-stall", severity: .warning, confidence: .medium,
    summary: "The network held packets for a while, and lost none.",
    explanation: """
      A radio that sleeps or changes cells, a link whose queue is full, a virtual machine that is paused: packets wait \
      on the way, and all of them arrive later, together. The sender's timer cannot tell that from a loss and sends \
      copies. Applications see a gap, and then everything at once.
      """,
    evidence: """
      The first copy, and the acknowledgement that answers it: it came after the sender's timer had sent another one, \
      and echoes the timestamp of the first, or reports the copy as received twice. Whether data or acknowledgement \
      were held, or the receiver's host was suspended, cannot be distinguished from one side. Away from the sender: \
      the packets before and after a pause in which the sender's timestamps went on by less than half of it, so that \
      the packet was sent long before it came; a sender whose host was suspended and a capture whose clock was set \
      look alike. Without timestamps (RFC 7323) only such a report counts.
      """,
    fix: """
      Network: look at the receiver's last link (Wi-Fi power saving, mobile coverage, a queue without management). \
      Receiver: see whether its host was suspended at this time. Both ends: allow for such pauses in timeouts.
      """,
    specifications: [
      Specification("RFC 7323 §3", "https://www.rfc-editor.org/rfc/rfc7323#section-3"),
      Specification("RFC 5682 §1", "https://www.rfc-editor.org/rfc/rfc5682#section-1"),
    ],
    thresholds: [.pathStall], causedBy: ["stream/peer-gone", "tcp/host-silent"], since: "0.1")

  static var interests: EventKinds { .segment | .pause | .connectionClosed }

  /// Bytes that were retransmitted before they were acknowledged.
  private struct Repeated: Sendable {
    var range: Range<UInt64>
    var first: PacketRef
    var copies: UInt64
  }

  private struct Stalls: Sendable {
    var current: Repeated?
    /// A closed window holds bytes, too.
    var isShut = false
    var waits = Waits<(sent: Repeated, acknowledgement: PacketRef)>()
    /// The newest wait, and what says that it was no loss.
    var latest: (sent: Repeated, time: Int64)?
    var answer = FirstCopyAnswer()
    /// Pauses that the network made.
    var held = Waits<StreamPause>()
  }

  private static let longest: Int64 = 120_000_000_000

  /// By the direction of the data; made at the first copy.
  private var stalls = Rare<BothDirections<Stalls>>()

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    switch event {
    case .segment(let seen): observe(seen, in: context)
    case .pause(let pause): observe(pause, in: context)
    case .connectionClosed: close(in: context, report: report)
    default: break
    }
  }

  private mutating func observe(_ seen: TCPObservation, in context: FlowContext) {
    switch seen.kind {
    case .retransmissionTimeout, .retransmissionFast, .retransmission: note(seen)
    case .copyAcknowledged: settle(seen, in: context)
    case .zeroWindow:
      stalls.make(BothDirections(repeating: Stalls()))
      stalls.value[seen.direction.opposite].isShut = true
    case .windowUpdate: if !stalls.isEmpty { stalls.value[seen.direction.opposite].isShut = false }
    default: break
    }
  }

  private mutating func observe(_ pause: StreamPause, in context: FlowContext) {
    guard pause.cause == .heldUpstream, pause.underway >= context.thresholds[.pathStall],
      pause.nanoseconds < Self.longest
    else { return }
    stalls.make(BothDirections(repeating: Stalls()))
    stalls.value[pause.direction].held.add(pause, pause.underway)
  }

  private mutating func note(_ seen: TCPObservation) {
    guard let earlier = seen.earlier, !seen.range.isEmpty else { return }
    stalls.make(BothDirections(repeating: Stalls()))
    stalls.value[seen.direction].answer.note(copy: seen.packet)
    if let current = stalls.value[seen.direction].current, current.range.overlaps(seen.range) {
      stalls.value[seen.direction].current?.copies = current.copies + 1
    } else {
      stalls.value[seen.direction].current = Repeated(range: seen.range, first: earlier, copies: 1)
    }
  }

  private mutating func settle(_ seen: TCPObservation, in context: FlowContext) {
    let direction = seen.direction
    guard !stalls.isEmpty, let sent = stalls.value[direction].current else { return }
    stalls.value[direction].current = nil
    guard seen.value == 1, sent.range.overlaps(seen.range), !stalls.value[direction].isShut else { return }
    let time = seen.packet.time.since(sent.first.time)
    let roundTrips = (context.roundTrip.total ?? 0).multipliedReportingOverflow(by: 4)
    guard !roundTrips.overflow, time < Self.longest,
      time >= max(context.thresholds[.pathStall], roundTrips.partialValue)
    else { return }
    confirm(direction)
    stalls.value[direction].latest = (sent, time)
    stalls.value[direction].answer.note(answer: seen.packet)
  }

  /// Both ends' clocks went on by the same time less: it is the capture's that jumped.
  private var areBothHeld: Bool {
    guard let one = stalls.value.toServer.held.longest, let other = stalls.value.toClient.held.longest else {
      return false
    }
    return one.from.time <= other.to.time && other.from.time <= one.to.time
      && one.underway.apart(from: other.underway) <= max(one.underway, other.underway) / 4
  }

  private mutating func confirm(_ direction: Direction) {
    guard let (sent, time) = stalls.value[direction].latest, let packet = stalls.value[direction].answer.packet
    else { return }
    stalls.value[direction].latest = nil
    stalls.value[direction].waits.add((sent, packet), time)
  }

  private mutating func close(in context: FlowContext, report: (Finding) -> Void) {
    guard !stalls.isEmpty else { return }
    let isCapturesClock = areBothHeld
    for direction in Direction.allCases {
      confirm(direction)
      if !isCapturesClock { tell(stalls.value[direction].held, direction, in: context, report) }
      let waits = stalls.value[direction].waits
      guard let (sent, acknowledgement) = waits.longest else { continue }
      var finding = Finding(
        Self.info, subject: .connection(context.id), direction: direction,
        """
        \(Wording.bytes(UInt64(sent.range.count))) of \(Wording.sender(direction)) were acknowledged after \
        \(waits.words), and not lost: the acknowledgement answers the first copy of \
        \(Wording.number(sent.copies + 1)).
        """,
        cost: .delay(nanoseconds: waits.total), fix: Self.info.fix,
        evidence: [
          Evidence(.packet(sent.first, direction), "sent first"),
          Evidence(.packet(acknowledgement, direction.opposite), "acknowledged, as an answer to that copy"),
        ])
      finding.count = waits.count
      report(finding)
    }
  }

  private func tell(
    _ held: Waits<StreamPause>, _ direction: Direction, in context: FlowContext, _ report: (Finding) -> Void
  ) {
    guard let pause = held.longest else { return }
    let sender = Wording.sender(direction)
    var finding = Finding(
      Self.info, subject: .connection(context.id), direction: direction,
      """
      Packets of \(sender) were held on their way for \(held.words): in \(Wording.duration(pause.nanoseconds)) its own \
      clock went on by \(Wording.duration(max(0, pause.nanoseconds &- pause.underway))).
      """,
      cost: .delay(nanoseconds: held.total),
      fix: """
        Network: look at the path from \(sender) to this capture point (a radio that sleeps, a queue, a link that was \
        down). \(sender.atSentenceStart): see whether its host was suspended at this time.
        """,
      evidence: [
        Evidence(.packet(pause.from, direction), "the last bytes before"),
        Evidence(
          .packet(pause.to, direction), "sent \(Wording.duration(pause.underway)) before it came, by its timestamp"),
      ])
    finding.count = held.count
    report(finding)
  }
}

extension Threshold {
  static let pathStall = Threshold(
    "tcp.path-stall", .nanoseconds, 1_000_000_000, "packets held this long, and for four round trips, were held up")
}
