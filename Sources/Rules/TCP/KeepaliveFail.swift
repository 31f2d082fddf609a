import Citation
import Events

/// Keep-alive probes without an answer.
enum KeepaliveFail: KeepAliveRule {
  static let info = RuleInfo(
    id: "tcp/keepalive-fail", severity: .error,
    summary: "Keep-alive probes went unanswered, and the connection was given up.",
    explanation: """
      The peer did not answer probe after probe: its host is gone, it went to sleep, or a NAT or firewall on the way \
      evicted the connection and drops its packets. The prober's system gives up with a reset and the application gets \
      a timeout error, long after the peer was lost.
      """,
    evidence: """
      The first probe without an answer, the last one, and the reset that follows. One probe without an answer may be \
      a lost packet, and does not count.
      """,
    fix: """
      Network: find what evicts idle connections (NAT tables, firewalls; 240 s or 350 s are common). Client: a \
      heartbeat more often than that, and a reconnect when it is not answered.
      """,
    specifications: [
      Specification("RFC 9293 §3.8.4", "https://www.rfc-editor.org/rfc/rfc9293#section-3.8.4"),
      Specification("RFC 1122 §4.2.3.6", "https://www.rfc-editor.org/rfc/rfc1122#section-4.2.3.6"),
    ],
    thresholds: [.keepAlivesUnanswered], causedBy: ["tcp/host-silent"], since: "0.1")

  /// Probes before had been answered: the connection had not been forgotten.
  private static let goneFix = """
    Network: find what was down from the first of these probes on: the other side's host, its link, its address. Those \
    before had been answered, so nothing had evicted the connection.
    """

  static func judge(_ story: KeepAliveStory, in context: FlowContext, report: (Finding) -> Void) {
    // Of one side alone no answer was captured.
    guard !context.isOneSided else { return }
    for direction in Direction.allCases {
      let run = story.runs[direction]
      guard run.unanswered >= UInt64(max(1, context.thresholds[.keepAlivesUnanswered])),
        let reset = story.resets[direction], reset.number > run.last.number
      else { continue }
      report(
        Finding(
          info, subject: .connection(context.id), direction: direction.opposite,
          """
          \(Wording.receiver(direction).atSentenceStart) left \(Wording.count(run.unanswered, "keep-alive probe")) unanswered \
          for \(Wording.duration(reset.time.since(run.firstUnanswered.time))); \(Wording.sender(direction)) gave up.
          """,
          cost: .failed(.connection),
          fix: run.count > run.unanswered ? goneFix : info.fix,
          evidence: [
            Evidence(.packet(run.firstUnanswered, direction), "a probe, not answered"),
            Evidence(.packet(run.last, direction), "the last one"), Evidence(.packet(reset, direction), "RST"),
          ]))
    }
  }
}

extension Threshold {
  static let keepAlivesUnanswered = Threshold(
    "tcp.keepalives-unanswered", .count, 3, "probes without an answer before a reset")
}
