import Citation
import Events
import WebSocketSemantics

/// A stream that stays behind.
enum H2CloseNoEnd: SocketRule {
  static let info = RuleInfo(
    id: "ws/h2-close-no-end", severity: .note,
    summary: "A WebSocket was closed, and its stream was not.",
    explanation: """
      After both Close frames END_STREAM frees the stream. Without it the stream counts against the limit of streams \
      until the connection ends.
      """,
    evidence: "Both Close frames.",
    fix: "Server: end the stream behind its Close.",
    specifications: [.streamSockets], since: "0.1")

  private static let patience: Int64 = 2_000_000_000

  static func judge(_ socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void) {
    let story = socket.story
    guard story.opening?.exchangeKey.stream != nil, story.isWhole, let up = story.sides.toServer.close,
      let down = story.sides.toClient.close
    else { return }
    let closed = up.released.number > down.released.number ? up.released : down.released
    let ends = Direction.allCases.filter { story.sides[$0].hasEndedStream }
    let isLate = ends.isEmpty || story.end.map { $0.packet.time.since(closed.time) > patience } ?? true
    guard isLate else { return }
    report(
      story.finding(
        info, nil, "The WebSocket was closed both ways, and its stream stayed open.",
        [.frame(up, .toServer, "Close of the client"), .frame(down, .toClient, "Close of the server")], in: context))
  }
}
