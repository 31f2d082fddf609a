import Citation
import Events

/// Small segments that waited for a delayed acknowledgement, whatever protocol they carry.
struct DelayedACKStall: ConnectionRule {
  static let info = RuleInfo(
    id: "tcp/delayed-ack-stall", severity: .warning, confidence: .medium,
    summary: "Small writes wait for delayed acknowledgements.",
    explanation: """
      Two optimisations meet. Nagle's algorithm holds a small segment as long as an earlier one is unacknowledged; the \
      receiver delays its acknowledgement, 40 ms on Linux and up to 200 ms elsewhere, hoping to send it along with \
      data. A program that writes an answer in two pieces (head, then body) waits for that timer each time: 25 answers \
      a second at best, on an idle machine and a fast network.
      """,
    evidence: """
      A small segment, its acknowledgement 35 to 220 ms later, and the next small segment right behind that. That it \
      was ready and waited is inferred from how closely it follows at least half of those acknowledgements. Such a late \
      acknowledgement with nothing waiting for it delays nothing, nor does one that is no later than the round trip. Full \
      segments are never held.
      """,
    fix: """
      Sender: set TCP_NODELAY, or better, write head and body in one call (writev, a buffered writer that is flushed \
      once). Receiver: TCP_QUICKACK hides it for that receiver only.
      """,
    specifications: [
      Specification("RFC 1122 §4.2.3.2", "https://www.rfc-editor.org/rfc/rfc1122#section-4.2.3.2"),
      Specification("RFC 9293 §3.7.4", "https://www.rfc-editor.org/rfc/rfc9293#section-3.7.4"),
    ],
    thresholds: [.delayedAckStalls], causedBy: ["chunked/nagle-stall"], since: "0.1")

  static var interests: EventKinds { .segment | .connectionClosed }

  private struct Stalls: Sendable {
    var acknowledgement: TCPObservation?
    /// Late acknowledgements, with something waiting for them or not.
    var late: UInt64 = 0
    var first: (before: PacketRef, acknowledgement: PacketRef, packet: PacketRef)?
    var further: [(packet: PacketRef, nanoseconds: Int64)] = []
    var count: UInt64 = 0
    var nanoseconds: Int64 = 0
  }

  private static let quoted = 2
  /// What a sender may take between the acknowledgement and its next segment, besides the way.
  private static let slack: Int64 = 2_000_000
  /// And how much sooner than a short way says it may be there.
  private static let jitter: Int64 = 500_000
  private static let farthest: Int64 = 3_600_000_000_000
  /// How much longer than the way to the receiver and back a delayed acknowledgement takes.
  private static let leastDelay: UInt64 = 20_000_000

  private var stalls = Rare<BothDirections<Stalls>>()
  private var losses = SeenLosses()

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    switch event {
    case .segment(let seen): observe(seen, in: context)
    case .connectionClosed: close(in: context, report: report)
    default: break
    }
  }

  private mutating func observe(_ seen: TCPObservation, in context: FlowContext) {
    if seen.kind == .delayedAck {
      stalls.make(BothDirections(repeating: Stalls()))
      stalls.value[seen.direction.opposite].acknowledgement = seen
      stalls.value[seen.direction.opposite].late &+= 1
      return
    }
    losses.note(seen)
    guard seen.kind == .heldWrite, !stalls.isEmpty, let ack = stalls.value[seen.direction].acknowledgement,
      let before = ack.earlier
    else {
      return
    }
    let direction = seen.direction
    stalls.value[direction].acknowledgement = nil
    if losses.has(direction, from: before, to: seen.packet) { return }
    let way = direction == .toServer ? context.roundTrip.clientNanoseconds : context.roundTrip.serverNanoseconds
    // A handshake of an hour, in a file whose clock jumps, allows anything, and must not overflow.
    guard let way, (0..<Self.farthest).contains(way), seen.value <= UInt64(way + way / 4 + Self.slack) else { return }
    // Sooner than the acknowledgement could have come and the segment been back, it was not what it waited for.
    guard seen.value >= UInt64(max(0, way - max(way / 10, Self.jitter))) else { return }
    // Two waits that are the same to the nanosecond were not measured: such a file was retimed.
    guard seen.value != ack.value else { return }
    let other = direction == .toServer ? context.roundTrip.serverNanoseconds : context.roundTrip.clientNanoseconds
    guard ack.value >= UInt64(clamping: other ?? 0) &+ Self.leastDelay else { return }
    let time = seen.packet.time.since(before.time)
    stalls.value[direction].count &+= 1
    stalls.value[direction].nanoseconds &+= time
    if stalls.value[direction].first == nil {
      stalls.value[direction].first = (before, ack.packet, seen.packet)
    } else if stalls.value[direction].further.count < Self.quoted {
      stalls.value[direction].further.append((seen.packet, time))
    }
  }

  private func close(in context: FlowContext, report: (Finding) -> Void) {
    guard !stalls.isEmpty else { return }
    for direction in Direction.allCases {
      let stalls = stalls.value[direction]
      guard let first = stalls.first, stalls.count >= UInt64(max(1, context.thresholds[.delayedAckStalls])),
        // A sender that waits for them does so as a rule; of many that nothing waits for, some are followed by chance.
        stalls.count >= stalls.late / 2
      else { continue }
      var evidence = [
        Evidence(.packet(first.before, direction), "a small segment"),
        Evidence(.packet(first.acknowledgement, direction.opposite), "its acknowledgement, delayed"),
        Evidence(
          .packet(first.packet, direction),
          "the next segment, \(Wording.duration(first.packet.time.since(first.before.time))) after the first"),
      ]
      for stall in stalls.further {
        evidence.append(Evidence(.packet(stall.packet, direction), "late by \(Wording.duration(stall.nanoseconds))"))
      }
      let each = stalls.nanoseconds / Int64(clamping: stalls.count)
      var finding = Finding(
        Self.info, subject: .connection(context.id), direction: direction,
        """
        \(Wording.number(stalls.count)) times \(Wording.sender(direction)) held a small segment back until a delayed \
        acknowledgement came, \(Wording.duration(each)) each on average.
        """,
        cost: .delay(nanoseconds: stalls.nanoseconds),
        fix: """
          Sender: in whatever writes for \(Wording.sender(direction)), set TCP_NODELAY or write what belongs together in \
          one call.
          """,
        evidence: evidence)
      finding.count = stalls.count
      report(finding)
    }
  }
}

extension Threshold {
  static let delayedAckStalls = Threshold(
    "tcp.delayed-ack-stalls", .count, 3, "segments of one direction that waited for a delayed acknowledgement")
}
