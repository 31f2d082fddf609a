import Citation
import Events

/// Messages that compression makes longer.
enum PMDExpansion: SocketSideRule {
  static let info = RuleInfo(
    id: "ws/pmd-expansion", severity: .note, summary: "Compression makes messages longer.",
    explanation:
      "Short messages, and such as are compressed already, grow by being compressed, and cost time on both sides.",
    evidence: "The first and the last message of the direction; the message has the figures.",
    fix: "Sender: send messages below some hundred bytes, and compressed content, as they are.",
    specifications: [.deflate("7.2.1")], thresholds: [.grownMessages], since: "0.1")

  static func judge(
    _ direction: Direction, of socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard let gain = CompressionGain(direction, of: socket) else { return }
    let figures = gain.figures
    guard figures.grown >= UInt64(max(1, context.thresholds[.grownMessages])) else { return }
    report(
      socket.story.finding(
        info, direction,
        "\(Wording.sender(direction).atSentenceStart) compressed \(Wording.count(figures.messages, "message")); \(Wording.number(figures.grown)) of them did not become shorter, and cost \(Wording.bytes(figures.growth)) more.",
        gain.evidence, in: context))
  }
}

extension Threshold {
  static let grownMessages = Threshold("ws.grown-messages", .count, 3, "messages that compression made no shorter")
}
