import Citation
import Events
import HTTPSemantics

/// A refusal of a version that names no other.
enum HSVersionNotAdvertised: UpgradeRule {
  static let info = RuleInfo(
    id: "ws/hs-version-not-advertised", severity: .warning,
    summary: "A server refused a version of WebSocket and did not say which it speaks.",
    explanation: """
      An answer with Sec-WebSocket-Version lets the client try again with one of those. Without it the client cannot know \
      what was wrong.
      """,
    evidence: "The requested version, and the answer without the field.",
    fix: "Server: send Sec-WebSocket-Version: 13 with the 400 or 426.",
    specifications: [.webSocket("4.2.2"), .webSocket("4.4")], since: "0.1")

  static func judge(_ upgrade: Upgrade, in context: FlowContext, report: (Finding) -> Void) {
    guard upgrade.status == 400 || upgrade.status == 426, let response = upgrade.response,
      let asked = upgrade.block.first("sec-websocket-version"), upgrade.block.value(asked) != "13",
      response.head?.block.first("sec-websocket-version") == nil,
      let status = Evidence.startLine(response, "without Sec-WebSocket-Version")
    else { return }
    report(
      Finding(
        info, subject: .connection(context.id), exchange: upgrade.exchange.number, direction: response.direction,
        FindingMessage(
          "\(upgrade.exchange.title): version \(upgrade.block.shown(asked)) was refused, and the answer does not say which one to use."
        ),
        cost: .none, fix: info.fix, evidence: [upgrade.field(asked, "asks for this version"), status]))
  }
}
