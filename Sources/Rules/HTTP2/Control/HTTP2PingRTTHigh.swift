import Citation
import Events

/// Answers that wait in a queue.
enum HTTP2PingRTTHigh: ControlStoryRule {
  static let info = RuleInfo(
    id: "h2/ping-rtt-high", severity: .warning,
    summary: "PINGs were acknowledged late.",
    explanation: """
      A PING is answered by the peer's HTTP/2 library. Where that takes many round trips of the network, its event loop \
      is busy, or the answer waits behind DATA that was queued before.
      """,
    evidence: "The PING that took longest, and its acknowledgement.",
    fix: "Receiver: answer PINGs before queued DATA, and keep the event loop free.",
    specifications: [.pings], thresholds: [.pingHigh],
    causedBy: ["tcp/retransmission-gap", "tcp/path-stall"], since: "0.1")

  static func judge(_ story: ControlStory, in context: FlowContext, report: (Finding) -> Void) {
    // One that is missing, or came before the capture, leaves its ACK to the next with the same payload.
    guard !story.hasHole, !context.isMidstream else { return }
    let least = max(context.thresholds[.pingHigh], 5 &* (context.roundTrip.total ?? 0))
    for sender in Direction.allCases {
      let pings = story.pings[sender]
      guard pings.count >= 3, let high = pings.quantile(95), high > least, let worst = story.slowPing[sender] else {
        continue
      }
      report(
        Finding(
          info, subject: .connection(context.id), direction: sender.opposite,
          "\(Wording.sender(sender.opposite).atSentenceStart) acknowledged \(pings.count) PINGs after up to \(Wording.duration(worst.nanoseconds)).",
          cost: .delay(nanoseconds: worst.nanoseconds), fix: info.fix,
          evidence: [worst.from.evidence, worst.to.evidence("PING ACK")]))
    }
  }
}

extension Threshold {
  static let pingHigh = Threshold(
    "h2.ping-p95", .nanoseconds, 250_000_000, "PINGs that are acknowledged later, and after 5 round trips, waited")
}
