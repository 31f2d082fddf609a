import Citation
import Events

/// What a server was seen to do with each feature of the protocol.
enum ServerProfile: ServerFeatureRule {
  static let info = RuleInfo(
    id: "ws/server-profile", severity: .note, summary: "What a server was seen to support.",
    explanation: """
      Pings, binary messages and the closing handshake are what hand-written servers lack. What several connections \
      show together is collected here, for and against; what no client tried is not.
      """,
    evidence: "The first and the last 101 of that server.", fix: "Server: see the findings about what it lacks.",
    specifications: [.webSocket("5.5")], since: "0.1")

  static func judge(_ server: ServerFeatures.Server, _ thresholds: Thresholds, report: (Finding) -> Void) {
    var seen: [String] = []
    if server.pings > 0 { seen.append(server.pongs > 0 ? "it answers pings" : "it answers no ping") }
    if server.binary > 0 { seen.append("it is sent binary messages") }
    if server.closed > 0 { seen.append("it answers Close") }
    if server.droppedCount > 0 { seen.append("it left \(Wording.count(server.droppedCount, "Close")) unanswered") }
    guard !seen.isEmpty, let first = server.first, let last = server.last else { return }
    report(
      Finding(
        info, subject: .connection(first.flow), direction: .toClient,
        FindingMessage(
          "The server \(server.endpoint), on \(Wording.count(server.connections, "connection")): \(seen.joined(separator: ", "))."
        ),
        cost: .none,
        evidence: [
          Evidence(.packet(first.packet, .toClient), "the first 101"),
          Evidence(.packet(last, .toClient), "the last one"),
        ]
      ).on(first.connection))
  }
}
