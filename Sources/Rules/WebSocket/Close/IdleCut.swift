import Citation
import Events

/// A silent WebSocket that a timeout ended.
enum IdleCut: SocketRule {
  static let info = RuleInfo(
    id: "ws/idle-cut", severity: .warning, confidence: .medium,
    summary: "A silent WebSocket was cut after a round time.",
    explanation: """
      Nothing was sent for as long as timeouts are, and then TCP ended without a Close: a proxy or load balancer in front of \
      the side that ended it, or that side itself, takes a silent connection for a dead one. For defaults see \
      `explain stream/cut-at-known-timeout`. nginx ends its hop to the server first, haproxy the one to the client.
      """,
    evidence: "The last frame, and the end. Inferred: the time is within two hundredths of a round one.",
    fix: "Server or client: send a ping at least every half of that time. Proxy: raise its timeout for WebSocket.",
    specifications: [.webSocket("5.5.2")], thresholds: [.idleCut], since: "0.1")

  /// What people set timeouts to besides the defaults of products, in seconds.
  private static let chosen: [Int64] = [3, 20, 45, 75, 90, 180, 600, 900, 1_800, 3_600, 4_000, 7_200]
  private static let timeouts = (chosen + KnownTimeout.silences).sorted()

  static func judge(_ socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void) {
    // Timers are never exact, the shortest included.
    guard let missing = MissingClose(socket.story), case let silence = missing.silence,
      silence >= context.thresholds[.idleCut] / 100 * 98,
      let seconds = timeouts.first(where: { silence.apart(from: $0 &* 1_000_000_000) <= $0 &* 20_000_000 })
    else { return }
    let who = Wording.sender(missing.end.by)
    report(
      socket.story.finding(
        info, missing.end.by,
        "Nothing was sent for \(Wording.duration(silence)), then \(who) ended \(socket.story.carrier): a timeout of \(seconds) s, of \(who) or of a hop in front of it.",
        cost: missing.cost,
        [Evidence(.packet(missing.last, missing.lastDirection), "the last frame of either side"), missing.ending],
        in: context))
  }
}

extension Threshold {
  static let idleCut = Threshold(
    "ws.idle-cut", .nanoseconds, 3_000_000_000, "no timeout is shorter than this silence")
}
