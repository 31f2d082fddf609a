import Citation
import Events

/// A PING without an answer.
enum HTTP2PingUnanswered: ControlStoryRule {
  static let info = RuleInfo(
    id: "h2/ping-unanswered", severity: .warning,
    summary: "A PING was not acknowledged.",
    explanation: """
      Where TCP acknowledged it, the other side's process stands still or does not read; else the path is dead. Clients \
      close the connection then, with all streams on it.
      """,
    evidence: "The PING. Where the capture lacks bytes of the other side, its answer may have been among them.",
    fix: "Receiver: look for what blocks its event loop. Network: see whether the path forgets connections.",
    specifications: [.pings], thresholds: [.pingWait],
    causedBy: ["stream/silent-blackhole", "stream/peer-gone", "tcp/retransmission-gap", "tcp/host-silent"], since: "0.1"
  )

  static func judge(_ story: ControlStory, in context: FlowContext, report: (Finding) -> Void) {
    guard story.beginning != .midstream, !context.isOneSided, !story.hasHole else { return }
    let patience = max(1_000_000_000, 4 &* (context.roundTrip.total ?? 0))
    for sender in Direction.allCases {
      guard let mark = story.openPings[sender].first else { continue }
      let asked = mark.frame.released.time
      let last = max(context.lastEnd?.time ?? asked, story.lastPacket.time)
      let closed = context.closedBy == sender ? context.closedAt : nil
      let isGivenUp = closed.map { $0.time.since(asked) > patience } ?? false
      guard isGivenUp || last.since(asked) >= context.thresholds[.pingWait] else { continue }
      var evidence = [mark.evidence]
      if isGivenUp, let closed { evidence.append(Evidence(.packet(closed, sender), "closes the connection")) }
      report(
        Finding(
          info, severity: isGivenUp ? .error : .warning, subject: .connection(context.id),
          direction: sender.opposite,
          "\(Wording.sender(sender.opposite).atSentenceStart) did not acknowledge a PING within \(Wording.duration((isGivenUp ? closed?.time ?? last : last).since(asked))).",
          cost: isGivenUp ? .failed(.connection) : .none, fix: info.fix, evidence: evidence))
    }
  }
}

extension Threshold {
  static let pingWait = Threshold(
    "h2.ping-wait", .nanoseconds, 10_000_000_000, "a PING that is not acknowledged for longer has no answer")
}
