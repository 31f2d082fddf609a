import Citation
import Events

/// A frame for each write.
enum TinyData: MessageRule {
  static let info = RuleInfo(
    id: "h2/tiny-data", severity: .warning,
    summary: "A body was sent in very small DATA frames, several in a packet.",
    explanation: """
      Each frame has a header of nine bytes, and costs both sides work. Frames in one packet were written together, and \
      could have been one.
      """,
    evidence: "The first and the last of them. A token in a packet of its own is no waste.",
    fix: "Sender: put what is written at once into one frame.",
    specifications: [.frameFormat], thresholds: [.tinyFrames], since: "0.1")

  static var needs: ExchangeFacts { .http2 }

  static func judge(
    _ message: Message, of exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void
  ) {
    let frames = message.dataFrames
    guard Int64(clamping: frames.full) >= context.thresholds[.tinyFrames], frames.tiny > frames.full / 2,
      frames.joined >= frames.full / 2, let first = frames.first, let last = frames.last
    else { return }
    let headers = frames.count &* 9
    let isHeavy = message.bodyBytes >= 65_536 && headers > message.bodyBytes / 4
    var finding = Finding(
      info, subject: .connection(context.id), exchange: exchange.number, direction: message.direction,
      "\(exchange.title): \(frames.full) DATA frames carry \(Wording.bytes(message.bodyBytes)), \(frames.tiny) of them less than 64 B.",
      cost: isHeavy ? .lost(bytes: headers) : .none, fix: info.fix,
      evidence: [
        Evidence(.packet(first, message.direction), "the first"),
        Evidence(.packet(last, message.direction), "the last"),
      ])
    finding.count = frames.full
    report(finding)
  }
}

extension Threshold {
  static let tinyFrames = Threshold("h2.tiny-frames", .count, 50, "fewer small frames do no harm")
}
