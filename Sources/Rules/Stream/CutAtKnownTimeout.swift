import Citation
import Events
import HTTPSemantics

/// An exchange that ended after a silence as long as a known default timeout.
struct CutAtKnownTimeout: ConnectionRule {
  static let info = RuleInfo(
    id: "stream/cut-at-known-timeout", severity: .error, confidence: .medium,
    summary: "A stream was cut after a silence as long as a well-known timer.",
    explanation: """
      Servers, proxies and clients time out a stream that is silent for a while, and most run with default timeouts. A \
      cut after 60.0 s is rarely chance. The side with the timer sees an orderly timeout; the other side sees a stream \
      that breaks off, now and then, and only when there is nothing to send. Bytes of the stream restart the timer, in \
      most products in either direction; TCP keep-alives do not.
      """,
    evidence: """
      The last bytes of the stream in either direction, and the FIN, RST or status that ended it: the time between \
      them is compared with the table, a second or 1.5 per cent to either side. The fields that name a product narrow \
      it down; below 10 s they are required. Without them several products fit, and the finding names them; those that \
      always leave such a field only where no product at all is named, and the time is exact to half a second. A second \
      cut after the same time raises the confidence. A stream whose end is that of the connection counts, as a warning, \
      where the time is a whole number of seconds and three times its longest pause.
      """,
    fix: """
      Sender: write something before half the time is over: a comment line in an event stream, an empty message, a ping. \
      Proxy or server: raise the timer for this path. A timer that the client has is the client's to raise.
      """,
    specifications: [
      Specification(
        "HTML standard, server-sent events",
        "https://html.spec.whatwg.org/multipage/server-sent-events.html#authoring-notes")
    ],
    thresholds: [.unhintedCut],
    // A server that waits for an upload uses its own timer.
    causedBy: [
      "stream/cut-by-middlebox", "http/upload-stall", "proxy/read-timeout", "proxy/stream-dropped",
      "tcp/connect-refused",
    ],
    since: "0.1",
    table: KnownTimeout.table)

  private static let statuses: [UInt16] = [408, 502, 503, 504, 524]
  /// Products that are named when several fit.
  private static let namedLimit = 3

  /// The head of the response before: an exchange without a response has it on no field.
  private var responder: Message?

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    defer { responder = exchange.response ?? responder }
    guard let cut = Self.answered(exchange) ?? SilentCut(broken: exchange, context) else { return }
    let head = (exchange.response ?? responder)?.head
    let found = KnownTimeout.fitting(
      cut.silence, cut.phase, cut.close, by: cut.side, shortest: context.thresholds[.unhintedCut],
      request: exchange.request?.head, response: head)
    guard let first = found.rows.first else { return }
    let names = found.rows.prefix(Self.namedLimit).map { $0.timeout.title($0.seconds) }
    report(
      Finding(
        Self.info, severity: cut.isUnsure ? .warning : nil,
        confidence: found.isHinted && !cut.isUnsure ? .medium : .low, subject: .connection(context.id),
        exchange: exchange.number, direction: cut.direction,
        .cut(exchange, cut.silence, cut.close, cut.side, names, more: found.rows.count - names.count),
        cost: .failed(.exchange), fix: Self.fix(cut.side, first.timeout, first.seconds, isSure: found.rows.count == 1),
        evidence: [cut.last, cut.end]))
  }

  /// It was answered with a status that stands for a timeout.
  private static func answered(_ exchange: ExchangeRecord) -> SilentCut? {
    guard let response = exchange.response, statuses.contains(exchange.status.code), let request = exchange.request,
      request.isWhollyCaptured, let last = request.lastBody ?? request.headReleased,
      last.number < response.first.number, let end = Evidence.status(response, "the answer, and the end")
    else { return nil }
    let isUpload = !request.isComplete || request.last.number > response.first.number
    return SilentCut(
      silence: response.first.time.since(last.time), phase: isUpload ? .upload : .wait,
      close: .status(exchange.status.code), side: response.direction,
      last: Evidence(.packet(last, request.direction), "the last bytes of the request"), end: end,
      direction: isUpload ? request.direction : response.direction)
  }

  private static func fix(_ side: Direction, _ timeout: KnownTimeout, _ seconds: Int64, isSure: Bool) -> String {
    let owner = side == .toServer ? "Client" : "Server or proxy"
    let name = isSure ? timeout.name : "the timer of \(seconds) s (the logs show which)"
    return """
      \(owner): raise \(name) for this path. Sender: write something at least every \(seconds / 2) s while there is \
      nothing to send.
      """
  }
}

extension Threshold {
  static let unhintedCut = Threshold(
    "stream.unhinted-cut", .nanoseconds, 10_000_000_000,
    "a shorter silence before a cut needs a field that names the product")
}

extension FindingMessage {
  fileprivate static func cut(
    _ exchange: ExchangeRecord, _ silence: Int64, _ close: KnownTimeout.Close, _ side: Direction, _ names: [String],
    more: Int
  ) -> Self {
    let end =
      switch close {
      case .fin: "\(Wording.sender(side)) closed it"
      case .reset: "\(Wording.sender(side)) reset it"
      case .status(let code): "it was answered with \(code)"
      }
    let others = more > 0 ? " and \(Wording.count(UInt64(more), "other"))" : ""
    return """
      \(exchange.title): \(end) after \(Wording.duration(silence)) without a byte, which is the default of \
      \(names.joined(separator: ", "))\(others).
      """
  }
}
