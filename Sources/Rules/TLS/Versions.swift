import Citation
import Events
import TLSSemantics

/// What was agreed that is out of date, or not agreed at all.
enum Versions {
  static let infos: [RuleInfo] = [old, protocolMissing]

  static let old = RuleInfo(
    id: "tls/old-version", severity: .warning,
    summary: "A version of TLS is spoken, or all that is offered, that is not to be used any more.",
    explanation: """
      TLS 1.0 and 1.1 and what was before are retired: iOS and macOS refuse them (App Transport Security), browsers show \
      a page of their own, and servers close with the alert protocol_version. What still works today ends with the next \
      update of either side.
      """,
    evidence: "The hellos: the newest version that the client offers, and what the server chose.",
    fix: "Whoever has no newer version: update its library, or allow what its configuration forbids.",
    specifications: [.rfc(8996)], since: "0.1")

  static let protocolMissing = RuleInfo(
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

  static func judge(_ story: TLSStory, report: (Finding) -> Void) {
    judgeVersion(story, report)
    judgeProtocol(story, report)
  }

  private static func judgeVersion(_ story: TLSStory, _ report: (Finding) -> Void) {
    let alert = story.alert([70])
    if let server = story.session.hellos.server {
      guard server.version.isOld, server.version.isKnown else { return }
      let newest = story.hello.map { "; the client offers up to \($0.version.name)" } ?? ""
      report(
        story.finding(
          old, story.server, "\(server.version.name) is spoken\(newest).",
          story.helloEvidence("what the client offers")
            + [Evidence(.bytes(server.span, story.server), "chosen: \(server.version.name)")]))
    } else if let hello = story.hello, hello.version.isOld, hello.version.isKnown {
      let answer = alert.map { [$0.evidence($0.words)] } ?? []
      report(
        story.finding(
          old, story.client,
          "The client offers \(hello.version.name) and nothing newer\(alert == nil ? "" : ", and is refused").",
          cost: alert == nil ? .none : .failed(.connection), story.helloEvidence("the newest version") + answer))
    }
  }

  private static let ports: Set<UInt16> = [443, 8443, 4443, 9443]

  private static func judgeProtocol(_ story: TLSStory, _ report: (Finding) -> Void) {
    guard let hello = story.hello, !hello.isSSLv2, story.phases.application.toServer != nil,
      story.watch.asked.first.map({ !$0.exchange.opensWebSocket }) ?? ports.contains(story.context.server.port)
    else { return }
    let offered = hello.applicationProtocols
    if offered.isEmpty, !hello.has(.applicationProtocols) {
      report(
        story.finding(
          protocolMissing, story.client, "The client offers no protocol by ALPN, and HTTP/1.1 is what remains.",
          story.helloEvidence("no ALPN")))
    } else if offered.contains(Array("h2".utf8)), story.session.applicationProtocol == "http/1.1" {
      var evidence = story.helloEvidence("offers h2")
      if let server = story.phases.serverHello {
        evidence.append(Evidence(.packet(server, story.server), "the answer"))
      }
      report(
        story.finding(
          protocolMissing, story.server, "The client offers h2, and the server picks http/1.1.", evidence))
    }
  }
}
