import Citation
import Events

/// A reset right behind the server's last data, with data of the client outstanding.
enum RSTDiscardsResponse: EndingRule {
  static let info = RuleInfo(
    id: "tcp/rst-discards-response", severity: .error, confidence: .medium,
    summary: "A reset right after the server's data may have destroyed it unread.",
    explanation: """
      A server that closes with the client's data unread, or still coming, sends a reset. When that reaches the client \
      before its program has read the server's last data, many systems discard the receive buffer: the program gets \
      "connection reset by peer" instead of the answer that names the error. Whether it happens depends on timing, so \
      the same error is reported now and then only.
      """,
    evidence: """
      The server's last data, the data of the client that was never acknowledged, and the reset. The capture shows that \
      the bytes arrived, not whether they were read; a client that had read them in time lost nothing of the answer, \
      nor one that closed before the reset.
      """,
    fix: """
      Server: after the last answer close only the sending side, read and drop what still comes for some seconds, then \
      close (nginx calls it lingering_close). Client: read while writing, so that the answer is taken when it comes.
      """,
    specifications: [
      Specification("RFC 9112 §9.6", "https://www.rfc-editor.org/rfc/rfc9112#section-9.6"),
      Specification("RFC 1122 §4.2.2.13", "https://www.rfc-editor.org/rfc/rfc1122#section-4.2.2.13"),
    ],
    causedBy: ["http/early-response-lost", "tcp/write-after-peer-fin", "tls/unanswered-record"], since: "0.1")

  static func judge(_ story: EndingStory, in context: FlowContext, report: (Finding) -> Void) {
    guard let words = story.lastWords.toClient, let reset = story.resets.toClient.accepted,
      let lost = story.surelyLost(.toServer), !story.hasClosedBefore(reset.packet, .toServer),
      // Behind bytes that are not here, the packets with them may have acknowledged more.
      context.closedBy != .toClient || context.endOrigin?.isAhead != true
    else { return }
    report(
      Finding(
        info, confidence: context.isMidstream ? .low : nil, subject: .connection(context.id), direction: .toClient,
        """
        The server reset the connection \(Wording.duration(reset.packet.time.since(words.packet.time))) after its last data, \
        with at least \(Wording.bytes(UInt64(lost.range.count))) of the client's unacknowledged; what the client had not \
        read by then may be gone.
        """,
        cost: .lost(bytes: UInt64(lost.range.count)),
        fix: info.fix,
        evidence: [
          Evidence(.packet(words.packet, .toClient), "the server's last data"),
          Evidence(.packet(lost.packet, .toServer), "the client was sending; this was never acknowledged"),
          Evidence(.packet(reset.packet, .toClient), "RST"),
        ].sorted { ($0.packet?.number ?? 0) < ($1.packet?.number ?? 0) }))
  }
}
