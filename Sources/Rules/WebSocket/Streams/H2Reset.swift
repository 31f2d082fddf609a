import Citation
import Events

/// A WebSocket that is cut off without its connection.
enum H2Reset: SocketRule {
  static let info = RuleInfo(
    id: "ws/h2-reset", severity: .warning,
    summary: "The stream of an open WebSocket was reset.",
    explanation: """
      RST_STREAM ends a WebSocket like a RST of TCP: without a Close, clients see 1006, and messages under way are lost.
      """,
    evidence: """
      The RST_STREAM, and the last frame before it. A client that resets it leaves, as a browser does whose tab is closed, \
      which costs nothing.
      """,
    fix: "Sender of the reset: send a Close and END_STREAM. A proxy that resets has its reason in its log.",
    specifications: [.streamSockets], since: "0.1")

  static func judge(_ socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void) {
    let story = socket.story
    guard story.opening?.exchangeKey.stream != nil, let end = story.end, end.isReset, !story.bothClosed,
      story.sides[end.by].hasEndedStream
    else { return }
    var evidence = [Evidence(.packet(end.packet, end.by), "RST_STREAM")]
    if let last = story.lastFrame { evidence.append(Evidence(.packet(last.packet, last.direction), "the last frame")) }
    report(
      story.finding(
        info, end.by, "\(Wording.sender(end.by).atSentenceStart) reset the stream of the open WebSocket.",
        severity: end.by == story.client ? .note : nil, cost: end.by == story.client ? .none : .failed(.exchange),
        evidence, in: context))
  }
}
