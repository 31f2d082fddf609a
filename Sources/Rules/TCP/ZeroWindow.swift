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
      wait. Waits below tcp.zero-window count where they take two seconds together, and a quarter of the time from \
      the first to the last. Until the first SYN is known the window's scale is not, but zero is zero. It is an error where a live stream \
      waits for five seconds, or its sender gives up; a player of audio or video that has enough for now is a note.
      """,
    fix: """
      Receiver: find out why its program does not read (its thread, its disk, the consumer of the data), or give it a \
      larger receive buffer if it reads in bursts. Not the sender, and not the network.
      """,
    specifications: [
      Specification("RFC 9293 §3.8.6", "https://www.rfc-editor.org/rfc/rfc9293#section-3.8.6")
    ],
    thresholds: [.closedWindow, .closedWindowSum, .longClosedWindow], since: "0.1")

  static var interests: EventKinds { .segment | .fin | .connectionClosed | .socket | .pause }

  private struct ClosedWindow: Sendable {
    /// Linux answers probes no more often (net.ipv4.tcp_invalid_ratelimit).
    private static let answerInterval: Int64 = 500_000_000

    var closed: TCPObservation?
    var probe: PacketRef?
    /// A probe was answered; it may not have been captured itself.
    var wasAsked = false
    var last = PacketRef.none
    /// The newest word of the receiver, and the first probe since then; and the same before that word, which may be the
    /// one that opens the window.
    var heard = PacketRef.none
    var unanswered: PacketRef?
    var before = (heard: PacketRef.none, unanswered: PacketRef?.none)

    /// A probe that had to be answered.
    mutating func ask(_ packet: PacketRef) {
      guard unanswered == nil, packet.time.since(heard.time) >= Self.answerInterval else { return }
      unanswered = packet
    }

    mutating func hear(_ packet: PacketRef) {
      before = (heard, unanswered)
      (heard, unanswered) = (packet, nil)
    }

    func silence(until packet: PacketRef) -> (heard: PacketRef, unanswered: PacketRef?) {
      heard == packet ? before : (heard, unanswered)
    }
  }

  /// A window that was closed, and what ended that.
  private struct Wait: Sendable {
    /// A sender with something to say would have asked by then: its first probe comes within a second or two.
    private static let longestPatience: Int64 = 2_000_000_000

    var closed: PacketRef
    var probe: PacketRef?
    var wasAsked = false
    var end: PacketRef
    var isOpen: Bool
    /// How long a probe had no answer then: that is the path's.
    var lost: Int64 = 0

    var nanoseconds: Int64 { end.time.since(closed.time) }
    var isIdle: Bool { probe == nil && !wasAsked && nanoseconds >= Self.longestPatience }
  }

  private struct Seen: Sendable {
    var window = ClosedWindow()
    /// In which the sender waited, and in which it had nothing to send.
    var felt = Waits<Wait>()
    var idle = Waits<Wait>()
    var short = ShortWaits()

    /// Those that the sender felt: the short ones, too, where they are so much of the time that it is the receiver who sets
    /// the pace. Between them the window is small, which holds the sender up as well.
    func felt(atLeast least: Int64) -> Waits<Wait> {
      var felt = felt
      if short.waits.total >= least, short.waits.total >= short.time / 4 { felt.add(short.waits) }
      return felt
    }
  }

  /// A receiver that reads a little again and again: none of its waits says anything, and together they are the pace.
  private struct ShortWaits: Sendable {
    var waits = Waits<Wait>()
    private var first: PacketRef?

    /// From the first to the end of the last.
    private(set) var time: Int64 = 0

    mutating func add(_ wait: Wait) {
      waits.add(wait, wait.nanoseconds)
      time = wait.end.time.since((first ?? wait.closed).time)
      if first == nil { first = wait.closed }
    }
  }

  /// A client that takes what it is sent as it comes: events, messages. And one that plays it, by and by.
  private var isLive = false
  private var isPlayed = false
  /// How long data was held or lost before this capture point, by its direction: that is the network's.
  private var held = BothDirections<Int64>(repeating: 0)
  /// By the direction of the receiver's own packets.
  private var seen = Rare<BothDirections<Seen>>()

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard !seen.isEmpty, let response = exchange.response else { return }
    if response.isReadByItem || exchange.isCall { isLive = true }
    let type = response.head?.block.contentType?.essence ?? ""
    guard type.hasPrefix("video/") || type.hasPrefix("audio/") else { return }
    // A broadcast has no length, and does not wait for those who are behind.
    if response.framing == .close { isLive = true } else { isPlayed = true }
  }

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    switch event {
    case .segment(let seen): observe(seen, in: context)
    case .pause(let pause) where pause.cause == .heldUpstream: held[pause.direction] &+= pause.nanoseconds
    case .socketClosed: if !seen.isEmpty { isLive = true }
    case .connectionClosed: close(in: context, report: report)
    default: break
    }
  }

  private mutating func observe(_ observation: TCPObservation, in context: FlowContext) {
    if observation.kind == .zeroWindow { seen.make(BothDirections(repeating: Seen())) }
    guard !seen.isEmpty else { return }
    let direction = observation.direction
    switch observation.kind {
    case .zeroWindow:
      seen.value[direction].window = ClosedWindow(
        closed: observation, last: observation.packet, heard: observation.packet)
    case .windowUpdate:
      judge(direction, until: observation.packet, isOpen: true, context)
      seen.value[direction].window = ClosedWindow()
    case .zeroWindowProbe: note(observation, windowOf: direction.opposite, isProbe: true)
    case .zeroWindowProbeAck:
      seen.value[direction].window.wasAsked = true
      note(observation, windowOf: direction, isProbe: false)
    case .reset, .fin:
      note(observation, windowOf: .toServer, isProbe: false)
      note(observation, windowOf: .toClient, isProbe: false)
    default: break
    }
  }

  private mutating func note(_ observation: TCPObservation, windowOf receiver: Direction, isProbe: Bool) {
    guard seen.value[receiver].window.closed != nil else { return }
    if isProbe, seen.value[receiver].window.probe == nil { seen.value[receiver].window.probe = observation.packet }
    seen.value[receiver].window.last = observation.packet
    if isProbe {
      seen.value[receiver].window.ask(observation.packet)
    } else {
      seen.value[receiver].window.hear(observation.packet)
    }
  }

  private mutating func close(in context: FlowContext, report: (Finding) -> Void) {
    guard !seen.isEmpty else { return }
    for receiver in Direction.allCases {
      let window = seen.value[receiver].window
      // One that never opened again is only known to matter when the sender asked.
      if window.probe != nil || window.wasAsked { judge(receiver, until: window.last, isOpen: false, context) }
      let felt = seen.value[receiver].felt(atLeast: context.thresholds[.closedWindowSum])
      for waits in [felt, seen.value[receiver].idle] {
        if let wait = waits.longest { report(finding(wait, of: waits, receiver, context)) }
      }
    }
  }

  private mutating func judge(_ receiver: Direction, until end: PacketRef, isOpen: Bool, _ context: FlowContext) {
    let window = seen.value[receiver].window
    guard let closed = window.closed else { return }
    var wait = Wait(
      closed: closed.packet, probe: window.probe, wasAsked: window.wasAsked, end: end, isOpen: isOpen)
    // The window may have been open long before its sender heard of it.
    let silence = window.silence(until: end)
    if isOpen, let probe = silence.unanswered, case let since = end.time.since(probe.time),
      since >= max(context.thresholds[.closedWindow], 4 &* (context.roundTrip.total ?? 0))
    {
      wait = Wait(closed: closed.packet, probe: window.probe, end: silence.heard, isOpen: false, lost: since)
    }
    guard wait.nanoseconds >= context.thresholds[.closedWindow] else {
      if isOpen { seen.value[receiver].short.add(wait) }
      return
    }
    if wait.isIdle {
      seen.value[receiver].idle.add(wait, wait.nanoseconds)
    } else {
      seen.value[receiver].felt.add(wait, wait.nanoseconds)
    }
  }

  private func finding(_ wait: Wait, of waits: Waits<Wait>, _ receiver: Direction, _ context: FlowContext) -> Finding {
    let sender = receiver.opposite
    var evidence = [Evidence(.packet(wait.closed, receiver), "window 0: the receive buffer is full")]
    if let probe = wait.probe, probe.number != wait.end.number {
      evidence.append(Evidence(.packet(probe, sender), "\(Wording.sender(sender)) probes"))
    }
    if wait.end.number != wait.closed.number {
      evidence.append(
        Evidence(.packet(wait.end, wait.isOpen ? receiver : nil), wait.isOpen ? "the window opens" : "still closed"))
    }
    let owner = Wording.sender(receiver)
    let isPlaying = isPlayed && !isLive && receiver == .toServer
    var what = "\(Wording.sender(sender)) had to wait"
    if wait.lost > 0 {
      what += "; then a probe had no answer for \(Wording.duration(wait.lost)), and the window was open when one came"
    }
    if isPlaying { what = "it has enough of what it plays for now" }
    if wait.isIdle { what = "the sender had no more to send" }
    // Who waits in a live stream is late; elsewhere it is an error only where the sender did not wait any longer.
    let isHarmful = isLive || !wait.isOpen && wait.lost == 0 && context.closedBy == sender
    let isLong = wait.nanoseconds >= context.thresholds[.longClosedWindow]
    var finding = Finding(
      Self.info, severity: isPlaying ? .note : isLong && isHarmful ? .error : nil,
      confidence: wait.probe == nil ? .medium : nil, subject: .connection(context.id), direction: receiver,
      """
      \(owner.atSentenceStart) did not read for \(waits.words): its window was \
      closed\(wait.isOpen || wait.lost > 0 ? "" : " to the end"), and \(what).
      """,
      cost: wait.isIdle || isPlaying ? .none : .delay(nanoseconds: waits.total),
      fix: isPlaying ? nil : fix(wait, of: waits, receiver),
      evidence: evidence)
    finding.count = waits.count
    return finding
  }

  private func fix(_ wait: Wait, of waits: Waits<Wait>, _ receiver: Direction) -> String {
    let owner = Wording.sender(receiver)
    if wait.lost > 0 {
      return """
        Receiver: \(owner) was not reading; look there for what blocked it. Network: the probe without an answer, or what \
        told that the window is open, was lost or held on the way.
        """
    }
    let held = held[receiver.opposite]
    guard held < waits.total else {
      return """
        Network: packets of \(Wording.receiver(receiver)) were lost or held before this capture point for \
        \(Wording.duration(held)); look there first. Receiver: \(owner) is not reading; look there for what blocks it.
        """
    }
    return "Receiver: \(owner) is not reading; look there for what blocks it, not at the sender or the network."
  }
}

extension Threshold {
  static let closedWindow = Threshold(
    "tcp.zero-window", .nanoseconds, 200_000_000, "a receive window closed this long held the sender up")
  static let closedWindowSum = Threshold(
    "tcp.zero-window-sum", .nanoseconds, 2_000_000_000, "windows closed for shorter times held the sender up this long")
  static let longClosedWindow = Threshold(
    "tcp.zero-window-error", .nanoseconds, 5_000_000_000, "a window closed this long is an error")
}
