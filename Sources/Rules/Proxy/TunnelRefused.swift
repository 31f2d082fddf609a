import Citation
import Events
import HTTPSemantics

/// A forward proxy that opens no tunnel.
///
/// Bounded: the newest refusals of `limit` clients and targets.
struct TunnelRefused: CaptureRule {
  static let info = RuleInfo(
    id: "proxy/tunnel-refused", severity: .warning,
    summary: "A forward proxy refused to open a tunnel.",
    explanation: """
      Everything over TLS goes through a forward proxy in a tunnel, which the client asks for with CONNECT. Where the proxy \
      refuses, nothing reaches the server: 403 is the proxy's list of what may be visited, 407 asks for the client's name \
      and password. Clients report a failed connection and seldom say that it was the proxy.
      """,
    evidence: """
      The CONNECT and the proxy's answer, a 4xx. A 407 that the client answers with a tunnel that succeeds, on whatever \
      connection, is how it is meant to be, and is not reported.
      """,
    fix: """
      Proxy: allow this host and port for the client. Client: send Proxy-Authorization where the proxy asks for it, or leave \
      the proxy out for this host (NO_PROXY).
      """,
    specifications: [
      Specification("RFC 9110 §9.3.6", "https://www.rfc-editor.org/rfc/rfc9110#section-9.3.6"),
      Specification("RFC 9110 §15.5.8", "https://www.rfc-editor.org/rfc/rfc9110#section-15.5.8"),
    ], since: "0.1")

  private struct Refusal: Sendable {
    let exchange: SeenExchange
    let asked: PacketRef
    let answer: Evidence
    var count: UInt64 = 0
    var hasTunnel = false
  }

  private static let limit = 256

  private var refusals = BoundedTable<RequestKey.Same, Refusal>(limit: limit)

  mutating func observe(_ asked: AskedExchange, in context: FlowContext, report: (Finding) -> Void) {
    // One that asks for a WebSocket on a stream asks the server.
    guard asked.head.method == .connect, asked.head.targetForm == .authority, !asked.exchange.isSocketStream,
      let response = asked.exchange.response, !asked.exchange.isPairingUnsure
    else { return }
    let code = asked.exchange.status.code
    let key = RequestKey.Same(asked.key)
    if 200..<300 ~= code {
      if let refused = refusals[key] { refusals.update(key, orMake: refused) { $0.hasTunnel = true } }
      return
    }
    guard 400..<500 ~= code, let answer = Evidence.startLine(response, "the proxy refuses") else { return }
    let made = Refusal(exchange: SeenExchange(asked, in: context), asked: asked.request.first, answer: answer)
    refusals.update(key, orMake: made) { $0.count += 1 }
  }

  mutating func finish(_ capture: CaptureRecord, _ thresholds: Thresholds, report: (Finding) -> Void) {
    for refusal in refusals.inOrder where !refusal.hasTunnel {
      let times = refusal.count > 1 ? ", \(Wording.count(refusal.count, "time"))" : ""
      var finding = refusal.exchange.finding(
        Self.info, .toClient, "\(refusal.exchange.title): the proxy refused to open the tunnel\(times).",
        cost: .failed(.exchange),
        evidence: [Evidence(.packet(refusal.asked, .toServer), "the tunnel is asked for"), refusal.answer])
      finding.count = refusal.count
      report(finding)
    }
  }
}
