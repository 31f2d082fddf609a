import Citation
import Events
import HTTPSemantics

/// A response that the server ended after a silence of whole seconds that is no product's default.
enum CutAfterRoundSilence: ExchangeRule {
  static let info = RuleInfo(
    id: "stream/cut-after-round-silence", severity: .error, confidence: .low,
    summary: "A stream was cut by what looks like an idle timer.",
    explanation: """
      Timers are set to whole seconds, and run out a few milliseconds late. A server that ends a response in its middle \
      after 5.003 s without a byte has probably run into one: a read timeout of a proxy towards its origin, or an idle \
      timer of the server. The origin may be well, and have had nothing to send for as long.
      """,
    evidence: """
      The last bytes of the stream in either direction, and the FIN or RST of the server before the end of the body. The \
      time between them is a whole number of seconds, from 5 ms less to 30 ms more: 2 to 9, or a multiple of 5. No pause \
      before came near it. Three cuts of a hundred are like that by chance; a second one after the same time raises the \
      confidence. A stream whose end is that of the connection counts, as a warning, where the time is three times its \
      longest pause. Times that are defaults of well-known products are left to stream/cut-at-known-timeout.
      """,
    fix: """
      Proxy or server: look for a read or idle timer of that length on this path (nginx proxy_read_timeout, HAProxy timeout \
      server) and raise it. Sender: write something before half the time is over: a comment line in an event stream, an \
      empty message, a ping.
      """,
    specifications: [
      Specification(
        "HTML standard, server-sent events",
        "https://html.spec.whatwg.org/multipage/server-sent-events.html#authoring-notes")
    ],
    causedBy: [
      "stream/cut-by-middlebox", "proxy/read-timeout", "proxy/stream-dropped", "tcp/host-silent",
      "tcp/mss-blackhole", "tcp/connect-refused",
    ], since: "0.1")

  static var needs: ExchangeFacts { .body }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    // A reset of one stream has a code, and a rule of its own.
    guard exchange.key.stream == nil, let response = exchange.response, isServers(context),
      let cut = SilentCut(broken: exchange, context), cut.phase == .response,
      cut.side == response.direction, let seconds = RoundSilence.seconds(cut.silence), response.bodyBytes > 0,
      response.longestPause?.nanoseconds ?? 0 < cut.silence / 4 * 3,
      KnownTimeout.fitting(
        cut.silence, cut.phase, cut.close, by: cut.side, shortest: context.thresholds[.unhintedCut],
        request: exchange.request?.head, response: response.head
      ).rows.isEmpty
    else { return }
    let silence = Wording.duration(cut.silence)
    report(
      Finding(
        info, severity: cut.isUnsure ? .warning : nil, subject: .connection(context.id), exchange: exchange.number,
        direction: cut.direction,
        "\(exchange.title): the server \(cut.close == .reset ? "reset" : "closed") it after \(silence) without a byte, as a timer of \(seconds) s would; no pause before was as long.",
        cost: .failed(.exchange),
        fix: ProxyTimer(response).map { fix($0.name, $0.stream, seconds) } ?? info.fix, evidence: [cut.last, cut.end]))
  }

  private static func fix(_ product: String, _ timer: String, _ seconds: Int64) -> String {
    """
    Proxy or server (\(product)): see whether \(timer) is \(seconds) s on this path, and raise it; or else find the timer \
    of that length. Sender: write something before half the time is over: a comment line in an event stream, an empty message, a \
    ping.
    """
  }

  /// The server itself was the first to end it.
  private static func isServers(_ context: FlowContext) -> Bool {
    context.closing.firstBy == context.closing.by && context.closing.origin?.hasOtherTimeToLive != true
  }
}
