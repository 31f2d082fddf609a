import Events
import HTTPSemantics

/// A proxy ends both sides of a response that is still coming.
enum StreamDropped: HopPairRule {
  static let info = RuleInfo(
    id: "proxy/stream-dropped", severity: .error,
    summary: "A proxy ended both sides of a response that was still coming.",
    explanation: """
      The origin was sending, and the client was reading. The proxy ended both: it was stopped, or restarted, or reloaded \
      with a limit for what its old processes may finish, or it has a limit for how long a whole response may take. Seen from \
      either side, it looks as if the other had left.
      """,
    evidence: """
      Both sides of the proxy (see proxy/hop-joined): the proxy's end towards the origin, with the response unfinished and its \
      last bytes less than a second before, or no longer than another silence of it, and its end towards the client within a \
      fifth of a second. Not reported where the client left first, or where the capture lacks bytes of either response.
      """,
    fix: """
      Proxy: give its old processes time for open streams when it is reloaded or stopped (nginx: worker_shutdown_timeout; \
      haproxy: hard-stop-after), see its log at this time, and its limit for whole responses (a write timeout in Caddy and \
      what else is written in Go). Client: connect again, and go on where it was.
      """,
    specifications: [
      Specification("RFC 9112 §9.6", "https://www.rfc-editor.org/rfc/rfc9112#section-9.6")
    ], since: "0.1")

  static func judge(_ pair: HopPair, in context: FlowContext, report: (Finding) -> Void) {
    guard let cut = ProxyCut(pair), !cut.isAfterSilence else { return }
    report(
      pair.finding(
        info,
        "\(pair.outer.exchange.title): \(pair.proxy) ended both sides while the origin was still sending\(cut.pace).",
        of: .toClient, cost: .failed(.exchange), evidence: cut.evidence))
  }
}
