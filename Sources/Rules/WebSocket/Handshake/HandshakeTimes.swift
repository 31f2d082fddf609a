import Citation
import Events
import HTTPSemantics

/// Handshakes that take long, or never end.
enum HandshakeTimes {
  static let slow = RuleInfo(
    id: "ws/hs-slow", severity: .note,
    summary: "The 101 took long.",
    explanation: """
      The time went into the server, or into something behind it: an authentication, a backend that is being woken, a queue. \
      Clients with a timeout for the handshake give up, and users wait before anything is there.
      """,
    evidence: "The end of the request, and the first byte of the 101. The network's share is the round trip.",
    fix: "Server: answer 101 first, and do what takes time afterwards.", specifications: [.webSocket("4.2.2")],
    thresholds: [.handshakeWait, .handshakeRoundTrips], since: "0.1")

  static let noResponse = RuleInfo(
    id: "ws/hs-no-response", severity: .warning,
    summary: "A request for WebSocket was not answered before the connection ended.",
    explanation: """
      The server, or a proxy, took the connection and said nothing: it does not speak HTTP, it waits for something that does \
      not come, or it broke off. The API shows 1006.
      """,
    evidence: """
      The request, and who ended the connection and when. Connections of which only one direction was captured, or with \
      bytes missing, are left alone.
      """,
    fix: "Server: see its log for this request. Client: a timeout for the handshake makes the failure visible.",
    specifications: [.webSocket("4.1")], since: "0.1")

  static func observe(_ upgrade: Upgrade, in context: FlowContext, report: (Finding) -> Void) {
    if upgrade.response == nil { judgeSilence(upgrade, in: context, report: report) }
    guard let response = upgrade.response, upgrade.acceptance != nil, let asked = upgrade.request.headReleased,
      response.first.number > asked.number, !context.isMidstream
    else { return }
    let wait = response.first.time.since(asked.time)
    let roundTrips = (context.roundTrip.total ?? 0) &* max(1, context.thresholds[.handshakeRoundTrips])
    guard wait > max(context.thresholds[.handshakeWait], roundTrips) else { return }
    report(
      Finding(
        slow, subject: .connection(context.id), exchange: upgrade.exchange.number, direction: response.direction,
        FindingMessage("\(upgrade.exchange.title): the 101 came \(Wording.duration(wait)) after the request."),
        cost: .none,
        fix: slow.fix,
        evidence: [
          Evidence(.packet(asked, upgrade.request.direction), "the request is complete"),
          Evidence(.packet(response.first, response.direction), "the 101 begins"),
        ]))
  }

  private static func judgeSilence(_ upgrade: Upgrade, in context: FlowContext, report: (Finding) -> Void) {
    guard !upgrade.exchange.isResponseMissing, let asked = upgrade.request.headReleased, !context.isMidstream,
      // Both halves of the TCP handshake: an answer would have been captured.
      context.roundTrip.total != nil, let by = context.closing(of: upgrade.exchange).by,
      let at = context.closing(of: upgrade.exchange).at
    else { return }
    let wait = at.time.since(asked.time)
    report(
      Finding(
        noResponse, subject: .connection(context.id), exchange: upgrade.exchange.number,
        direction: upgrade.request.direction.opposite,
        FindingMessage(
          "\(upgrade.exchange.title): no answer for \(Wording.duration(wait)), until \(Wording.sender(by)) ended the connection."
        ),
        cost: .failed(.exchange), fix: noResponse.fix,
        evidence: [
          Evidence(.packet(asked, upgrade.request.direction), "asks for WebSocket"),
          Evidence(.packet(at, by), "\(Wording.sender(by)) ends the connection"),
        ]))
  }
}
