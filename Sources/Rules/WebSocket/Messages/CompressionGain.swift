import Citation
import Events
import WebSocketSemantics

/// What compression brought to a direction, all messages together.
enum CompressionGain {
  static let infos: [RuleInfo] = [expansion, unused, tiny, forgetting]

  private static let expansion = RuleInfo(
    id: "ws/pmd-expansion", severity: .note, summary: "Compression makes messages longer.",
    explanation:
      "Short messages, and such as are compressed already, grow by being compressed, and cost time on both sides.",
    evidence: "The first and the last message of the direction; the message has the figures.",
    fix: "Sender: send messages below some hundred bytes, and compressed content, as they are.",
    specifications: [.deflate("7.2.1")], thresholds: [.grownMessages], since: "0.1")

  private static let unused = RuleInfo(
    id: "ws/pmd-negotiated-unused", severity: .note, summary: "Compression was agreed and never used.",
    explanation: """
      The receiver keeps a window of up to 32 KiB for each connection, for nothing. Clients that cannot compress agree to it all \
      the same, and senders have a threshold below which they do not.
      """,
    evidence: "The first and the last message of the direction.",
    fix: "Sender: compress, or do not offer permessage-deflate.", specifications: [.deflate("6")], since: "0.1")

  private static let tiny = RuleInfo(
    id: "ws/pmd-tiny", severity: .note, summary: "Small messages are compressed one by one, for nothing.",
    explanation: """
      Without context takeover each message is compressed alone, and in less than 64 bytes hardly anything repeats. With it, \
      messages that resemble each other shrink to a few bytes.
      """,
    evidence: "The first and the last message of the direction.",
    fix: "Server: allow context takeover. Or sender: do not compress small messages.",
    specifications: [.deflate("7.1.1")], since: "0.1")

  private static let forgetting = RuleInfo(
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
      Whoever asked for no_context_takeover: leave it out, and ask for smaller windows (max_window_bits=12) where memory is short.
      """,
    specifications: [.deflate("7.1.1")], since: "0.1")

  static func close(
    _ story: SocketStory, _ record: WebSocketRecord, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard let terms = record.opening.deflate else { return }
    for direction in Direction.allCases {
      let side = record.sides[direction]
      guard let first = side.firstMessage, let last = side.lastMessage else { continue }
      let who = Wording.sender(direction).atSentenceStart
      func tell(_ info: RuleInfo, _ what: String) {
        report(
          story.finding(
            info, direction, what,
            [
              Evidence(.packet(first, direction), "the first message"),
              Evidence(.packet(last, direction), "the last one"),
            ], in: context))
      }
      let figures = side.deflate ?? DeflateFigures()
      if figures.grown >= UInt64(max(1, context.thresholds[.grownMessages])) {
        tell(
          expansion,
          "\(who) compressed \(Wording.count(figures.messages, "message")); \(Wording.number(figures.grown)) of them did not become shorter, and cost \(Wording.bytes(figures.growth)) more."
        )
      }
      if figures.messages == 0, side.wireBytes == side.bytes, side.lostAt == nil {
        tell(
          unused,
          "Compression was agreed, and \(Wording.sender(direction)) sent \(Wording.count(side.messages, "message")), none of them compressed."
        )
      }
      if let trial = figures.takeover, trial.together * 10 <= trial.alone * 7 {
        tell(
          forgetting,
          "\(who) compresses each message alone: its first \(Wording.number(trial.messages)) take \(Wording.bytes(trial.alone)) so, and would take \(Wording.bytes(trial.together)) with the window kept (\(Wording.bytes(trial.plain)) of text)."
        )
      }
      if terms[direction].forgetsContext, figures.messages >= 20, let median = side.sizes.quantile(50), median < 64 {
        tell(
          tiny,
          "\(who) compressed \(Wording.count(figures.messages, "message")) of \(Wording.bytes(UInt64(max(0, median)))) on average, each alone: \(Wording.bytes(figures.inflated)) became \(Wording.bytes(figures.compressed))."
        )
      }
    }
  }
}
