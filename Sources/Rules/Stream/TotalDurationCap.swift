import Citation
import Events
import HTTPSemantics

/// Streams that were cut at the same age, however much they had to say.
struct TotalDurationCap: CaptureRule {
  static let info = RuleInfo(
    id: "stream/total-duration-cap", severity: .warning, confidence: .medium,
    summary: "Streams were cut at the same total age, whatever they were doing.",
    explanation: """
      Something on the way allows a response only so long in all. A heartbeat does not help: the time counts from the \
      request, not from the last byte. Envoy's route timeout (15 s unless set), the backend timeout of Google's load \
      balancer, and hosts of functions work so; so do timers of clients for the whole response (Go's Client.Timeout, \
      OkHttp's callTimeout, axios' timeout).
      """,
    evidence: """
      Two streams to the same server, begun at different times, that were ended without their proper end at the same age, \
      to one per cent; at least one of them was not silent before. Where the client ended them, three of them: two may be \
      chance. Streams that end at one moment share a restart, not a timer.
      """,
    fix: """
      Server or proxy: raise or lift the timeout for the whole response on this path. Client and server: close the \
      stream before that age, and let clients reconnect. Client: where the timer is its own, time the wait for the next \
      bytes, and not the whole response.
      """,
    specifications: [
      Specification("RFC 9112 §8", "https://www.rfc-editor.org/rfc/rfc9112#section-8")
    ],
    thresholds: [.capAge], since: "0.1")

  private struct Cut {
    var server: Endpoint
    var client: IPAddress
    var by: Direction
    var begin: PacketRef
    var end: PacketRef
    var silence: Int64
    var age: Int64 { end.time.since(begin.time) }
  }

  /// Cuts that are remembered, the newest.
  private static let limit = 256

  private var cuts: [Cut] = []

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let response = exchange.response, !response.isComplete, let cause = response.incomplete?.cause,
      cause == .fin || cause == .reset, response.isWhollyCaptured, let by = context.closing(of: exchange).by,
      let begin = exchange.request?.first, let last = response.lastBody ?? response.headReleased,
      let end = Self.end(exchange, response, by, in: context)
    else { return }
    let isOwn = by != response.direction
    // What the server still sends has not seen the client's end; and a response that only began then was not cut.
    guard isOwn ? response.first.number < end.number : end.number >= last.number else { return }
    let cut = Cut(
      server: context.server, client: context.client.address, by: by, begin: begin, end: end,
      silence: max(0, end.time.since(last.time)))
    guard cut.age >= context.thresholds[.capAge] else { return }
    defer {
      if cuts.count == Self.limit { cuts.removeFirst() }
      cuts.append(cut)
    }
    let alike = cuts.filter { other in
      other.server == cut.server && other.by == by && (!isOwn || other.client == cut.client)
        && other.age.apart(from: cut.age) <= cut.age / 100
        // Not one moment that ended them all.
        && other.end.time.apart(from: cut.end.time) > cut.age / 20
        && min(other.silence, cut.silence) < cut.age / 4
    }
    guard let like = alike.last, !isOwn || alike.count > 1 else { return }
    report(
      Finding(
        Self.info, subject: .connection(context.id), exchange: exchange.number, direction: by,
        .capped(exchange, cut.age, like.age, isOwn: isOwn), cost: .failed(.exchange), fix: Self.fix(cut, isOwn: isOwn),
        evidence: [
          Evidence(.packet(like.begin, .toServer), "the request of a stream before"),
          Evidence(.packet(like.end, by), "cut \(Wording.duration(like.age)) later"),
          Evidence(.packet(begin, .toServer), "the request of this one"),
          Evidence(.packet(end, by), "cut \(Wording.duration(cut.age)) later"),
        ]))
  }

  private static func end(
    _ exchange: ExchangeRecord, _ response: Message, _ by: Direction, in context: FlowContext
  ) -> PacketRef? {
    by == response.direction ? exchange.end.sides[by]?.packet : context.closing(of: exchange).firstEnd
  }

  private static func fix(_ cut: Cut, isOwn: Bool) -> String {
    let age = Wording.duration(cut.age)
    return isOwn
      ? "Client: its own timer of \(age) counts the whole response (Go's Client.Timeout, OkHttp's callTimeout, axios' timeout); time the wait for the next bytes instead."
      : "Server or proxy: raise the limit of \(age) for a whole response on this path, or close streams before it and let clients reconnect."
  }
}

extension Threshold {
  static let capAge = Threshold(
    "stream.cap-age", .nanoseconds, 5_000_000_000, "streams cut younger than this were not capped")
}

extension FindingMessage {
  fileprivate static func capped(_ exchange: ExchangeRecord, _ age: Int64, _ other: Int64, isOwn: Bool) -> Self {
    """
    \(exchange.title): cut \(isOwn ? "by the client " : "")at the age of \(Wording.duration(age)), as a stream before it at \(Wording.duration(other)), though \
    bytes had just come.
    """
  }
}
