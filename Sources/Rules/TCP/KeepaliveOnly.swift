import Citation
import Events

/// A connection that carries nothing but keep-alive probes.
enum KeepaliveOnly: KeepAliveRule {
  static let info = RuleInfo(
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

  static func judge(_ story: KeepAliveStory, in context: FlowContext, report: (Finding) -> Void) {
    guard let longest = story.longest else { return }
    let run = longest.run
    let time = run.last.time.since(run.first.time)
    guard run.count > 1, time >= context.thresholds[.keepAliveGap] else { return }
    report(
      Finding(
        info, subject: .connection(context.id), direction: longest.direction,
        """
        For \(Wording.duration(time)) there was nothing but keep-alive probes of \(Wording.sender(longest.direction)), one each \
        \(Wording.duration(time / Int64(clamping: max(1, run.count - 1)))).
        """,
        cost: .none, fix: info.fix,
        evidence: [
          Evidence(.packet(run.first, longest.direction), "a probe"),
          Evidence(.packet(run.last, longest.direction), "the last one, with no data since"),
        ]))
  }
}

extension Threshold {
  static let keepAliveGap = Threshold(
    "tcp.keepalive-gap", .nanoseconds, 30_000_000_000, "only probes for so long")
}
