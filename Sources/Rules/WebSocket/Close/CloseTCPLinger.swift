import Citation
import Events

/// A server that keeps TCP open for nothing.
enum CloseTCPLinger: SocketRule {
  static let info = RuleInfo(
    id: "ws/close-tcp-linger", severity: .warning,
    summary: "The server kept TCP open after both Closes.",
    explanation: """
      The WebSocket is over, and the server is to end TCP at once. Until it does, the connection takes a place at both ends; \
      servers that wait for a timeout of their own run out of them.
      """,
    evidence: "The second Close, and the end of TCP, or the last packet before the capture's end.",
    fix: "Server: close the socket when both Closes are there.", specifications: [.webSocket("7.1.1")],
    thresholds: [.closeLinger], since: "0.1")

  static func judge(_ socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void) {
    let story = socket.story
    let server = story.sides[story.client.opposite]
    guard !story.isStream, let both = BothCloses(story), let until = server.fin ?? server.reset ?? story.end?.packet
    else { return }
    let wait = until.time.since(both.second.released.time)
    guard wait > context.thresholds[.closeLinger] &+ (context.roundTrip.total ?? 0) else { return }
    report(
      story.finding(
        info, story.client.opposite, "The server kept TCP open for \(Wording.duration(wait)) after both Closes.",
        both.evidence + [Evidence(.packet(until, nil), "TCP ends")], in: context))
  }
}

extension Threshold {
  static let closeLinger = Threshold(
    "ws.close-linger", .nanoseconds, 2_000_000_000, "TCP that stays open this long after both Closes")
}
