import Citation
import Events
import TLSSemantics

/// An address in the place of the server's name.
enum SNIIPLiteral: TLSRule {
  static let info = RuleInfo(
    id: "tls/sni-ip-literal", severity: .error,
    summary: "The client gives an address as the server's name.",
    explanation: """
      server_name holds names of DNS and nothing else; an address may not stand there. Servers may refuse it, and those \
      that do not look for a site of that name, find none, and show the certificate of their default site. It comes from \
      URLs that were rewritten to an address, by a library that does not know better.
      """,
    evidence: "The ClientHello with the address, and the alert where one followed.",
    fix:
      "Client: set the server name to the host of the original URL, or leave it out where the address is all there is.",
    specifications: [.rfc(6066, "3")], since: "0.1")

  static func judge(_ story: TLSStory, in context: FlowContext, report: (Finding) -> Void) {
    guard let name = story.session.serverName, HostText.isAddress(name) else { return }
    let alert = story.session.alerts.first { $0.alert.map { $0.isFatal(in: .tls12) } ?? false }
    let isRefused = alert.map { !$0.isAfterHandshake } ?? false
    report(
      story.finding(
        info, story.client,
        "The ClientHello gives \(name) as the server's name\(isRefused ? ", and the handshake fails" : "").",
        cost: isRefused ? .failed(.connection) : .none,
        story.helloEvidence("server_name is an address") + (alert.map { [$0.evidence($0.words)] } ?? [])))
  }
}
