import Citation
import Events

/// A FIN that turned into a reset, because there was still something to come.
enum RSTAfterFIN: EndingRule {
  static let info = RuleInfo(
    id: "tcp/rst-after-fin", severity: .error,
    summary: "A close was followed by a reset, because the other side had not finished.",
    explanation: """
      A program that closes a socket sends a FIN, and its system then refuses whatever still comes for it with a reset. \
      The other side sees an orderly end and, a moment later, an aborted connection: reads may fail with ECONNRESET \
      (connection reset by peer) although the last answer had arrived, and nothing waits in TIME_WAIT on the side that \
      closed. A reset for data of before the FIN carries an old number, so a careful system ignores it and goes on sending.
      """,
    evidence: """
      The FIN, what the other side sent after it, and the first reset; where that one is below the window, also the \
      first one that counts. A reset after both sides have closed and everything was acknowledged does not count.
      """,
    fix: """
      Closing side: close the sending side only (shutdown), read until the peer's FIN or a time limit, then close. The \
      other side: notice the FIN and stop.
      """,
    specifications: [
      Specification("RFC 9293 §3.6", "https://www.rfc-editor.org/rfc/rfc9293#section-3.6"),
      Specification("RFC 9112 §9.6", "https://www.rfc-editor.org/rfc/rfc9112#section-9.6"),
    ],
    causedBy: [
      "http/keepalive-race", "http/early-response-lost", "http/reply-after-close", "tcp/write-after-peer-fin",
    ], since: "0.1")

  static func judge(_ story: EndingStory, in context: FlowContext, report: (Finding) -> Void) {
    for closer in Direction.allCases {
      let other = closer.opposite
      guard let fin = story.closedFirst(closer), let reset = story.resetAfterFin(closer),
        let between = reset.earlier, between.number > fin.packet.number
      else { continue }
      let lost = story.lost(other)
      // Both had closed: the reset only saves TIME_WAIT.
      guard lost != nil || story.fins[other] == nil else { continue }
      if let lost, other == .toClient, lost.maySayGoodbye { continue }
      if lost != nil, story.hadFinished(other) { continue }
      var evidence = [
        Evidence(.packet(fin.packet, closer), "FIN\(fin.dataWords)"),
        Evidence(.packet(between, other), "\(Wording.sender(other)) goes on"),
        Evidence(
          .packet(reset.packet, closer),
          reset.kind == .reset
            ? "RST" : "RST, \(Wording.number(reset.value)) below what \(Wording.sender(other)) expects: ignored there"),
      ]
      if let exact = story.resets[closer].accepted, exact.packet.number != reset.packet.number {
        evidence.append(Evidence(.packet(exact.packet, closer), "the first RST that ends the connection"))
      }
      let cost: Cost =
        if other == .toServer, let lost = story.surelyLost(other) {
          .lost(bytes: UInt64(lost.range.count))
        } else {
          .none
        }
      report(
        Finding(
          info, confidence: context.isMidstream ? .medium : nil, subject: .connection(context.id), direction: closer,
          """
          \(Wording.sender(closer).atSentenceStart) closed, and \(Wording.duration(reset.packet.time.since(fin.packet.time))) \
          later answered \(Wording.sender(other)) with a reset.
          """,
          cost: cost,
          fix: """
            \(closer == .toClient ? "Server" : "Client"): close the sending side only, and read until \
            \(Wording.sender(other)) has closed, too.
            """,
          evidence: evidence))
    }
  }
}
