import Citation
import Events
import HTTPSemantics

/// A request body that trickles below what servers demand.
enum SlowBodyRateLimit: DisturbedExchangeRule {
  static let info = RuleInfo(
    id: "http/slow-body-rate-limit", severity: .warning, confidence: .medium,
    summary: "The request's body came slower than common servers accept.",
    explanation: """
      Servers defend themselves against clients that send a byte now and then: Kestrel and IIS require 240 B/s after a \
      grace time of 5 s, Apache's mod_reqtimeout a body within 20 s and 500 B/s from then on. An upload that is slow \
      on purpose (sensors, speech, signalling over a long POST) is cut with 408 or a reset, although nothing is wrong \
      with it.
      """,
    evidence: """
      The packets of the body around its slowest 5 s or 20 s, and the 408 or reset if there was one; that the rate was \
      its reason is inferred. Bytes are counted on the wire, with chunk framing. A body shorter than the window is not \
      judged.
      """,
    fix: """
      Server: raise or switch off the limit for this route (Kestrel: IHttpMinRequestBodyDataRateFeature = null; Apache: \
      RequestReadTimeout body=0). Client: send heartbeats, or use a WebSocket for a channel that is mostly silent.
      """,
    specifications: [
      Specification("RFC 9110 §15.5.9", "https://www.rfc-editor.org/rfc/rfc9110#section-15.5.9")
    ],
    thresholds: [.shortBodyRate, .longBodyRate],
    causedBy: ["http/upload-stall", "tcp/mss-blackhole", "stream/peer-gone"], since: "0.1")

  /// The window that an open end makes, where the body never went on: as long as the short one.
  private static let shortWindow: Int64 = 5_000_000_000

  static func judge(_ disturbed: DisturbedExchange, in context: FlowContext, report: (Finding) -> Void) {
    let (exchange, story) = (disturbed.exchange, disturbed.story)
    guard let request = exchange.request, let last = request.lastBody, let first = request.firstBody,
      request.isWhollyCaptured
    else { return }
    let reset = story.serverReset(after: first)
    let isCut = !request.isComplete && reset != nil
    let isRefused = exchange.status.code == 408
    guard let slow = slowest(request, last, exchange, story, context) else { return }
    var evidence = [
      Evidence(.packet(slow.from, request.direction), "the body, before the slowest part"),
      Evidence(
        .packet(slow.to, slow.isOpen ? .toClient : request.direction),
        slow.isOpen ? "the server gives up" : "and after it"),
    ]
    if isRefused, !slow.isOpen, let answer = Evidence.status(exchange.response, "the server gives up") {
      evidence.append(answer)
    } else if isCut, let reset, reset.number != slow.to.number {
      evidence.append(Evidence(.packet(reset, .toClient), "the server's RST"))
    }
    report(
      Finding(
        Self.info, severity: isRefused || isCut ? .error : .warning, subject: .connection(context.id),
        exchange: exchange.number, direction: .toServer, .slow(exchange, slow.bytes, slow.nanoseconds),
        cost: isRefused || isCut ? .failed(.exchange) : .none,
        fix: info.fix,
        evidence: evidence))
  }

  private struct Slow {
    var bytes: UInt64
    var nanoseconds: Int64
    var from: PacketRef
    var to: PacketRef
    /// Ends with the server's patience, not with a byte of the body.
    var isOpen = false
  }

  private static func slowest(
    _ request: Message, _ last: PacketRef, _ exchange: ExchangeRecord, _ story: ConnectionStory, _ context: FlowContext
  ) -> Slow? {
    for window in request.slowWindows {
      let isShort = window.nanoseconds == Self.shortWindow
      let rate = context.thresholds[isShort ? .shortBodyRate : .longBodyRate]
      // Bytes per second, in integers.
      let least = UInt64(max(0, rate)) &* UInt64(max(0, window.nanoseconds / 1_000_000_000))
      if window.bytes < least {
        return Slow(bytes: window.bytes, nanoseconds: window.nanoseconds, from: window.from, to: window.to)
      }
    }
    guard !request.isComplete, context.thresholds[.shortBodyRate] > 0,
      let end = exchange.response?.first ?? story.serverEnd(after: last), end.number > last.number
    else { return nil }
    let silence = end.time.since(last.time)
    return silence >= Self.shortWindow ? Slow(bytes: 0, nanoseconds: silence, from: last, to: end, isOpen: true) : nil
  }
}

extension Threshold {
  static let shortBodyRate = Threshold(
    "http.body-rate-5s", .bytes, 240, "bytes per second over 5 s: the least that Kestrel and IIS accept")
  static let longBodyRate = Threshold(
    "http.body-rate-20s", .bytes, 500, "bytes per second over 20 s: what Apache's mod_reqtimeout requires")
}

extension FindingMessage {
  fileprivate static func slow(_ exchange: ExchangeRecord, _ bytes: UInt64, _ nanoseconds: Int64) -> Self {
    """
    \(exchange.title): \(bytes == 0 ? "no byte" : "only \(Wording.bytes(bytes))") of the request's body came in \
    \(Wording.duration(nanoseconds)); servers with a minimum rate cut such an upload.
    """
  }
}
