import Citation
import Events

/// Masks that can be guessed from those before.
enum MaskKeySequential: SocketRule {
  static let info = RuleInfo(
    id: "ws/mask-key-sequential", severity: .warning, confidence: .medium,
    summary: "A client's masks follow a pattern.",
    explanation:
      "\(WebSocketTexts.guessable) Each key is the one before and a constant more, or some of its bytes never change.",
    evidence: "The first frames of the pattern, or the last one where bytes of all keys are the same.",
    fix: "Client: draw four random bytes for each frame from a generator made for secrets.",
    specifications: [.webSocket("5.3")], since: "0.1")

  static func judge(_ socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void) {
    let (story, masks) = (socket.story, socket.masks)
    // The same key again and again is a pattern, too.
    guard masks.repeated == nil else { return }
    if !masks.pattern.isEmpty {
      report(
        story.finding(
          info, story.client, "The client's masks are a counter: each is the one before and a constant more.",
          masks.pattern.map { $0.evidence(story.client, "the next key") }, count: UInt64(masks.pattern.count),
          in: context))
    } else if let fixed = masks.fixed {
      report(
        story.finding(
          info, story.client,
          "\(fixed.bytes) of 4 bytes are the same in the masks of all \(Wording.count(fixed.frames, "frame")).",
          [fixed.last.evidence(story.client, "the last key")], count: fixed.frames, in: context))
    }
  }
}
