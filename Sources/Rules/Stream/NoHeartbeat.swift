import Citation
import Events
import HTTPSemantics

/// A stream that is silent for so long that timers on its way may end it.
enum NoHeartbeat: ExchangeRule {
  static let info = RuleInfo(
    id: "stream/no-heartbeat", severity: .note, confidence: .medium,
    summary: "A stream was silent for longer than many timers on the way allow.",
    explanation: """
      The server had nothing to send and sent nothing. Proxies, load balancers and NATs cannot distinguish that from a \
      dead peer, and close or evict the stream when their timeout expires, often after 30 or 60 s. A stream that \
      writes a comment or an empty message every 15 s survives all of them, and lets both ends notice a dead \
      connection.
      """,
    evidence: """
      The longest silence of the stream in which nothing came either way, and nothing on the network was in the way. \
      Only of event streams, JSON lines and bodies that came in many pieces; the pauses of a download do not count. \
      What sse/no-keepalive reports of an event stream stands above it.
      """,
    fix:
      "Server: write a heartbeat every 15 s: a line that begins with a colon in an event stream, or an empty message.",
    specifications: [
      Specification(
        "HTML standard, server-sent events",
        "https://html.spec.whatwg.org/multipage/server-sent-events.html#authoring-notes")
    ],
    thresholds: [.heartbeat],
    // That one knows what the server should have written.
    causedBy: [
      "sse/no-keepalive", "stream/cut-by-middlebox", "stream/cut-at-known-timeout", "stream/cut-after-round-silence",
    ], since: "0.1")

  private static let types: Set<String> = [
    "text/event-stream", "application/x-ndjson", "application/jsonl", "application/stream+json", "application/json-seq",
    "multipart/x-mixed-replace",
  ]
  /// Pauses that make a body a stream, whatever its type.
  private static let pauses = 3

  static var needs: ExchangeFacts { [.response, .body] }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let response = exchange.response, !response.stalls.isEmpty else { return }
    let least = context.thresholds[.heartbeat]
    guard let longest = response.stalls.max(by: { $0.nanoseconds < $1.nanoseconds }), longest.nanoseconds >= least,
      longest.cause == .senderIdle, isStream(response)
    else { return }
    if let request = exchange.request, request.last.number > longest.from.number { return }
    // The side that waits may end it: the sender's FIN only answers that.
    let end = exchange.firstEnd?.packet
    let to = end.flatMap { longest.from.number < $0.number && $0.number < longest.to.number ? $0 : nil } ?? longest.to
    let silence = to.time.since(longest.from.time)
    guard silence >= least else { return }
    report(
      Finding(
        Self.info, subject: .connection(context.id), exchange: exchange.number,
        direction: response.direction,
        .silent(exchange, silence, times: response.stalls.count { $0.nanoseconds >= least }), cost: .none,
        fix: info.fix,
        evidence: [
          Evidence(.packet(longest.from, response.direction), "the last bytes before the silence"),
          Evidence(.packet(to, nil), "what ended it"),
        ]))
  }

  private static func isStream(_ response: Message) -> Bool {
    if response.framing == .chunked, response.pauses >= Self.pauses { return true }
    guard let type = response.head?.block.contentType?.essence else { return false }
    return Self.types.contains(type)
  }
}

extension Threshold {
  static let heartbeat = Threshold(
    "stream.heartbeat", .nanoseconds, 30_000_000_000, "a stream silent this long has no heartbeat")
}

extension FindingMessage {
  fileprivate static func silent(_ exchange: ExchangeRecord, _ nanoseconds: Int64, times: Int) -> Self {
    let often = times > 1 ? ", and \(Wording.count(UInt64(times), "silence")) of 30 s and more in all" : ""
    return "\(exchange.title): the stream was silent for \(Wording.duration(nanoseconds)), both ways\(often)."
  }
}
