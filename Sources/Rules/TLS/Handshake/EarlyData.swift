import Citation
import Events
import HTTPSemantics
import TLSSemantics

/// Data sent before the handshake is over.
enum EarlyData: TLSRule {
  static let info = RuleInfo(
    id: "tls/early-data", severity: .note,
    summary: "The client offers data before the handshake is over.",
    explanation: """
      Early data saves a round trip and may be replayed by any recorder on the way: only requests that may be repeated \
      belong there. A server that is careful answers 425, and the client sends the request again when the handshake is \
      over. Where the server rejects early data all of it is sent twice.
      """,
    evidence:
      "The ClientHello with early_data; the server's answer to it is encrypted, and known with the secrets only.",
    fix: "Client: send nothing as early data that changes something. Server: answer 425 where a replay would do harm.",
    specifications: [.rfc(8470, "3"), .rfc(8446, "2.3")], since: "0.1")

  static func judge(_ story: TLSStory, in context: FlowContext, report: (Finding) -> Void) {
    guard let hello = story.hello, hello.offersEarlyData else { return }
    let answer =
      story.session.hellos.acceptsEarlyData.map { $0 ? ", and the server accepts it" : ", and the server rejects it" }
      ?? ""
    var evidence = story.helloEvidence("early_data")
    var severity: Severity?
    var what = ""
    if let asked = story.watch.asked.first, let request = asked.exchange.request,
      !["GET", "HEAD", "OPTIONS"].contains(asked.head.methodText),
      let finished = story.phases.finished[story.client], request.first.number < finished.number
    {
      severity = .warning
      what = "; \(asked.exchange.title) is no request that may be repeated"
      evidence.append(Evidence(.packet(request.first, story.client), "the request, before the handshake is over"))
    }
    report(
      story.finding(
        info, story.client, "The client offers early data\(answer)\(what).", severity: severity, evidence))
  }
}
