import Citation
import Events

/// Segments that are too large for the path, which an ICMP message says, and that are retransmitted.
struct PathMTU: ConnectionRule {
  static let info = RuleInfo(
    id: "tcp/path-mtu", severity: .warning,
    summary: "Segments were too large for the path, and were retransmitted.",
    explanation: """
      Somewhere on the path packets must be smaller (a tunnel, PPPoE, a VPN). The router that cannot pass one says so by \
      ICMP ("fragmentation needed", "packet too big"), and the sender is to send smaller segments at once. Where it does not \
      hear or believe the message, its timer has to run out, and every large segment costs some hundred milliseconds.
      """,
    evidence: """
      The ICMP message, and the data that was retransmitted behind it, with the wait since the last data before. A sender \
      that reacts at once is how it is meant, and not told.
      """,
    fix: """
      Network: clamp the MSS on the tunnel (or announce a smaller one), and let ICMP "fragmentation needed" and "packet \
      too big" through. Sender: accept them (net.ipv4.ip_no_pmtu_disc=0), or probe (net.ipv4.tcp_mtu_probing=1).
      """,
    specifications: [
      Specification("RFC 1191 §6", "https://www.rfc-editor.org/rfc/rfc1191#section-6"),
      Specification("RFC 8201 §4", "https://www.rfc-editor.org/rfc/rfc8201#section-4"),
    ],
    thresholds: [.pathWait], since: "0.1")

  static var interests: EventKinds { .segment | .connectionClosed }

  private struct TooLarge: Sendable {
    /// The newest message that no copy has followed.
    var message: PacketRef?
    var first: (message: PacketRef, copy: PacketRef, range: Range<UInt64>)?
    var count: UInt64 = 0
    var nanoseconds: Int64 = 0
  }

  private var paths = Rare<BothDirections<TooLarge>>()

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    switch event {
    case .segment(let seen): observe(seen)
    case .connectionClosed: close(in: context, report: report)
    default: break
    }
  }

  private mutating func observe(_ seen: TCPObservation) {
    let direction = seen.direction
    if seen.isTooLargeForPath {
      paths.make(BothDirections(repeating: TooLarge()))
      if paths.value[direction].message == nil { paths.value[direction].message = seen.packet }
      return
    }
    guard !paths.isEmpty, let message = paths.value[direction].message, let earlier = seen.earlier,
      !seen.range.isEmpty
    else { return }
    switch seen.kind {
    case .retransmissionTimeout, .retransmissionFast, .retransmission, .retransmissionOfUnseen: break
    default: return
    }
    paths.value[direction].message = nil
    paths.value[direction].count &+= 1
    paths.value[direction].nanoseconds &+= max(0, seen.packet.time.since(earlier.time))
    if paths.value[direction].first == nil { paths.value[direction].first = (message, seen.packet, seen.range) }
  }

  private func close(in context: FlowContext, report: (Finding) -> Void) {
    guard !paths.isEmpty else { return }
    for direction in Direction.allCases {
      let path = paths.value[direction]
      guard let first = path.first, path.nanoseconds >= context.thresholds[.pathWait] else { continue }
      var finding = Finding(
        Self.info, subject: .connection(context.id), direction: direction,
        """
        \(Wording.bytes(UInt64(first.range.count))) of \(Wording.sender(direction)) were too large for the path, as an \
        ICMP error says, and were retransmitted, \(Wording.count(path.count, "time")): \
        \(Wording.duration(path.nanoseconds)) of waiting.
        """,
        cost: .delay(nanoseconds: path.nanoseconds), fix: Self.info.fix,
        evidence: [
          Evidence(.packet(first.message, nil), "ICMP: the packet is too large"),
          Evidence(.packet(first.copy, direction), "the data again"),
        ])
      finding.count = path.count
      report(finding)
    }
  }
}

extension TCPObservation {
  /// ICMP "fragmentation needed" (3, 4) or ICMPv6 "packet too big" (2, 0).
  var isTooLargeForPath: Bool { kind == .icmpError && (value == 3 << 8 | 4 || value == 2 << 8) }
}

extension Threshold {
  static let pathWait = Threshold(
    "tcp.path-wait", .nanoseconds, 200_000_000, "waits for segments that were too large, in all, that are felt")
}
