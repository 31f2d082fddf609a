import Citation
import Events

/// Two polls of one channel at the same time.
enum Overlap: PollRule {
  static let info = RuleInfo(
    id: "poll/overlap", severity: .note, confidence: .low,
    summary: "Two long polls for the same thing were outstanding at once.",
    explanation: """
      One poll is enough. With two, the server may answer either, messages arrive out of order or twice, and each \
      holds a connection. It happens when a client repeats the poll after its own timeout without cancelling the \
      first, or when two parts of an app each run a poll loop. Two apps or tabs behind one address look the same.
      """,
    evidence: "The two requests, on two connections, and the answer to the first, which came while both were open.",
    fix: "Client: keep one poll per channel, and cancel the old one before asking again.",
    specifications: [Specification("RFC 6202 §5.1", "https://www.rfc-editor.org/rfc/rfc6202#section-5.1")], since: "0.1"
  )

  static func judge(_ channel: PollChannel, _ thresholds: Thresholds, report: (Finding) -> Void) {
    guard let (first, second) = channel.overlap, let end = first.answer ?? first.abandoned else { return }
    report(
      Finding(
        Self.info, subject: .connection(second.flow), exchange: second.exchange, direction: .toServer,
        "\(second.title): a poll began while another one was open, which was held \(Wording.duration(end.time.since(second.first.time))) longer.",
        cost: .none, fix: info.fix,
        evidence: [
          Evidence(.packet(first.first, .toServer), "a poll"),
          Evidence(.packet(second.first, .toServer), "another one, for the same"),
          Evidence(.packet(end, first.answer == nil ? .toServer : .toClient), "the end of the first"),
        ]
      ).on(second.connection))
  }
}
