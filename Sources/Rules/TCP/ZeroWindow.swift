import Citation
import Events

/// A receiver that stopped reading, with a sender that waited for it.
struct ZeroWindow: ConnectionRule {
  static let info = RuleInfo(
    id: "tcp/zero-window", severity: .warning,
    summary: "The receiver stopped reading, and the sender had to wait.",
    explanation: """
      A window of zero is the receiver saying that its buffer is full: its program does not read. The sender keeps what it \
      has and asks now and then with a probe. Neither the network nor the sender is slow; whatever holds the reading \
      program up (a slow disk, a lock, a paused download, backpressure from further on) holds the stream up. A sender that \
      cannot write blocks, or buffers, and may give up at a timeout of its own.
      """,
    evidence: """
      The acknowledgement with window 0, the first probe, and the one that opens the window again. A sender \
      with something to say probes within a second or two; a longer wait without a probe hurt nobody, and a shorter one is \
      taken for a wait. Until the first SYN is known the window's scale is not, but zero is zero.
      """,
    fix: """
      Receiver: find out why its program does not read (its thread, its disk, whoever it passes the data on to), or give \
      it a larger receive buffer if it reads in bursts. Not the sender, and not the network.
      """,
    specifications: [
      Specification("RFC 9293 §3.8.6", "https://www.rfc-editor.org/rfc/rfc9293#section-3.8.6")
    ],
    thresholds: [.shutWindow, .longShutWindow], since: "0.1")

  static let interests: EventKinds = [.segment, .connectionClosed]

  private struct Shut: Sendable {
    var shut: TCPObservation?
    var probe: PacketRef?
    var last = PacketRef.none
  }

  private static let longestPatience: Int64 = 2_000_000_000

  /// By the direction of the receiver's own packets.
  private var windows = Rare<BothDirections<Shut>>()

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    switch event {
    case .segment(let seen): observe(seen, in: context, report: report)
    case .connectionClosed: close(in: context, report: report)
    default: break
    }
  }

  private mutating func observe(_ seen: TCPObservation, in context: FlowContext, report: (Finding) -> Void) {
    if seen.kind == .zeroWindow { windows.make(BothDirections(repeating: Shut())) }
    guard !windows.isEmpty else { return }
    switch seen.kind {
    case .zeroWindow: windows.value[seen.direction] = Shut(shut: seen, last: seen.packet)
    case .windowUpdate:
      judge(seen.direction, until: seen.packet, isOpen: true, context, report)
      windows.value[seen.direction] = Shut()
    case .zeroWindowProbe: note(seen, windowOf: seen.direction.opposite, isProbe: true)
    case .zeroWindowProbeAck: note(seen, windowOf: seen.direction, isProbe: false)
    case .reset, .fin:
      note(seen, windowOf: .toServer, isProbe: false)
      note(seen, windowOf: .toClient, isProbe: false)
    default: break
    }
  }

  private mutating func note(_ seen: TCPObservation, windowOf receiver: Direction, isProbe: Bool) {
    guard windows.value[receiver].shut != nil else { return }
    if isProbe, windows.value[receiver].probe == nil { windows.value[receiver].probe = seen.packet }
    windows.value[receiver].last = seen.packet
  }

  private func close(in context: FlowContext, report: (Finding) -> Void) {
    guard !windows.isEmpty else { return }
    for receiver in Direction.allCases {
      // One that never opened again is only known to matter when the sender asked.
      guard windows.value[receiver].probe != nil else { continue }
      judge(receiver, until: windows.value[receiver].last, isOpen: false, context, report)
    }
  }

  private func judge(
    _ receiver: Direction, until end: PacketRef, isOpen: Bool, _ context: FlowContext, _ report: (Finding) -> Void
  ) {
    guard let shut = windows.value[receiver].shut else { return }
    let time = end.time.since(shut.packet.time)
    guard time >= context.thresholds[.shutWindow] else { return }
    let sender = receiver.opposite
    var evidence = [Evidence(.packet(shut.packet, receiver), "window 0: the buffer is full")]
    if let probe = windows.value[receiver].probe, probe.number != end.number {
      evidence.append(Evidence(.packet(probe, sender), "\(Wording.sender(sender)) asks"))
    }
    if end.number != shut.packet.number {
      evidence.append(Evidence(.packet(end, isOpen ? receiver : nil), isOpen ? "the window opens" : "still shut"))
    }
    let owner = Wording.sender(receiver)
    // A sender with something to say would have asked by now: its first probe comes within a second or two.
    let isIdle = windows.value[receiver].probe == nil && time >= Self.longestPatience
    let wait = isIdle ? "nobody asked for more" : "\(Wording.sender(sender)) had to wait"
    report(
      Finding(
        Self.info, severity: time >= context.thresholds[.longShutWindow] ? .error : nil,
        confidence: windows.value[receiver].probe == nil ? .medium : nil, subject: .connection(context.id),
        direction: receiver,
        """
        \(owner.atSentenceStart) did not read for \(Wording.duration(time)): its window was shut\
        \(isOpen ? "" : " to the end"), and \(wait).
        """,
        cost: isIdle ? .none : .delay(nanoseconds: time),
        fix: "Receiver: \(owner) is not reading; look there for what blocks it, not at the sender or the network.",
        evidence: evidence))
  }
}

extension Threshold {
  static let shutWindow = Threshold(
    "tcp.zero-window", .nanoseconds, 200_000_000, "a receive window shut this long held the sender up")
  static let longShutWindow = Threshold(
    "tcp.zero-window-error", .nanoseconds, 5_000_000_000, "a window shut this long is an error")
}
