import Citation
import Events

/// Pings without end.
enum WebSocketPingFlood: SocketSideRule {
  static let info = RuleInfo(
    id: "ws/ping-flood", severity: .warning, summary: "A side sends pings without end.",
    explanation: """
      More than twenty in a second, for two seconds and more. Each is to be answered: it costs both sides time, and servers \
      end such connections for it.
      """,
    evidence: "The first and the last ping of two seconds.", fix: "Sender: ping every 20 to 30 seconds.",
    specifications: [.webSocket("5.5.2")], since: "0.1")

  static func judge(
    _ direction: Direction, of socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void
  ) {
    let side = socket.pings.sides[direction]
    guard let found = side.flood else { return }
    report(
      socket.story.finding(
        info, direction,
        "\(Wording.sender(direction).atSentenceStart) sent \(Pings.floodCount) pings in \(Wording.duration(found.to.time.since(found.from.time))), of \(Wording.number(side.sent)) in all.",
        [
          Evidence(.packet(found.from, direction), "the first of them"),
          Evidence(.packet(found.to, direction), "the last of them"),
        ], in: context))
  }
}
