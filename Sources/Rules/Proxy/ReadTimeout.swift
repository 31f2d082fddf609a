import Events
import HTTPSemantics

/// A proxy ends both sides of a response over which nothing came for a while.
enum ReadTimeout: HopPairRule {
  static let info = RuleInfo(
    id: "proxy/read-timeout", severity: .error,
    summary: "A proxy ended both sides of a response that had been silent.",
    explanation: """
      The origin had not ended its response: it had nothing to say for a while, or was slow. The proxy's timer for reading \
      from the origin (or for the tunnel) ran out, and it ended the origin's connection and the client's. Seen from the \
      client, it looks as if the server had cut its response.
      """,
    evidence: """
      Both sides of the proxy (see proxy/hop-joined): the proxy's end towards the origin, with the response unfinished, and \
      its end towards the client within a fifth of a second; a second or more of silence lies before. What the origin says \
      when the proxy has left finishes nothing. Not reported where the \
      client left first, where the origin had been silent for longer before, or where the capture lacks bytes of either \
      response. That the silence was the reason is inferred. \
      Of a request without an answer: the origin had none for a second or more, and both sides ended with the proxy's end. \
      Of a WebSocket: neither side sent a Close, and both ended with the proxy's end.
      """,
    fix: """
      Proxy: raise its read timeout for this path (nginx: proxy_read_timeout; haproxy: timeout server, timeout tunnel; \
      Apache: ProxyTimeout; squid: read_timeout). Origin: send something before it passes, a comment on an event stream \
      for example.
      """,
    specifications: [
      Specification("RFC 9112 §9.5", "https://www.rfc-editor.org/rfc/rfc9112#section-9.5")
    ], causedBy: ["tcp/host-silent"], since: "0.1")

  private static let callFix = """
    Proxy: raise its read timeout for this service (nginx: grpc_read_timeout; haproxy: timeout server; Envoy: the route's \
    timeout and stream_idle_timeout). Server: send something before it passes.
    """

  static func judge(_ pair: HopPair, in context: FlowContext, report: (Finding) -> Void) {
    guard let cut = ProxyCut(pair), cut.isAfterSilence else { return }
    var finding = pair.finding(
      info,
      "\(pair.outer.exchange.title): \(pair.proxy) ended both sides \(Wording.duration(cut.waited)) after the last bytes of the origin, whose response was not finished.",
      of: .toClient, cost: .failed(.exchange), evidence: cut.evidence)
    if let fix = fix(pair) { finding.fix = fix }
    report(finding)
  }

  /// nil where neither the proxy nor the kind of stream is known.
  private static func fix(_ pair: HopPair) -> String? {
    let isCall = pair.outer.exchange.isCall
    guard let timer = ProxyTimer(pair.outer.exchange.response, besides: pair.inner.exchange.response) else {
      return isCall ? callFix : nil
    }
    return isCall
      ? "Proxy (\(timer.name)): raise \(timer.call) for this service. Server: send something before it passes."
      : "Proxy (\(timer.name)): raise \(timer.stream) for this path. Origin: send something before it passes, a comment on an event stream for example."
  }
}
