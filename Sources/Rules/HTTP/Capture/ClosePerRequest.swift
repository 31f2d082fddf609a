import Citation
import Events
import HTTPSemantics

/// A client that opens a connection for each request.
enum ClosePerRequest: ConnectionHabitRule {
  static let info = RuleInfo(
    id: "http/close-per-request", severity: .warning,
    summary: "Every request got a connection of its own.",
    explanation: """
      None of these connections answered a second request, so each request paid for a new handshake, with TLS two or three \
      round trips more, and began with a cold congestion window. On a mobile network that is most of the waiting. The usual \
      reasons: a session object per request, Connection: close, HTTP/1.0, or a server that closes at once.
      """,
    evidence: """
      The first requests, each on another connection, though an earlier one of the same client and authority had been \
      answered and could have been used again. Requests that were sent side by side are not counted. A client that asks \
      once in a while, as a health check does, hardly waits for handshakes: they have a cost where they take a part of the \
      pause before their request.
      """,
    fix: """
      Client: keep one session (URLSession, OkHttpClient, requests.Session, an agent with keepAlive) and read responses to \
      their end. Server: speak HTTP/1.1, frame bodies, and leave the connection open.
      """,
    specifications: [
      Specification("RFC 9112 §9.3", "https://www.rfc-editor.org/rfc/rfc9112#section-9.3")
    ],
    thresholds: [.unusedConnections, .handshakeLoss, .handshakeShare], since: "0.1")

  static func judge(_ habit: ConnectionReuse.Habit, _ thresholds: Thresholds, report: (Finding) -> Void) {
    let least = UInt64(max(1, thresholds[.unusedConnections]))
    guard !habit.isReusing, habit.exchanges >= least, habit.needless &+ 1 >= least else { return }
    let isFelt = habit.felt >= thresholds[.handshakeLoss]
    var finding = Finding(
      info, subject: .connection(habit.id), direction: habit.culprit,
      .wasteful(habit.exchanges, habit.needless, habit.handshakes, habit.reason),
      cost: isFelt ? .delay(nanoseconds: habit.felt) : .none, fix: info.fix,
      evidence: habit.requests.map { Evidence(.packet($0, .toServer), "a request, the only one of its connection") })
    finding.count = habit.exchanges
    report(finding.on(habit.connection))
  }
}

extension Threshold {
  static let unusedConnections = Threshold(
    "http.unused-connections", .count, 5, "exchanges, each on a connection of its own")
  static let handshakeLoss = Threshold(
    "http.handshake-loss", .nanoseconds, 50_000_000, "handshakes that took this long in all are noticeable")
  static let handshakeShare = Threshold(
    "http.handshake-share", .percent, 1, "a handshake that took this part of the pause before its request is noticeable"
  )
}

extension ConnectionReuse.Habit {
  /// The side that caused it, where that shows.
  fileprivate var culprit: Direction? {
    if clientSaysClose * 2 > exchanges { return .toServer }
    if serverSaysClose * 2 > exchanges { return .toClient }
    if closedByClient > closedByServer { return .toServer }
    return closedByServer > closedByClient ? .toClient : nil
  }

  fileprivate var reason: String {
    if clientSaysClose * 2 > exchanges { return "the client sends Connection: close" }
    if serverSaysClose * 2 > exchanges { return "the server sends Connection: close, or speaks HTTP/1.0" }
    if closedByClient > closedByServer { return "the client closes first, without Connection: close" }
    return closedByServer > closedByClient
      ? "the server closes first, without Connection: close" : "neither side sent Connection: close"
  }
}

extension FindingMessage {
  fileprivate static func wasteful(
    _ exchanges: UInt64, _ needless: UInt64, _ handshakes: Int64, _ reason: String
  ) -> Self {
    let lost = handshakes > 0 ? ", \(Wording.duration(handshakes)) in all" : ""
    return """
      \(Wording.number(exchanges)) requests of one client took as many connections; \(Wording.count(needless, "handshake")) \
      could have been saved\(lost). \(reason.prefix(1).uppercased())\(reason.dropFirst()).
      """
  }
}
