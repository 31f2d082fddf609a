import Citation
import Events

/// Very many very small messages.
enum TinyFlood: SocketSideRule {
  static let info = RuleInfo(
    id: "ws/tiny-flood", severity: .warning, summary: "Very many very small messages are sent.",
    explanation: """
      Two hundred messages a second and more, of less than 64 bytes: most of what travels are headers, and both programs are \
      woken for each.
      """,
    evidence: "The first and the last message of two such seconds.",
    fix: "Sender: collect what comes within some milliseconds into one message.", specifications: [.webSocket("1.1")],
    since: "0.1")

  static func judge(
    _ direction: Direction, of socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void
  ) {
    let side = socket.pace.sides[direction]
    guard side.floods >= 2, let flood = side.flood else { return }
    report(
      socket.story.finding(
        info, direction,
        "\(Wording.sender(direction).atSentenceStart) sent \(Wording.count(flood.count, "message")) of \(Wording.bytes(flood.bytes / max(1, flood.count))) on average in \(Wording.duration(flood.to.time.since(flood.from.time))).",
        [
          Evidence(.packet(flood.from, direction), "the first of them"),
          Evidence(.packet(flood.to, direction), "the last"),
        ], in: context))
  }
}
