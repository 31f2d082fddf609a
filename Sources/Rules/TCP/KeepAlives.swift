import Citation
import Events

/// Connections on which nothing but keep-alive probes is heard.
struct KeepAlives: Sendable {
  static let only = RuleInfo(
    id: "tcp/keepalive-only", severity: .note,
    summary: "Nothing but TCP keep-alive probes for a long time.",
    explanation: """
      TCP keep-alives are empty segments that the two systems exchange. They keep the entry in a NAT or firewall alive, \
      and find a dead peer. They do not count for the idle timeouts of load balancers and proxies, which look at bytes: an \
      AWS ALB closes after 60 s with probes going through all the time. Nor does an application learn anything from them.
      """,
    evidence: """
      The first and the last probe of the longest run in which no data was sent either way.
      """,
    fix: """
      Server or client: send something in the protocol itself while idle (a comment line in SSE, a WebSocket ping; not an empty \
      chunk, which would be the end), more often than the shortest idle timeout on the way.
      """,
    specifications: [
      Specification("RFC 9293 §3.8.4", "https://www.rfc-editor.org/rfc/rfc9293#section-3.8.4")
    ],
    thresholds: [.keepAliveGap], since: "0.1")

  static let failed = RuleInfo(
    id: "tcp/keepalive-fail", severity: .error,
    summary: "Keep-alive probes went unanswered, and the connection was given up.",
    explanation: """
      The peer did not answer probe after probe: its host is gone, it went to sleep, or a NAT or firewall on the way forgot \
      the connection and drops its packets. The prober's system gives up with a reset and the application gets a timeout \
      error, long after the peer was lost.
      """,
    evidence: """
      The first probe without an answer, the last one, and the reset that follows. One probe without an answer may be a \
      lost packet, and is not this.
      """,
    fix: """
      Network: find what forgets idle connections (NAT tables, firewalls; 240 s or 350 s are common). Client: a heartbeat \
      more often than that, and a reconnect when it is not answered.
      """,
    specifications: [
      Specification("RFC 9293 §3.8.4", "https://www.rfc-editor.org/rfc/rfc9293#section-3.8.4"),
      Specification("RFC 1122 §4.2.3.6", "https://www.rfc-editor.org/rfc/rfc1122#section-4.2.3.6"),
    ],
    thresholds: [.keepAlivesUnanswered], since: "0.1")

  private struct Run: Sendable {
    var first = PacketRef.none
    var last = PacketRef.none
    var count: UInt64 = 0
    /// How far both streams were.
    var sent: UInt64 = 0
    var received: UInt64 = 0
    /// Since the last answer.
    var unanswered: UInt64 = 0
    var firstUnanswered = PacketRef.none
  }

  /// By the prober's direction.
  private var runs = BothDirections(repeating: Run())
  private var longest: (run: Run, direction: Direction)?

  mutating func observe(_ seen: TCPObservation) {
    switch seen.kind {
    case .keepAlive: probe(seen)
    case .keepAliveAck: runs[seen.direction.opposite].unanswered = 0
    default: break
    }
  }

  private mutating func probe(_ seen: TCPObservation) {
    let direction = seen.direction
    var run = runs[direction]
    if run.count == 0 || run.sent != seen.range.lowerBound || run.received != seen.value {
      run = Run(first: seen.packet, sent: seen.range.lowerBound, received: seen.value)
    }
    run.count &+= 1
    run.last = seen.packet
    if run.unanswered == 0 { run.firstUnanswered = seen.packet }
    run.unanswered &+= 1
    runs[direction] = run
    let time = run.last.time.since(run.first.time)
    if let longest, longest.run.last.time.since(longest.run.first.time) >= time { return }
    longest = (run, direction)
  }

  func close(_ story: EndingStory, in context: FlowContext, report: (Finding) -> Void) {
    fail(story, in: context, report: report)
    guard let longest else { return }
    let run = longest.run
    let time = run.last.time.since(run.first.time)
    guard run.count > 1, time >= context.thresholds[.keepAliveGap] else { return }
    report(
      Finding(
        Self.only, subject: .connection(context.id), direction: longest.direction,
        """
        For \(Wording.duration(time)) there was nothing but keep-alive probes of \(Wording.sender(longest.direction)), one each \
        \(Wording.duration(time / Int64(clamping: max(1, run.count - 1)))).
        """,
        cost: .none, fix: "Server: send a heartbeat in the protocol itself, more often than the shortest idle timeout.",
        evidence: [
          Evidence(.packet(run.first, longest.direction), "a probe"),
          Evidence(.packet(run.last, longest.direction), "the last one, with no data since"),
        ]))
  }

  private func fail(_ story: EndingStory, in context: FlowContext, report: (Finding) -> Void) {
    for direction in Direction.allCases {
      let run = runs[direction]
      guard run.unanswered >= UInt64(max(1, context.thresholds[.keepAlivesUnanswered])),
        let reset = story.resets[direction].accepted, reset.packet.number > run.last.number
      else { continue }
      report(
        Finding(
          Self.failed, subject: .connection(context.id), direction: direction.opposite,
          """
          \(Wording.receiver(direction).atSentenceStart) left \(Wording.count(run.unanswered, "keep-alive probe")) unanswered \
          for \(Wording.duration(reset.packet.time.since(run.firstUnanswered.time))); \(Wording.sender(direction)) gave up.
          """,
          cost: .failed(.connection),
          fix: "Network: find what dropped the connection while it was idle, or send a heartbeat more often.",
          evidence: [
            Evidence(.packet(run.firstUnanswered, direction), "a probe, not answered"),
            Evidence(.packet(run.last, direction), "the last one"), Evidence(.packet(reset.packet, direction), "RST"),
          ]))
    }
  }
}
