import Citation
import Events
import HTTPSemantics

/// A handshake that never ends.
enum HSNoResponse: UpgradeRule {
  static let info = RuleInfo(
    id: "ws/hs-no-response", severity: .warning,
    summary: "A request for WebSocket was not answered before the connection ended.",
    explanation: """
      The server, or a proxy, accepted the connection and sent nothing: it does not speak HTTP, it waits for something \
      that does not come, or it broke off. The API shows 1006.
      """,
    evidence: """
      The request, and who ended the connection and when. Connections of which only one direction was captured, or \
      with bytes missing, are not judged.
      """,
    fix: "Server: see its log for this request. Client: a timeout for the handshake makes the failure visible.",
    specifications: [.webSocket("4.1")], since: "0.1")

  static func judge(_ upgrade: Upgrade, in context: FlowContext, report: (Finding) -> Void) {
    guard upgrade.response == nil, !upgrade.exchange.isResponseMissing, let asked = upgrade.request.headReleased,
      !context.isMidstream,
      // Both halves of the TCP handshake: an answer would have been captured.
      context.roundTrip.total != nil, let by = context.closing(of: upgrade.exchange).by,
      let at = context.closing(of: upgrade.exchange).at
    else { return }
    let wait = at.time.since(asked.time)
    report(
      Finding(
        info, subject: .connection(context.id), exchange: upgrade.exchange.number,
        direction: upgrade.request.direction.opposite,
        FindingMessage(
          "\(upgrade.exchange.title): no answer for \(Wording.duration(wait)), until \(Wording.sender(by)) ended the connection."
        ),
        cost: .failed(.exchange), fix: info.fix,
        evidence: [
          Evidence(.packet(asked, upgrade.request.direction), "asks for WebSocket"),
          Evidence(.packet(at, by), "\(Wording.sender(by)) ends the connection"),
        ]))
  }
}
