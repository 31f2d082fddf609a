import Citation
import Events
import WebSocketSemantics

/// A message in very many fragments.
enum FragmentStorm: SocketSideRule {
  static let info = RuleInfo(
    id: "ws/fragment-storm", severity: .warning,
    summary: "A message is cut into very many very small fragments.",
    explanation: """
      Every fragment has a header of 2 to 14 bytes and a turn of both programs. Streams that write what they have, token by \
      token, into one message do this; some receivers limit the number of fragments.
      """,
    evidence: "The first and the last packet of the message; the message has number and mean.",
    fix: "Sender: collect some hundred bytes for a fragment, or send a message for each piece.",
    specifications: [.webSocket("5.4")], thresholds: [.stormFrames, .stormMean], since: "0.1")

  static func judge(
    _ direction: Direction, of socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard let found = socket.fragments?.sides[direction].storm else { return }
    let message = found.message
    let mean = message.wireBytes / max(1, message.frames)
    report(
      socket.story.finding(
        info, direction,
        "\(Wording.sender(direction).atSentenceStart) cut a message of \(Wording.bytes(message.wireBytes)) into \(Wording.number(message.frames)) frames of \(Wording.bytes(mean)) on average.",
        [
          Evidence(.packet(message.span.first, direction), "the message begins"),
          Evidence(.packet(message.span.last, direction), "and ends"),
        ], count: found.count, in: context))
  }
}

extension Threshold {
  static let stormFrames = Threshold("ws.storm-frames", .count, 64, "frames of one message that are very many")
  static let stormMean = Threshold("ws.storm-mean", .bytes, 128, "and so small on average")
}
