import Citation
import Events
import HTTPSemantics

/// An event stream that is silent for too long.
enum NoKeepalive: ExchangeRule {
  static let info = RuleInfo(
    id: "sse/no-keepalive", severity: .warning,
    summary: "An event stream is silent for more than 30 s.",
    explanation: """
      Proxies, load balancers and mobile networks drop idle connections: many after 60 s, some after 30. The author of \
      a stream with rare events learns of it as lost connections at odd places. A comment line costs three bytes, and \
      the standard advises one about every 15 s; it also distinguishes a live stream from a dead one.
      """,
    evidence: """
      The packets before and after the longest silence of the body or, where the stream was cut in it, the packet that cut \
      it. No comment came in between, or it would not be silent.
      """,
    fix: "Server: send a comment (a colon and an empty line) every 15 s.", specifications: [.eventStreamNotes],
    thresholds: [.keepalive],
    causedBy: ["stream/cut-at-known-timeout", "stream/cut-after-round-silence", "stream/cut-by-middlebox"], since: "0.1"
  )

  static var needs: ExchangeFacts { .events }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let response = exchange.response, let silence = Self.silence(of: exchange, in: context) else { return }
    report(finding(exchange, response, silence.from, silence.to, isCut: silence.isCut, context))
  }

  /// The silence that is too long, where the exchange is a stream of events that has one.
  private static func silence(
    of exchange: ExchangeRecord, in context: FlowContext
  ) -> (from: PacketRef, to: PacketRef, isCut: Bool)? {
    guard let response = exchange.response, response.isWhollyCaptured else { return nil }
    let limit = context.thresholds[.keepalive]
    if let last = response.lastBody ?? response.headReleased, let cut = cut(exchange, response, context),
      cut.time.since(last.time) > limit
    {
      return (last, cut, true)
    }
    guard let pause = response.longestPause, pause.nanoseconds > limit else { return nil }
    return (pause.from, pause.to, false)
  }

  /// The end of a stream that was not its server's doing, or not a proper one.
  private static func cut(_ exchange: ExchangeRecord, _ response: Message, _ context: FlowContext) -> PacketRef? {
    guard let incomplete = response.incomplete, incomplete.cause == .fin || incomplete.cause == .reset,
      exchange.wasEndedFirst(by: response.direction, context)
    else { return nil }
    let closing = context.closing(of: exchange)
    return closing.firstEnd ?? closing.at
  }

  private static func finding(
    _ exchange: ExchangeRecord, _ response: Message, _ from: PacketRef, _ to: PacketRef, isCut: Bool,
    _ context: FlowContext
  ) -> Finding {
    let silence = Wording.duration(to.time.since(from.time))
    return Finding(
      Self.info, subject: .connection(context.id), exchange: exchange.number, direction: response.direction,
      isCut
        ? "\(exchange.title): the stream was silent for \(silence), without a comment, and was then cut."
        : "\(exchange.title): the stream was silent for \(silence), without a comment; many hops cut at 60 s, some at 30.",
      cost: isCut ? .failed(.exchange) : .none, fix: info.fix,
      evidence: [
        Evidence(.packet(from, response.direction), "the last bytes before the silence"),
        Evidence(.packet(to, response.direction), isCut ? "the connection is closed" : "the first bytes after it"),
      ])
  }
}

extension Threshold {
  static let keepalive = Threshold(
    "sse.keepalive", .nanoseconds, 30_000_000_000, "a longer silence of an event stream is dangerous")
}
