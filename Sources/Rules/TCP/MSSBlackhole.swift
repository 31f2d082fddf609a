import Citation
import Events

/// Large segments that vanish on a path that smaller ones pass.
struct MSSBlackhole: ConnectionRule {
  static let info = RuleInfo(
    id: "tcp/mss-blackhole", severity: .warning, confidence: .medium,
    summary: "Large segments vanish on the way, though small ones pass.",
    explanation: """
      Somewhere on the path the packets are too large (a tunnel, PPPoE, a VPN), and the ICMP message that would say so \
      is filtered. Handshake, request and short answers work; the first full segment is retransmitted until one side \
      gives up. It looks like a server that hangs on large answers, for some users only.
      """,
    evidence: """
      The first copy of the large segment, the last retransmission without effect, and the sign that the path is \
      alive: a smaller copy that was sent then, an ICMP error, or a packet from the other side in the meantime. A peer \
      that has gone altogether shows none of these. Near the receiver nothing of the large segments is seen: there it is \
      a hole of such a size, before bytes that came, for which the receiver asked until the end, two seconds or more later, \
      on a connection on which no large segment ever came, or none any more though its sender was still heard.
      """,
    fix: """
      Network: let ICMP "fragmentation needed" and "packet too big" through, or clamp the MSS on the tunnel. Server: turn \
      on packetization-layer probing (net.ipv4.tcp_mtu_probing=1).
      """,
    specifications: [
      Specification("RFC 8899 §1.1", "https://www.rfc-editor.org/rfc/rfc8899#section-1.1"),
      Specification("RFC 2923 §2.1", "https://www.rfc-editor.org/rfc/rfc2923#section-2.1"),
    ],
    thresholds: [.fullSegment, .fullSegmentCopies], since: "0.1")

  static var interests: EventKinds { .segment | .fin | .gap | .connectionClosed }

  private struct Vanished: Sendable {
    var range: Range<UInt64>
    var first: PacketRef
    var last: PacketRef
    var copies: UInt64 = 1
    /// What shows that the path is alive.
    var alive: (packet: PacketRef, what: String)?
    var isNeverAcknowledged = false
  }

  /// A reset this soon after a copy answers it.
  private static let prompt: Int64 = 50_000_000

