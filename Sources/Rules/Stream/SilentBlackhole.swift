import Citation
import Events

/// After a silence, nothing that was sent got through any more.
struct SilentBlackhole: ConnectionRule {
  static let info = RuleInfo(
    id: "stream/silent-blackhole", severity: .error, confidence: .medium,
    summary: "An idle connection was dead when it was used again: neither end got a FIN or RST.",
    explanation: """
      A NAT, firewall or load balancer evicted the flow while it was idle. Neither end knows: the connection is open \
      on both, and the middlebox drops the next bytes. The sender retransmits them with ever longer pauses, for a \
      quarter of an hour if no timeout stops it, or gets a reset from the middlebox. Azure's load balancer evicts \
      after 240 s, AWS's NLB after 350 s, home routers and mobile networks often much sooner.
      """,
    evidence: """
      The last bytes before the silence, the first after it, and what they met: copies again and again without any \
      acknowledgement, or a reset, although neither side had closed. Below 30 s of silence it is a warning of low \
      confidence: the path or the peer may have failed at that time. It is high near a default of the table (`explain \
      stream/cut-at-known-timeout`). A peer that answers late does not count, nor a silence as long as one that did no harm \
      before.
      """,
    fix: """
      Client or server: send something, or TCP keep-alives, more often than the middlebox's idle timeout; drop idle \
      connections sooner than that. Network: raise the timeout, or let the middlebox send resets to both sides when it \
      evicts a flow.
      """,
    specifications: [
      Specification("RFC 5382 §5", "https://www.rfc-editor.org/rfc/rfc5382#section-5"),
      Specification("RFC 9293 §3.8.3", "https://www.rfc-editor.org/rfc/rfc9293#section-3.8.3"),
    ],
    thresholds: [.blackholeIdle, .blackholeSure, .blackholeCopies], causedBy: ["tcp/host-silent", "tls/stream-cut"],
    since: "0.1")

  static var interests: EventKinds { .segment | .connectionClosed }

  /// Copies that are cited.
  private static let cited = 3
  /// An answer later than this answers something else.
  private static let prompt: Int64 = 2_000_000_000

  /// The first bytes after a silence that are retransmitted, and their copies.
  private var sent = PacketRef.none
  private var copies: [PacketRef] = []
  private var count: Int64 = 0
  private var last = PacketRef.none
  /// The newest copy of each side.
  private var newest = BothDirections(repeating: PacketRef.none)

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    switch event {
    case .segment(let seen): observe(seen, in: context)
    case .connectionClosed(let end): finish(end, in: context, report: report)
    default: break
    }
  }

  private mutating func observe(_ seen: TCPObservation, in context: FlowContext) {
    switch seen.kind {
    case .retransmission, .retransmissionTimeout, .retransmissionFast: break
    default: return
    }
    newest[seen.direction] = seen.packet
    guard let unanswered = context.unanswered, seen.direction == unanswered.direction else { return }
    if sent != unanswered.packet {
      sent = unanswered.packet
      copies = []
      count = 0
    }
    count += 1
    last = seen.packet
    if copies.count < Self.cited { copies.append(seen.packet) }
  }

  private func finish(_ end: ConnectionEnd, in context: FlowContext, report: (Finding) -> Void) {
    guard let sent = context.unanswered, sent.nanoseconds >= context.thresholds[.blackholeIdle],
      context.firstEnd.map({ $0.number > sent.packet.number }) ?? true,
      // It was as idle before, and nothing evicted it.
      sent.survived < sent.nanoseconds &- sent.nanoseconds / 20
    else { return }
    // The other side was retransmitting until then, and nothing got through: what was evicted was not idle. It waits for
    // twice as long each time.
    let other = newest[sent.direction.opposite]
    if other.number > sent.from.number, other.number < sent.packet.number {
      let since = other.time.since(sent.from.time)
      let quiet = sent.packet.time.since(other.time)
      if quiet < max(context.thresholds[.blackholeIdle], since &+ since / 4) { return }
    }
    let count = self.sent == sent.packet ? count : 0
    let own = count > 0 ? copies : []
    var evidence = [
      Evidence(.packet(sent.from, nil), "the last bytes before the silence"),
      Evidence(.packet(sent.packet, sent.direction), "the first bytes after it"),
    ]
    evidence += own.map { Evidence(.packet($0, sent.direction), "retransmitted, no acknowledgement") }
    let lasted: Int64
    let isReset = end.kind == .reset && context.closedBy == sent.direction.opposite
    if isReset, let reset = context.closedAt {
      // A side that closes loses nothing by a reset, and a peer that had sent more than is known had reasons.
      if context.endOrigin?.isAhead == true || context.firstEnd.map({ $0.number < reset.number }) ?? false { return }
      let since = count > 0 ? last : sent.packet
      guard reset.time.since(since.time) <= max(Self.prompt, 2 &* (context.roundTrip.total ?? 0)) else { return }
      lasted = reset.time.since(sent.packet.time)
      evidence.append(Evidence(.packet(reset, sent.direction.opposite), "a reset, and no FIN before"))
    } else {
      guard end.kind == .open || end.kind == .evicted || context.closedBy == sent.direction,
        count >= context.thresholds[.blackholeCopies]
      else { return }
      lasted = last.time.since(sent.packet.time)
    }
    let row = KnownTimeout.drops.first { $0.matching(sent.nanoseconds) != nil }
    let confidence: Confidence =
      row != nil ? .high : sent.nanoseconds >= context.thresholds[.blackholeSure] ? .medium : .low
    report(
      Finding(
        Self.info, severity: confidence == .low ? .warning : nil,
        confidence: context.isMidstream ? min(confidence, .medium) : confidence,
        subject: .connection(context.id), direction: sent.direction,
        .dead(sent, lasted, copies: count, isReset: isReset, row), cost: .failed(.connection),
        fix: """
          Client or server: send something, or TCP keep-alives, well before \(Wording.duration(sent.nanoseconds)) are \
          over, or drop the connection sooner. Network: find the middlebox that evicts flows that are idle for so \
          long.
          """,
        evidence: evidence))
  }
}

extension Threshold {
  static let blackholeIdle = Threshold(
    "stream.blackhole-idle", .nanoseconds, 2_000_000_000, "no middlebox evicts a connection after a shorter silence")
  static let blackholeSure = Threshold(
    "stream.blackhole-sure", .nanoseconds, 30_000_000_000, "after a shorter silence the confidence is low")
  static let blackholeCopies = Threshold(
    "stream.blackhole-copies", .count, 3, "copies without any acknowledgement")
}

extension FindingMessage {
  fileprivate static func dead(
    _ sent: Resumption, _ lasted: Int64, copies: Int64, isReset: Bool, _ row: KnownTimeout?
  ) -> Self {
    let what =
      isReset
      ? "what \(Wording.sender(sent.direction)) sent next was answered by a reset"
      : "what \(Wording.sender(sent.direction)) sent next was retransmitted \(Wording.count(UInt64(copies), "time")) in \(Wording.duration(lasted)) and never acknowledged"
    let name = row.map { " \($0.title($0.seconds[0])) drops flows after as long." } ?? ""
    return FindingMessage("After \(Wording.duration(sent.nanoseconds)) of silence \(what).\(name)")
  }
}
