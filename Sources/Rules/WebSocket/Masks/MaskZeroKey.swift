import Citation
import Events

/// Masks that hide nothing.
enum MaskZeroKey: SocketRule {
  static let info = RuleInfo(
    id: "ws/mask-zero-key", severity: .warning, summary: "A client masks frames with a key of zeros.",
    explanation: """
      The payload stands on the wire as it is. \(WebSocketTexts.guessable) The client built into Node.js 20 does it after 4,096 frames of a process.
      """,
    evidence: "The first such frame; the message counts them.", fix: "Client: draw four random bytes for each frame.",
    specifications: [.webSocket("5.3"), .webSocket("10.3")], since: "0.1")

  static func judge(_ socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void) {
    let (story, masks) = (socket.story, socket.masks)
    guard let first = masks.firstZero else { return }
    report(
      story.finding(
        info, story.client,
        "\(Wording.number(masks.zeros)) of \(Wording.count(masks.total, "frame")) of the client are masked with zeros.",
        [first.evidence(story.client, "the key is 00000000")], count: masks.zeros, in: context))
  }
}
