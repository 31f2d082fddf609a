import Citation
import Events
import TLSSemantics

/// A ClientHello without one byte of an answer.
enum HelloUnanswered: TLSRule {
  static let info = RuleInfo(
    id: "tls/hello-unanswered", severity: .error,
    summary: "The server accepted the connection and answered the ClientHello with nothing.",
    explanation: """
      A server that cannot go on with a handshake sends an alert that says why. Nothing at all comes from something that \
      does not speak TLS on this port or waits for another protocol to begin (a PROXY header, a clear upgrade), from a \
      proxy without a backend, from a process that is stuck while its kernel still accepts connections, and from \
      firewalls that read the server name and reset what they forbid, or discard the packets that follow.
      """,
    evidence: """
      The ClientHello, and the FIN or reset that ended the connection. Both sides were captured from the beginning. A \
      client that leaves within two seconds may have changed its mind and is left alone, and so is a ClientHello that \
      was retransmitted until the client gave up: it did not arrive. Where a later packet of the server stands behind \
      bytes that did not come, the answer was lost, and that packet is quoted.
      """,
    fix: """
      Server: look at its log at this time. Is TLS spoken on this port, and is there a certificate for this name? Does the \
      listener expect a PROXY header first? Capture there: if it never sent the reset or never got the ClientHello, a \
      firewall between the two filters by the server name.
      """,
    specifications: [.rfc(8446, "6.2"), .rfc(9293, "3.10.7")],
    thresholds: [.helloPatience],
    causedBy: ["stream/cut-by-middlebox", "stream/peer-gone", "tcp/mss-blackhole", "tcp/host-silent"], since: "0.1")

  static func judge(_ story: TLSStory, in context: FlowContext, report: (Finding) -> Void) {
    guard let asked = story.phases.clientHello, story.isWhole, isSilent(story.session.sides[story.server]),
      let end = story.end, end.packet.number > asked.number
    else { return }
    let waited = end.packet.time.since(asked.time)
    let lost = story.watch.lostAnswer
    if end.isClients {
      guard waited >= story.context.thresholds[.helloPatience] else { return }
      guard lost != nil || !story.watch.isTroubled(end.by, asked, end.packet) else { return }
    }
    let hello = story.session.serverName.map { "The ClientHello for \($0)" } ?? "The ClientHello"
    let answer = lost.map { ": \($0.words)" } ?? ", without one byte of an answer"
    var finding = story.finding(
      info, story.server, "\(hello) was not answered: \(end.words) \(Wording.duration(waited)) later\(answer).",
      cost: .failed(.connection),
      story.helloEvidence("the ClientHello")
        + [end.evidence] + (lost.map { [$0.evidence] } ?? []))
    if lost != nil { finding.fix = LostAnswer.fix }
    report(finding)
  }

  /// No record of it came, nor the beginning of one.
  private static func isSilent(_ side: TLSSide) -> Bool {
    side.counts.total == 0 && side.unfinished == nil && side.oddRecord == nil
  }
}

extension Threshold {
  static let helloPatience = Threshold(
    "tls.hello-patience", .nanoseconds, 2_000_000_000,
    "a client that leaves a ClientHello unanswered for this long waited for the server")
}
