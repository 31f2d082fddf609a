import Citation
import Events
import TLSSemantics

/// A server that ends a session of TLS 1.3 as soon as the client's part of the handshake is there.
enum RefusedLate: TLSRule {
  static let info = RuleInfo(
    id: "tls/refused-late", severity: .error, confidence: .medium,
    summary: "The server ended the session with an alert when the client's handshake was complete.",
    explanation: """
      In TLS 1.3 the client has finished before the server looks at its certificate. A server that wants a certificate, \
      or another one, sends its alert behind the client's Finished, encrypted, and closes. The client has already sent \
      its request, and reports whatever it meets first: the alert, a reset, or an end of file.
      """,
    evidence: """
      The client's Finished, and the server's only record behind it, within a second: as long as an alert is, and no data \
      before it. The alert itself cannot be read without keys.
      """,
    fix: """
      Client: send a certificate that the server's list of issuers accepts (curl --cert, --key). Server: its log has the \
      reason; make the certificate optional where it is not needed.
      """,
    specifications: [.rfc(8446, "4.4.2.4"), .rfc(8446, "6.2")], since: "0.1")

  /// A server that ends the session later had waited for a request.
  private static let prompt: Int64 = 1_000_000_000

  static func judge(_ story: TLSStory, in context: FlowContext, report: (Finding) -> Void) {
    let server = story.session.sides[story.server]
    guard story.isShut, story.isWhole, story.session.version?.isTLS13 == true,
      let finished = story.phases.finished[story.client], server.isCloseInferred, let alert = server.closeNotify,
      server.application.count <= 1, alert.number > finished.number,
      alert.time.since(finished.time) <= Self.prompt &+ (story.context.roundTrip.total ?? 0),
      story.session.sides[story.client].closeNotify.map({ $0.number > alert.number }) ?? true,
      story.watch.ends[story.client].map({ $0.packet.number > alert.number }) ?? true
    else { return }
    report(
      story.finding(
        info, story.server,
        "The server ended the session with an alert \(Wording.duration(alert.time.since(finished.time))) after the client's handshake, and sent no data.",
        cost: .failed(.connection),
        [
          Evidence(.packet(finished, story.client), "the client's Finished"),
          Evidence(.packet(alert, story.server), "an alert, by its length"),
        ]))
  }
}
