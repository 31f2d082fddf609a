import Citation
import Events

/// What the messages before would have saved.
enum PMDNoTakeoverCost: SocketSideRule {
  static let info = RuleInfo(
    id: "ws/pmd-no-takeover-cost", severity: .note,
    summary: "Messages that resemble each other are compressed without their context.",
    explanation: """
      With no_context_takeover every message is compressed as if it were the first. Messages of one kind, JSON above all, \
      share most of their words, and with the window kept shrink to a fraction; the price is up to 32 KiB of memory for each \
      connection on each side, less with smaller windows.
      """,
    evidence: """
      The first and the last message of the direction. Its first messages were compressed again here, by one compressor, each \
      alone and with those before it.
      """,
    fix: """
      Side that requested no_context_takeover: leave it out, and ask for smaller windows (max_window_bits=12) where \
      memory is short.
      """,
    specifications: [.deflate("7.1.1")], since: "0.1")

  static func judge(
    _ direction: Direction, of socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard let gain = CompressionGain(direction, of: socket), let trial = gain.figures.takeover,
      trial.together * 10 <= trial.alone * 7
    else { return }
    report(
      socket.story.finding(
        info, direction,
        "\(Wording.sender(direction).atSentenceStart) compresses each message alone: its first \(Wording.number(trial.messages)) take \(Wording.bytes(trial.alone)) so, and would take \(Wording.bytes(trial.together)) with the window kept (\(Wording.bytes(trial.plain)) of text).",
        gain.evidence, in: context))
  }
}
