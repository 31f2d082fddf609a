import Citation
import Events
import TLSSemantics

/// An answer that came late, seen by the records alone.
enum AnswerSlow: TLSRule {
  static let info = RuleInfo(
    id: "tls/answer-slow", severity: .warning, confidence: .low,
    summary: "The server's data came long after the client's, on a connection of requests and answers inside TLS.",
    explanation: """
      What the records hold is not known without keys, but whose turn it was is: the client had sent its data, the \
      server's system acknowledged it, and the server's next data came this much later. A slow handler, a queue in front of \
      it, a backend that hangs: the time was not lost on the network. A long poll waits like this by design.
      """,
    evidence: """
      The client's last data before the wait, and the server's first behind it. Only where the client offers HTTP, each \
      of its messages was followed by data of the server before the next one, the server sent nothing on its own, and no \
      other wait was half as long: a socket that is pushed to, and polls, look otherwise. Records of up to \
      \(TLSProfile.control) bytes and, in TLS 1.3, the server's first two of one length are no data. Silent where \
      packets were lost meanwhile.
      """,
    fix: """
      Server: find this moment in its log. Client: SSLKEYLOGFILE beside the next capture shows which request it was.
      """,
    specifications: [.rfc(8446, "4.6.1")], thresholds: [.answerWait],
    causedBy: ["tcp/retransmission-gap", "tcp/zero-window", "tcp/path-stall"], since: "0.1")

  static func judge(_ story: TLSStory, in context: FlowContext, report: (Finding) -> Void) {
    let (turns, wait) = (story.session.turns, story.session.turns.wait)
    guard story.isShut, story.isWhole, story.offersHTTP, turns.areExchanges,
      wait.nanoseconds >= story.context.thresholds[.answerWait], wait.isAlone,
      !story.watch.isTroubled(story.client, wait.from, wait.to),
      !story.watch.isTroubled(story.server, wait.from, wait.to)
    else { return }
    report(
      story.finding(
        info, story.server,
        "The server's data came \(Wording.duration(wait.nanoseconds)) after the client's, inside TLS.",
        cost: .delay(nanoseconds: wait.nanoseconds &- (story.context.roundTrip.total ?? 0)),
        [
          Evidence(.packet(wait.from, story.client), "the client's data is complete"),
          Evidence(.packet(wait.to, story.server), "the server's data begins"),
        ]))
  }
}

extension TLSTurns {
  /// Every message of the client but the last was followed by data of the server, and nothing else was.
  var areExchanges: Bool { repeated == 0 && unasked == 0 && answered > 0 }
}

extension Threshold {
  static let answerWait = Threshold(
    "tls.answer-wait", .nanoseconds, 5_000_000_000, "an answer inside TLS that comes this late is slow")
}
