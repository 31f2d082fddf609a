import Citation
import Events
import HTTPSemantics

/// A 101 that takes long.
enum HSSlow: UpgradeRule {
  static let info = RuleInfo(
    id: "ws/hs-slow", severity: .note,
    summary: "The 101 took long.",
    explanation: """
      The time went into the server, or into something behind it: an authentication, a backend that is being woken, a queue. \
      Clients with a timeout for the handshake give up, and users wait before anything is there.
      """,
    evidence: "The end of the request, and the first byte of the 101. The network's share is the round trip.",
    fix: "Server: answer 101 first, and do what takes time afterwards.", specifications: [.webSocket("4.2.2")],
    thresholds: [.handshakeWait, .handshakeRoundTrips], since: "0.1")

  static func judge(_ upgrade: Upgrade, in context: FlowContext, report: (Finding) -> Void) {
    guard let response = upgrade.response, upgrade.acceptance != nil, let asked = upgrade.request.headReleased,
      response.first.number > asked.number, !context.isMidstream
    else { return }
    let wait = response.first.time.since(asked.time)
    let roundTrips = (context.roundTrip.total ?? 0) &* max(1, context.thresholds[.handshakeRoundTrips])
    guard wait > max(context.thresholds[.handshakeWait], roundTrips) else { return }
    report(
      Finding(
        info, subject: .connection(context.id), exchange: upgrade.exchange.number, direction: response.direction,
        FindingMessage("\(upgrade.exchange.title): the 101 came \(Wording.duration(wait)) after the request."),
        cost: .none, fix: info.fix,
        evidence: [
          Evidence(.packet(asked, upgrade.request.direction), "the request is complete"),
          Evidence(.packet(response.first, response.direction), "the 101 begins"),
        ]))
  }
}

extension Threshold {
  static let handshakeWait = Threshold(
    "ws.handshake-wait", .nanoseconds, 500_000_000, "a 101 that comes this late is slow")
  static let handshakeRoundTrips = Threshold(
    "ws.handshake-round-trips", .count, 10, "and it took more than so many round trips")
}
