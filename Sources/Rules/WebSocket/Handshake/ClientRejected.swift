import Citation
import Events
import HTTPSemantics

/// A client that leaves right behind the 101, before any frame: it did not take the answer.
enum ClientRejected {
  static let info = RuleInfo(
    id: "ws/hs-client-rejected", severity: .warning, confidence: .medium,
    summary: "The client dropped the connection right behind the 101.",
    explanation: """
      A client checks the 101 and closes TCP where it does not like it: no Close frame, and 1006 for the application. The \
      finding that this one stands under says what it did not like. Without one, a probe that only looks whether the port \
      speaks WebSocket did the same.
      """,
    evidence: "The 101, and the client's FIN or RST before any frame of it.",
    fix: "Server: correct what the finding above names.", specifications: [.webSocket("4.1")],
    thresholds: [.rejection], since: "0.1")

  /// The packet with which the client left, where it did so without a frame.
  static func left(
    _ upgrade: Upgrade, hasFrames: Bool, in context: FlowContext
  ) -> PacketRef? {
    let closing = context.closing(of: upgrade.exchange)
    guard !hasFrames, closing.by == upgrade.request.direction, let at = closing.at,
      let answer = upgrade.acceptance,
      at.time.since(answer.released.time) <= context.thresholds[.rejection] &+ (context.roundTrip.total ?? 0)
    else { return nil }
    return at
  }

  static func judge(
    _ upgrade: Upgrade, _ answer: MessageHead, left: PacketRef, cause: RuleID?, in context: FlowContext,
    report: (Finding) -> Void
  ) {
    report(
      Finding(
        info, confidence: cause == nil ? .low : .medium, subject: .connection(context.id),
        exchange: upgrade.exchange.number, direction: upgrade.request.direction,
        FindingMessage(
          "\(upgrade.exchange.title): the client left \(Wording.duration(left.time.since(answer.released.time))) after the 101, without a frame."
        ), cost: cause == nil ? .none : .failed(.connection), fix: cause == nil ? nil : info.fix, causedBy: cause,
        evidence: AcceptanceFaults.statusLine(upgrade, "the 101") + [
          Evidence(.packet(left, upgrade.request.direction), "the client leaves")
        ]))
  }
}
