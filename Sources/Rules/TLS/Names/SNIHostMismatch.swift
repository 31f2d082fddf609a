import Citation
import Events
import HTTPSemantics
import TLSSemantics

/// One name for TLS and another for HTTP.
enum SNIHostMismatch: TLSRule {
  static let info = RuleInfo(
    id: "tls/sni-host-mismatch", severity: .warning,
    summary: "The client asks TLS for one name and HTTP for another.",
    explanation: """
      The certificate is chosen and checked by the name in the ClientHello, the site by the Host field. Where they \
      differ a server may answer 421, and a proxy that routes by the one may lead to where the other is not served. \
      Domain fronting does it intentionally; otherwise one of two places that rewrite a URL was missed.
      """,
    evidence: """
      The ClientHello and the first request of the connection, which was decrypted. Later requests for other names are \
      not looked at: HTTP allows them where the certificate covers both.
      """,
    fix: "Client: take server name, verified name and Host from the same URL.",
    specifications: [.rfc(9110, "15.5.20"), .rfc(6066, "3")], since: "0.1")

  static func judge(_ story: TLSStory, in context: FlowContext, report: (Finding) -> Void) {
    guard let name = story.session.serverName, let asked = story.watch.asked.first, !asked.host.isEmpty,
      !HostText.areSame(asked.host, name),
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
        info, story.client,
        "\(asked.exchange.title): the TLS server name is \(name), the HTTP host \(asked.host)\(status == 421 ? ", and the server will not serve the one under the other" : "").",
        cost: status == 421 ? .failed(.exchange) : .none, exchange: asked.exchange.number, evidence))
  }
}
