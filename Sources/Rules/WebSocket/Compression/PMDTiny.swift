import Citation
import Events

/// Small messages that are compressed each alone.
enum PMDTiny: SocketSideRule {
  static let info = RuleInfo(
    id: "ws/pmd-tiny", severity: .note, summary: "Small messages are compressed one by one, for nothing.",
    explanation: """
      Without context takeover each message is compressed alone, and in less than 64 bytes hardly anything repeats. With it, \
      messages that resemble each other shrink to a few bytes.
      """,
    evidence: "The first and the last message of the direction.",
    fix: "Server: allow context takeover. Or sender: do not compress small messages.",
    specifications: [.deflate("7.1.1")], since: "0.1")

  static func judge(
    _ direction: Direction, of socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard let gain = CompressionGain(direction, of: socket), gain.forgetsContext, gain.figures.messages >= 20,
      let median = gain.side.sizes.quantile(50), median < 64
    else { return }
    let figures = gain.figures
    report(
      socket.story.finding(
        info, direction,
        "\(Wording.sender(direction).atSentenceStart) compressed \(Wording.count(figures.messages, "message")) of \(Wording.bytes(UInt64(max(0, median)))) on average, each alone: \(Wording.bytes(figures.inflated)) became \(Wording.bytes(figures.compressed)).",
        gain.evidence, in: context))
  }
}
