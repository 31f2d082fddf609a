import Citation
import Events

/// A receiver that stopped reading, with a sender that waited for it.
struct ZeroWindow: ConnectionRule {
  static let info = RuleInfo(
    id: "tcp/zero-window", severity: .warning,
    summary: "The receiver stopped reading, and the sender had to wait.",
    explanation: """
      A window of zero is the receiver saying that its buffer is full: its program does not read. The sender keeps \
      what it has and probes now and then. Neither the network nor the sender is slow; whatever holds the reading \
      program up (a slow disk, a lock, a paused download, backpressure from further on) holds the stream up. A sender \
      that cannot write blocks, or buffers, and may give up at a timeout of its own.
      """,
    evidence: """
      The acknowledgement with window 0, the first probe, and the one that opens the window again. A sender with data \
      to send probes within a second or two; a longer wait without a probe has no cost, and a shorter one counts as a \
      wait. Until the first SYN is known the window's scale is not, but zero is zero.
      """,
    fix: """
      Receiver: find out why its program does not read (its thread, its disk, the consumer of the data), or give it a \
      larger receive buffer if it reads in bursts. Not the sender, and not the network.
      """,
    specifications: [
      Specification("RFC 9293 §3.8.6", "https://www.rfc-editor.org/rfc/rfc9293#section-3.8.6")
    ],
    thresholds: [.closedWindow, .longClosedWindow], since: "0.1")

  static var interests: EventKinds { .segment | .fin | .connectionClosed }

  private struct ClosedWindow: Sendable {
    var closed: TCPObservation?
    var probe: PacketRef?
    var last = PacketRef.none
  }

  private static let longestPatience: Int64 = 2_000_000_000

  /// By the direction of the receiver's own packets.
  private var windows = Rare<BothDirections<ClosedWindow>>()

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    switch event {
    case .segment(let seen): observe(seen, in: context, report: report)
    case .connectionClosed: close(in: context, report: report)
    default: break
    }
  }

  private mutating func observe(_ seen: TCPObservation, in context: FlowContext, report: (Finding) -> Void) {
    if seen.kind == .zeroWindow { windows.make(BothDirections(repeating: ClosedWindow())) }
    guard !windows.isEmpty else { return }
    switch seen.kind {
    case .zeroWindow: windows.value[seen.direction] = ClosedWindow(closed: seen, last: seen.packet)
    case .windowUpdate:
      judge(seen.direction, until: seen.packet, isOpen: true, context, report)
      windows.value[seen.direction] = ClosedWindow()
    case .zeroWindowProbe: note(seen, windowOf: seen.direction.opposite, isProbe: true)
    case .zeroWindowProbeAck: note(seen, windowOf: seen.direction, isProbe: false)
    case .reset, .fin:
      note(seen, windowOf: .toServer, isProbe: false)
      note(seen, windowOf: .toClient, isProbe: false)
    default: break
    }
  }

  private mutating func note(_ seen: TCPObservation, windowOf receiver: Direction, isProbe: Bool) {
    guard windows.value[receiver].closed != nil else { return }
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
    guard let closed = windows.value[receiver].closed else { return }
    let time = end.time.since(closed.packet.time)
    guard time >= context.thresholds[.closedWindow] else { return }
    let sender = receiver.opposite
    var evidence = [Evidence(.packet(closed.packet, receiver), "window 0: the receive buffer is full")]
    if let probe = windows.value[receiver].probe, probe.number != end.number {
      evidence.append(Evidence(.packet(probe, sender), "\(Wording.sender(sender)) probes"))
    }
    if end.number != closed.packet.number {
      evidence.append(Evidence(.packet(end, isOpen ? receiver : nil), isOpen ? "the window opens" : "still closed"))
    }
    let owner = Wording.sender(receiver)
    // A sender with something to say would have asked by now: its first probe comes within a second or two.
    let isIdle = windows.value[receiver].probe == nil && time >= Self.longestPatience
    let wait = isIdle ? "the sender had no more to send" : "\(Wording.sender(sender)) had to wait"
    report(
      Finding(
        Self.info, severity: time >= context.thresholds[.longClosedWindow] ? .error : nil,
        confidence: windows.value[receiver].probe == nil ? .medium : nil, subject: .connection(context.id),
        direction: receiver,
        """
        \(owner.atSentenceStart) did not read for \(Wording.duration(time)): its window was \
        closed\(isOpen ? "" : " to the end"), and \(wait).
        """,
        cost: isIdle ? .none : .delay(nanoseconds: time),
        fix: "Receiver: \(owner) is not reading; look there for what blocks it, not at the sender or the network.",
        evidence: evidence))
  }
}

extension Threshold {
  static let closedWindow = Threshold(
    "tcp.zero-window", .nanoseconds, 200_000_000, "a receive window closed this long held the sender up")
  static let longClosedWindow = Threshold(
    "tcp.zero-window-error", .nanoseconds, 5_000_000_000, "a window closed this long is an error")
}
