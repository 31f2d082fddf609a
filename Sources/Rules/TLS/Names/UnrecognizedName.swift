import Citation
import Events
import TLSSemantics

/// A name that is not served.
enum UnrecognizedName: TLSRule {
  static let info = RuleInfo(
    id: "tls/unrecognized-name", severity: .warning,
    summary: "The server refused the name that the client gave, or that it gave none.",
    explanation: """
      The name in the ClientHello is not served there: the address is that of another server, an old one, or of a load \
      balancer that does not know the name. As a warning the alert lets the handshake go on with the default \
      certificate, which most clients then refuse. Some servers refuse a ClientHello without a name in the same way.
      """,
    evidence: "The ClientHello and the alert unrecognized_name.",
    fix: "Server: serve the name there. Client: see by which name or list the address was found.",
    specifications: [.rfc(6066, "3")], since: "0.1")

  static func judge(_ story: TLSStory, in context: FlowContext, report: (Finding) -> Void) {
    guard let alert = story.alert([TLSAlert.unrecognizedName]), alert.direction == story.server else { return }
    let hello = story.session.serverName.map { "the ClientHello for \($0)" } ?? "a ClientHello without a name"
    let isFatal = alert.alert?.level == 2
    let name = story.session.serverName == nil ? "the ClientHello" : "the name"
    var finding = story.finding(
      info, story.server, "The server answered \(hello) with unrecognized_name\(isFatal ? "" : ", as a warning").",
      cost: isFatal ? .failed(.connection) : .none,
      story.helloEvidence(name) + [alert.evidence("unrecognized_name")])
    if story.session.serverName == nil { finding.fix = namelessFix }
    report(finding)
  }

  private static let namelessFix =
    "Client: give the server's name in the ClientHello (SNI). Server: serve a default name."
}
