import Citation
import Events
import TLSSemantics

/// What the client put into server_name. A hello without it is judged over the whole capture; see NoServerName.
enum ServerNames {
  static let infos: [RuleInfo] = [literal, hostMismatch, unrecognized]

  static let literal = RuleInfo(
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

  static let hostMismatch = RuleInfo(
    id: "tls/sni-host-mismatch", severity: .warning,
    summary: "The client asks TLS for one name and HTTP for another.",
    explanation: """
      The certificate is chosen and checked by the name in the ClientHello, the site by the Host field. Where they differ \
      a server may answer 421, and a proxy that routes by the one may lead to where the other is not served. It is \
      meant so in domain fronting; otherwise one of two places that rewrite a URL was forgotten.
      """,
    evidence: """
      The ClientHello and the first request of the connection, which was decrypted. Later requests for other names are \
      not looked at: HTTP allows them where the certificate covers both.
      """,
    fix: "Client: take server name, verified name and Host from the same URL.",
    specifications: [.rfc(9110, "15.5.20"), .rfc(6066, "3")], since: "0.1")

  static let unrecognized = RuleInfo(
    id: "tls/unrecognized-name", severity: .warning,
    summary: "The server does not know the name that the client gave.",
    explanation: """
      The name in the ClientHello is not served there: the address is that of another server, an old one, or of a load \
      balancer that was not told. As a warning the alert lets the handshake go on with the default certificate, which \
      most clients then refuse.
      """,
    evidence: "The ClientHello and the alert unrecognized_name.",
    fix: "Server: serve the name there. Client: see by which name or list the address was found.",
    specifications: [.rfc(6066, "3")], since: "0.1")

  static func judge(_ story: TLSStory, report: (Finding) -> Void) {
    if let name = story.session.serverName {
      judge(literal: name, story, report)
      judge(mismatch: name, story, report)
    }
    guard let alert = story.alert([TLSAlert.unrecognizedName]), alert.direction == story.server else { return }
    let name = story.session.serverName.map { "\($0)" } ?? "a hello without a name"
    let isFatal = alert.alert?.level == 2
    report(
      story.finding(
        unrecognized, story.server,
        "The server answers \(name) with unrecognized_name\(isFatal ? "" : ", as a warning").",
        cost: isFatal ? .failed(.connection) : .none,
        story.helloEvidence("the name") + [alert.evidence("unrecognized_name")]))
  }

  private static func judge(literal name: String, _ story: TLSStory, _ report: (Finding) -> Void) {
    guard TLSStory.isAddress(name) else { return }
    let alert = story.session.alerts.first { $0.alert.map { $0.isFatal(in: .tls12) } ?? false }
    let isRefused = alert.map { !$0.isAfterHandshake } ?? false
    report(
      story.finding(
        literal, story.client,
        "The ClientHello gives \(name) as the server's name\(isRefused ? ", and the handshake fails" : "").",
        cost: isRefused ? .failed(.connection) : .none,
        story.helloEvidence("server_name is an address") + (alert.map { [$0.evidence($0.words)] } ?? [])))
  }

  private static func judge(mismatch name: String, _ story: TLSStory, _ report: (Finding) -> Void) {
    guard let asked = story.watch.asked.first, !asked.host.isEmpty, !TLSStory.areSame(asked.host, name),
      asked.head.targetForm == .origin || asked.head.targetForm == .asterisk
    else { return }
    let status = asked.exchange.status.code
    var evidence =
      story.helloEvidence("server_name") + [.field(asked.field, asked.head, story.client, "the host of the request")]
    if status == 421, let answer = Evidence.status(asked.exchange.response, "the request was misdirected") {
      evidence.append(answer)
    }
    report(
      story.finding(
        hostMismatch, story.client,
        "\(asked.exchange.title): TLS was asked for \(name), HTTP for \(asked.host)\(status == 421 ? ", and the server will not serve the one under the other" : "").",
        cost: status == 421 ? .failed(.exchange) : .none, exchange: asked.exchange.number, evidence))
  }
}
