import Citation
import Events

/// One lost segment, many streams.
enum TCPLossStallsStreams: ControlStoryRule {
  static let info = RuleInfo(
    id: "h2/tcp-loss-stalls-streams", severity: .warning,
    summary: "A lost segment held up several streams.",
    explanation: """
      TCP hands bytes over in order: behind a hole the frames of all streams wait, also of those that lost nothing.
      """,
    evidence: "The first byte that waited, and the packet that filled the hole. Several streams went on at once then.",
    fix: "Network: look at the losses. Client: a second connection for bulk transfers, or HTTP/3.",
    specifications: [.flowControl], causedBy: ["tcp/retransmission-gap"], since: "0.1")

  static func judge(_ story: ControlStory, in context: FlowContext, report: (Finding) -> Void) {
    guard let held = story.record?.held, held.count > 0, let first = held.first, let released = held.released else {
      return
    }
    var finding = Finding(
      info, subject: .connection(context.id),
      "\(held.streams) streams waited \(Wording.duration(released.time.since(first.time))) for a lost segment.",
      cost: .delay(nanoseconds: held.nanoseconds &* Int64(held.streams)), fix: info.fix,
      evidence: [
        Evidence(.packet(first, nil), "waited behind the hole"), Evidence(.packet(released, nil), "filled it"),
      ])
    finding.count = held.count
    report(finding)
  }
}
