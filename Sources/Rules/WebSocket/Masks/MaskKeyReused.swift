import Citation
import Events

/// A mask that comes again and again.
enum MaskKeyReused: SocketRule {
  static let info = RuleInfo(
    id: "ws/mask-key-reused", severity: .warning, summary: "A client masks several frames with the same key.",
    explanation: "\(WebSocketTexts.guessable) Old libraries draw one key for a connection.",
    evidence: "The first frames with that key.", fix: "Client: draw four random bytes for each frame.",
    specifications: [.webSocket("5.3")], since: "0.1")

  static func judge(_ socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void) {
    let (story, masks) = (socket.story, socket.masks)
    guard let repeated = masks.repeated else { return }
    report(
      story.finding(
        info, story.client,
        "The client masked \(Wording.number(repeated.count)) of \(Wording.count(masks.total, "frame")) with the same key.",
        repeated.frames.map { $0.evidence(story.client, "the same key") }, count: repeated.count, in: context))
  }
}
