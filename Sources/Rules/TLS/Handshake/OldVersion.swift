import Citation
import Events
import TLSSemantics

/// A version that is not to be used any more.
enum OldVersion: TLSRule {
  static let info = RuleInfo(
    id: "tls/old-version", severity: .warning,
    summary: "An obsolete version of TLS is spoken, or is all that is offered.",
    explanation: """
      TLS 1.0 and 1.1 and what was before are retired: iOS and macOS refuse them (App Transport Security), browsers show \
      a page of their own, and servers close with the alert protocol_version. What still works today ends with the next \
      update of either side.
      """,
    evidence: "The hellos: the newest version that the client offers, and what the server chose.",
    fix: "Side without a newer version: update its library, or allow what its configuration forbids.",
    specifications: [.rfc(8996)], since: "0.1")

  static func judge(_ story: TLSStory, in context: FlowContext, report: (Finding) -> Void) {
    let alert = story.alert([70])
    if let server = story.session.hellos.server {
      guard server.version.isOld, server.version.isKnown else { return }
      let newest = story.hello.map { "; the client offers up to \($0.version.name)" } ?? ""
      report(
        story.finding(
          info, story.server, "\(server.version.name) is spoken\(newest).",
          story.helloEvidence("what the client offers")
            + [Evidence(.bytes(server.span, story.server), "chosen: \(server.version.name)")]))
    } else if let hello = story.hello, hello.version.isOld, hello.version.isKnown {
      let answer = alert.map { [$0.evidence($0.words)] } ?? []
      report(
        story.finding(
          info, story.client,
          "The client offers \(hello.version.name) and nothing newer\(alert == nil ? "" : ", and is refused").",
          cost: alert == nil ? .none : .failed(.connection), story.helloEvidence("the newest version") + answer))
    }
  }
}
