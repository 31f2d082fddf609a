import Citation
import Events

/// Frames that a client sends before it was let in.
enum HSEarlyData: SocketRule {
  static let info = RuleInfo(
    id: "ws/hs-early-data", severity: .error, summary: "A client sent frames before the 101 came.",
    explanation: """
      A client has to wait for the 101: until then a server may refuse, and a proxy reads what follows the request as the next \
      request, or drops it. The first messages are lost with some servers, and not with others.
      """,
    evidence: "The packet with the first such bytes, and the 101 that came later.",
    fix: "Client: send nothing until the 101 has come and was checked.", specifications: [.webSocket("4.1")],
    since: "0.1")

  static func judge(_ socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void) {
    guard let opening = socket.story.opening, let early = opening.early, let response = opening.response else { return }
    report(
      Finding(
        info, subject: .connection(context.id), exchange: opening.exchange, direction: opening.client,
        FindingMessage(
          "The client sent frames \(Wording.duration(response.time.since(early.time))) before the 101 came."),
        cost: .none, fix: info.fix,
        evidence: [
          Evidence(.packet(early, opening.client), "frames already"),
          Evidence(.packet(response, opening.client.opposite), "the 101"),
        ]))
  }
}
