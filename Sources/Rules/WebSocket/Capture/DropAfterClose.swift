import Citation
import Events
import WebSocketSemantics

/// A server that has no closing handshake.
enum DropAfterClose: ServerFeatureRule {
  static let info = RuleInfo(
    id: "ws/drop-after-close", severity: .note, confidence: .medium,
    summary: "A server answers no Close on any of its connections.",
    explanation: """
      On two connections and more the server ended TCP when a Close came, and never sent one: it has no closing handshake, and \
      each client sees 1006 where it should see its own code.
      """,
    evidence: "The first Closes, each on a connection of its own.",
    fix: "Server: answer a Close with a Close, then end TCP.",
    specifications: [.webSocket("5.5.1"), .webSocket("7.1.1")],
    since: "0.1")

  static func judge(_ server: ServerFeatures.Server, _ thresholds: Thresholds, report: (Finding) -> Void) {
    guard server.droppedCount > 1, server.closed == 0, let last = server.dropped.last else { return }
    var finding = Finding(
      info, subject: .connection(last.flow), exchange: last.exchange, direction: .toClient,
      FindingMessage(
        "The server \(server.endpoint) answered none of \(Wording.number(server.droppedCount)) Closes, and ended TCP instead."
      ), cost: .none, fix: info.fix,
      evidence: server.dropped.map { .frame($0.close, .toServer, "Close, on connection #\($0.connection)") }
    ).on(last.connection)
    finding.count = server.droppedCount
    report(finding)
  }
}
