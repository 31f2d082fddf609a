import Citation
import Events

/// A SYN on ports on which the server still holds an earlier connection.
enum ChallengeACK: OpeningRule {
  static let info = RuleInfo(
    id: "tcp/challenge-ack", severity: .warning,
    summary: "The server still held an earlier connection on the client's port.",
    explanation: """
      The client reused a local port for which the server still had a connection that was never closed there: its FIN or \
      RST was lost, a NAT or firewall dropped its state, or the client restarted. The server answers such a SYN with a \
      challenge ACK: an acknowledgement for the old connection. The client resets that one and retransmits its SYN when \
      its SYN timer expires, after one to three seconds. If a firewall drops the challenge ACK or the reset, no connection \
      is possible on this port until the server closes the old one.
      """,
    evidence: """
      The SYN; the ACK instead of a SYN-ACK, whose acknowledgement number is far from the SYN's; the client's RST with \
      exactly that sequence number; the next SYN and the SYN-ACK. The delay counts from the challenge ACK, which came when \
      a SYN-ACK should have.
      """,
    fix: """
      Server: let idle connections time out, or probe them with keep-alives, so that connections of clients that are gone \
      are closed. Client or NAT: use a wider range of local ports (net.ipv4.ip_local_port_range), so that ports are \
      reused later. Network: let the challenge ACK and the reset through.
      """,
    specifications: [
      Specification("RFC 5961 §4", "https://www.rfc-editor.org/rfc/rfc5961#section-4"),
      Specification("RFC 9293 §3.5.1", "https://www.rfc-editor.org/rfc/rfc9293#section-3.5.1"),
    ],
    thresholds: [.synRetry], since: "0.1")

  static func judge(_ end: ConnectionEnd, in context: FlowContext, report: (Finding) -> Void) {
    guard let opening = context.opening, let challenge = opening.challenge else { return }
    var evidence = [
      Evidence(.packet(opening.syn, .toServer), "SYN"),
      Evidence(.packet(challenge, .toClient), "an ACK for an earlier connection instead of a SYN-ACK"),
    ]
    if let reset = opening.challengeReset {
      evidence.append(Evidence(.packet(reset, .toServer), "the client resets the earlier connection"))
    }
    if opening.lastSyn != opening.syn { evidence.append(Evidence(.packet(opening.lastSyn, .toServer), "SYN again")) }
    let answered = Wording.duration(challenge.time.since(opening.syn.time))
    guard let answer = opening.answer else {
      // Refused in the end, seen from one side only, or not retried: then this is not what it failed of.
      guard end.kind != .reset, !opening.isUsed, opening.lastSyn.number > challenge.number else { return }
      report(
        Finding(
          info, confidence: .medium, subject: .connection(context.id), direction: .toServer,
          """
          \(context.server) answered the client's SYN after \(answered) with an ACK for an earlier connection on the same \
          ports, and no connection was established.
          """,
          cost: .failed(.connection),
          fix: info.fix,
          evidence: evidence
        ).on(context.number))
      return
    }
    let delay = answer.time.since(challenge.time)
    guard delay >= context.thresholds[.synRetry] else { return }
    evidence.append(Evidence(.packet(answer, .toClient), "SYN-ACK"))
    report(
      Finding(
        info, subject: .connection(context.id), direction: .toServer,
        """
        \(context.server) answered the client's SYN after \(answered) with an ACK for an earlier connection on the same \
        ports; the client had to reset that one and retransmit its SYN, and was connected \(Wording.duration(delay)) later.
        """,
        cost: .delay(nanoseconds: delay),
        fix: info.fix,
        evidence: evidence
      ).on(context.number))
  }
}