  private var vanished = Rare<BothDirections<Vanished?>>()

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    switch event {
    case .segment(let seen): observe(seen, in: context)
    case .gap(let gap, let direction): judge(gap, direction, in: context, report: report)
    case .connectionClosed: close(in: context, report: report)
    default: break
    }
  }

  /// So long a sender had to retransmit them.
  private static let patience: Int64 = 2_000_000_000

  /// Near the receiver, which the large segments do not reach.
  private func judge(
    _ gap: SequenceGap, _ direction: Direction, in context: FlowContext, report: (Finding) -> Void
  ) {
    let least = max(1, context.thresholds[.fullSegment])
    guard let loss = gap.loss, Int64(loss.largestBehind) < least, Int64(clamping: gap.range.count) >= least,
      vanished.isEmpty
    else { return }
    let waited = gap.packet.time.since(loss.behind.time)
    let isChange = Int64(loss.largestPassed) >= least
    // One that came no more, as large ones had before: the path is another one, or nothing passes it at all.
    let heard = loss.heard.flatMap { $0.time.since(loss.behind.time) >= Self.patience ? $0 : nil }
    guard waited >= Self.patience, !isChange || heard != nil else { return }
    let receiver = Wording.sender(direction.opposite)
    report(
      Finding(
        Self.info, severity: .error, subject: .connection(context.id), direction: direction,
        """
        \(Wording.bytes(UInt64(gap.range.count))) of \(Wording.sender(direction)) never came, though smaller packets \
        behind them did, and \(receiver) asked for them until the end, \(Wording.duration(waited)) later\
        \(isChange ? "; as large ones had come before" : "").
        """,
        cost: .failed(.connection), fix: isChange ? Self.changeFix : Self.info.fix,
        evidence: [
          Evidence(.packet(loss.behind, direction), "what comes behind them"),
          Evidence(
            .packet(heard ?? gap.packet, heard == nil ? nil : direction), "the last packet, and still without them"),
        ]))
  }

  private static let changeFix = """
    Network: find what changed on the path at that time (another uplink, a tunnel, a VPN, a filter that drops this packet): \
    let ICMP "fragmentation needed" and "packet too big" through, or clamp the MSS there. Server: turn on packetization-layer \
    probing (net.ipv4.tcp_mtu_probing=1).
    """

  private mutating func observe(_ seen: TCPObservation, in context: FlowContext) {
    if seen.kind == .retransmissionTimeout { vanished.make(BothDirections(repeating: nil)) }
    guard !vanished.isEmpty else { return }
    let direction = seen.direction
    switch seen.kind {
    case .retransmissionTimeout: repeated(seen, context)
    case .icmpError: note(seen, "an ICMP error quotes it", direction)
    case .duplicateAck, .retransmissionSpurious, .fin, .zeroWindow, .windowUpdate, .dataAfterPeerFin:
      note(seen, "the other side is alive in the meantime", direction.opposite)
    // It arrived: that is what the reset answers.
    case .reset:
      if let one = vanished.value[direction.opposite],
        seen.packet.time.since(one.last.time) <= max(Self.prompt, 2 &* (context.roundTrip.total ?? 0))
      {
        vanished.value[direction.opposite] = nil
      }
    case .neverAcknowledged:
      if let one = vanished.value[direction], one.range.lowerBound == seen.range.lowerBound {
        vanished.value[direction]?.isNeverAcknowledged = true
      }
    default: break
    }
  }

  private mutating func repeated(_ seen: TCPObservation, _ context: FlowContext) {
    let direction = seen.direction
    let least = UInt64(max(1, context.thresholds[.fullSegment]))
    let size = UInt64(seen.range.count)
    if let one = vanished.value[direction], one.range.lowerBound == seen.range.lowerBound {
      if size < least {
        note(seen, "a smaller copy, \(Wording.bytes(size))", direction)
      } else if one.alive?.what.hasPrefix("a smaller") != true {
        vanished.value[direction]?.copies &+= 1
        vanished.value[direction]?.last = seen.packet
      }
    } else if size >= least, !isSure(direction, context), let earlier = seen.earlier {
      vanished.value[direction] = Vanished(range: seen.range, first: earlier, last: seen.packet)
    }
  }

  private mutating func note(_ seen: TCPObservation, _ what: String, _ direction: Direction) {
    guard let one = vanished.value[direction], one.alive == nil else { return }
    vanished.value[direction]?.alive = (seen.packet, what)
  }

  private func isSure(_ direction: Direction, _ context: FlowContext) -> Bool {
    guard let one = vanished.value[direction], one.alive != nil else { return false }
    return one.copies >= UInt64(max(1, context.thresholds[.fullSegmentCopies]))
  }

  private func close(in context: FlowContext, report: (Finding) -> Void) {
    guard !vanished.isEmpty else { return }
    for direction in Direction.allCases {
      guard let one = vanished.value[direction], isSure(direction, context), let alive = one.alive else { continue }
      let isSmaller = alive.what.hasPrefix("a smaller")
      // A large segment that came through in the end was only unlucky.
      guard one.isNeverAcknowledged || isSmaller else { continue }
      let time = max(alive.packet.time, one.last.time).since(one.first.time)
      report(
        Finding(
          Self.info, subject: .connection(context.id), direction: direction,
          """
          \(Wording.sender(direction).atSentenceStart) retransmitted \(Wording.bytes(UInt64(one.range.count))) \
          \(Wording.count(one.copies, "time")) without effect, while smaller packets pass.
          """,
          cost: one.isNeverAcknowledged ? .failed(.connection) : .delay(nanoseconds: time),
          fix: Self.info.fix,
          evidence: [
            Evidence(.packet(one.first, direction), "the large segment, or the data right before it"),
            Evidence(.packet(one.last, direction), "the last retransmission by timeout"),
            Evidence(.packet(alive.packet, nil), alive.what),
          ].sorted { ($0.packet?.number ?? 0) < ($1.packet?.number ?? 0) }))
    }
  }
}

extension Threshold {
  static let fullSegment = Threshold(
    "tcp.full-segment", .bytes, 1_200, "segments of this size may be too large for a path")
  static let fullSegmentCopies = Threshold(
    "tcp.full-segment-copies", .count, 2, "timeout retransmissions of a large segment without effect")
}
