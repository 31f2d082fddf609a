import Citation
import Events
import TLSSemantics

/// HTTP/1.1 where the client offered nothing else.
enum ALPNMissing: TLSRule {
  static let info = RuleInfo(
    id: "tls/alpn-missing", severity: .note,
    summary: "HTTP is spoken over TLS without having agreed on its newer version.",
    explanation: """
      Without ALPN, or where the server picks http/1.1 although h2 was offered, each stream needs a connection of its own: \
      browsers open six to a host, so that six open event streams leave none for anything else. Nothing is wrong with it \
      otherwise.
      """,
    evidence: """
      The ClientHello that offers nothing, or offer and choice. In TLS 1.3 the choice is encrypted. Only where HTTP was \
      decrypted or the port is one of HTTPS: other protocols have no use for it.
      """,
    fix: "Client library or server: turn HTTP/2 on, where many streams to one host are needed.",
    specifications: [.rfc(7301, "3.1")], since: "0.1")

  private static let ports: Set<UInt16> = [443, 8443, 4443, 9443]

  static func judge(_ story: TLSStory, in context: FlowContext, report: (Finding) -> Void) {
    guard let hello = story.hello, !hello.isSSLv2, story.phases.application.toServer != nil,
      story.watch.asked.first.map({ !$0.exchange.opensWebSocket }) ?? ports.contains(story.context.server.port)
    else { return }
    let offered = hello.applicationProtocols
    if offered.isEmpty, !hello.has(.applicationProtocols) {
      report(
        story.finding(
          info, story.client, "The client offers no protocol by ALPN, and HTTP/1.1 is what remains.",
          story.helloEvidence("no ALPN")))
    } else if story.offers("h2"), story.session.applicationProtocol == "http/1.1" {
      var evidence = story.helloEvidence("offers h2")
      if let server = story.phases.serverHello {
        evidence.append(Evidence(.packet(server, story.server), "the answer"))
      }
      report(
        story.finding(
          info, story.server, "The client offers h2, and the server picks http/1.1.", evidence))
    }
  }
}
