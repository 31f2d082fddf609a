import Citation
import Events

/// More wrapping than content.
enum PaddingHeavy: MessageRule {
  static let info = RuleInfo(
    id: "h2/padding-heavy", severity: .note,
    summary: "Much of a body's frames is padding.",
    explanation: "Padding hides lengths. It spends credit and bandwidth like data.",
    evidence: "The first and the last of the frames.",
    fix: "Sender: pad only what needs it.",
    specifications: [.padding], since: "0.1")

  static var needs: ExchangeFacts { .http2 }

  static func judge(
    _ message: Message, of exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void
  ) {
    let frames = message.dataFrames
    let all = frames.padding &+ message.bodyBytes
    guard all >= 65_536, frames.padding >= all / 5, let first = frames.first, let last = frames.last else { return }
    report(
      Finding(
        info, subject: .connection(context.id), exchange: exchange.number, direction: message.direction,
        "\(exchange.title): \(Wording.bytes(frames.padding)) of \(Wording.bytes(all)) are padding.", cost: .none,
        fix: info.fix,
        evidence: [
          Evidence(.packet(first, message.direction), "the first"),
          Evidence(.packet(last, message.direction), "the last"),
        ]))
  }
}
