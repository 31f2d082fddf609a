import Citation
import Events
import TLSSemantics

/// Data of the server that stalled in the middle of something large, seen by the records alone.
enum TransferStall: TLSRule {
  static let info = RuleInfo(
    id: "tls/transfer-stall", severity: .warning, confidence: .medium,
    summary: "The server's data stalled in the middle of a transfer inside TLS.",
    explanation: """
      A sender cuts what is large into records of one length, and only the last one is shorter. Between two such records \
      the server sent nothing for the time shown, while the client asked for nothing, the window was open and no packet \
      was lost: the server, or what is behind it, had no more to give and then had. A client with a read timer shorter \
      than this gives up.
      """,
    evidence: """
      The packets before and after the pause: between two of at least \(TLSTurns.parts) records of one length in a row, \
      sent at 4 Mbit/s or more, with no record of the client between. No other pause of that kind was half as long, for a server that sends by the \
      clock pauses often. What was decrypted is judged by the rules of HTTP.
      """,
    fix: """
      Server or proxy: find what gave no bytes at this moment (its log, its upstream's, the disk). Client: \
      SSLKEYLOGFILE beside the next capture shows which response it was.
      """,
    specifications: [.rfc(8446, "5.1")], thresholds: [.transferPause],
    causedBy: ["tcp/retransmission-gap", "tcp/zero-window", "tcp/path-stall"], since: "0.1")

  static func judge(_ story: TLSStory, in context: FlowContext, report: (Finding) -> Void) {
    let (pause, transfer) = (story.session.turns.stall, story.session.turns.transfer)
    guard story.isShut, pause.nanoseconds >= story.context.thresholds[.transferPause], pause.isAlone,
      story.isWhole(story.server), !story.context.isOneSided,
      !story.watch.isTroubled(story.server, pause.from, pause.to)
    else { return }
    report(
      story.finding(
        info, story.server,
        "The server sent nothing for \(Wording.duration(pause.nanoseconds)) in the middle of a transfer, behind \(transfer.records) records of \(Wording.bytes(UInt64(transfer.length))), and then went on.",
        cost: .delay(nanoseconds: pause.nanoseconds),
        [
          Evidence(.packet(pause.from, story.server), "the last record before the pause"),
          Evidence(.packet(pause.to, story.server), "the next one"),
        ]))
  }
}

extension Threshold {
  static let transferPause = Threshold(
    "tls.transfer-pause", .nanoseconds, 2_000_000_000, "a transfer that pauses this long in its middle stalled")
}
