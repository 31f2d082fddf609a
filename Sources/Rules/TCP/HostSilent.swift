import Citation
import Events

/// A host of which nothing came, on whatever connection, while others sent to it.
package enum HostSilent: Rule {
  package static let info = RuleInfo(
    id: "tcp/host-silent", severity: .warning, confidence: .medium,
    summary: "Nothing came from a host for a while, on any of its connections, although others sent to it.",
    explanation: """
      A link or a route that is down, a Wi-Fi that lost its device, a host that is suspended, moved or without power: \
      all connections of a host stop at once, and what is sent to it is retransmitted with ever longer pauses. Each \
      of them looks like a failure of its own: a stall, a lost keep-alive, a connect that hangs, a request without a \
      response. A program that hangs looks different, since its system still acknowledges what comes.
      """,
    evidence: """
      The last packet of the host, the first that was sent to it then, the last one, and the first packet of the host \
      afterwards, where there is one. On at least two connections something was retransmitted. One capture point \
      cannot tell a silent host from a path that loses everything on the way to it or back. Hosts that are silent for \
      the same peer at the same time are one finding: then that peer's own link is the likelier cause. A host that had \
      been idle for half a minute when it was asked does not count: see stream/silent-blackhole.
      """,
    fix: """
      Network: find what was down at that time: a link, a route, a firewall, the host itself. Client and server: \
      repeat what is safe to repeat, and send keep-alives, so that the outage is noticed.
      """,
    specifications: [
      Specification("RFC 9293 §3.8.3", "https://www.rfc-editor.org/rfc/rfc9293#section-3.8.3"),
      Specification("RFC 6298 §5", "https://www.rfc-editor.org/rfc/rfc6298#section-5"),
    ],
    thresholds: [.hostSilence], since: "0.1")

  /// One that lasts so long is an error: few applications wait longer.
  private static let long: Int64 = 10_000_000_000

  /// Of hosts that were silent together; `isAtEnd`: the capture is over.
  static func finding(
    _ silences: [HostSilence], on connections: [(id: FlowID, number: Int)], isAtEnd: Bool
  ) -> Finding {
    let silence = silences[0]
    let lasted = silences.map(\.nanoseconds).max() ?? 0
    var evidence = [
      Evidence(.packet(silence.heard, nil), "the last packet of \(silence.host)"),
      Evidence(.packet(silence.asked, nil), "sent to it, and not answered"),
      Evidence(.packet(silence.last, nil), "sent to it, the last time"),
    ]
    if let back = silence.back { evidence.append(Evidence(.packet(back, nil), "it is heard again")) }
    var finding = Finding(
      info, severity: lasted >= long || silence.back == nil ? .error : nil,
      subject: connections.first.map { .connection($0.id) } ?? .capture,
      message(silences, lasted: lasted, isAtEnd: isAtEnd),
      cost: silence.back == nil ? .failed(.connection) : .delay(nanoseconds: lasted),
      fix: fix(silences), evidence: evidence)
    finding.connection = connections.first?.number
    finding.alsoOn = connections.dropFirst().map(\.number)
    if silence.back == nil { finding.count = UInt64(max(1, connections.count)) }
    return finding
  }

  private static func message(_ silences: [HostSilence], lasted: Int64, isAtEnd: Bool) -> FindingMessage {
    let silence = silences[0]
    let others = silences.count > 1 ? " and \(Wording.count(UInt64(silences.count - 1), "other host"))" : ""
    let flows = silences.reduce(0) { $0 + $1.flows }
    let packets = silences.reduce(0) { $0 &+ $1.packets }
    let until = silence.back != nil ? "" : isAtEnd ? " until the end of the capture" : " and longer"
    return """
      Nothing came from \(silence.host)\(others) on any connection for \(Wording.duration(lasted))\(until): \
      \(silence.peer.map { "\($0)" } ?? "other hosts") sent \(Wording.count(packets, "packet")) without an answer, \
      and retransmitted on \(Wording.count(UInt64(flows), "connection")).
      """
  }

  private static func fix(_ silences: [HostSilence]) -> String {
    let silence = silences[0]
    guard let peer = silence.peer else {
      return """
        Network: find what kept \(silence.host) from answering at that time: its link, its route, or the host itself \
        (suspended, restarted, without power).
        """
    }
    guard silences.count == 1 else {
      return """
        Network: find what was down near \(peer) at that time, since several hosts could not be reached from it: its \
        own link or Wi-Fi, its router, its firewall.
        """
    }
    return """
      Network: find what was down between \(peer) and \(silence.host) at that time: a link, a route, a firewall, or \
      the host itself (suspended, moved, without power). Client and server: repeat what is safe to repeat.
      """
  }
}

extension Threshold {
  package static let hostSilence = Threshold(
    "tcp.host-silence", .nanoseconds, 3_000_000_000, "a host that others send to, and that is silent for this long")
}
