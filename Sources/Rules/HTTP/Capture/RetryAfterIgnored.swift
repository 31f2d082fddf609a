import Citation
import Events
import HTTPSemantics

/// A client that a server asks for a rest, and that comes back before it is over, again and again.
///
/// Bounded: the newest refusals of `limit` requests.
struct RetryAfterIgnored: CaptureRule {
  static let info = RuleInfo(
    id: "http/retry-after-ignored", severity: .warning, confidence: .medium,
    summary: "A client repeats a refused request sooner than Retry-After allows.",
    explanation: """
      429 and 503 say with Retry-After when the server takes the request again. A client that repeats it before is refused \
      again; many servers count these requests, too, so that the limit never ends, and all clients of the same key or \
      address wait with it. Often this is a loop that retries at once, or a library that backs off by its own timer and \
      never reads the field.
      """,
    evidence: """
      The first answer, with its Retry-After in seconds, and the first and the last request that came before the time was \
      over and was refused, too. The same address asks the same host for the same target by the same method, three times or \
      more. Users behind one address may look like one client. A date in Retry-After is not judged.
      """,
    fix: """
      Client: wait as long as Retry-After says, with some randomness, and give up after a few tries. Where a library \
      retries, set it to honour Retry-After.
      """,
    specifications: [
      Specification("RFC 9110 §10.2.3", "https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3"),
      Specification("RFC 6585 §4", "https://www.rfc-editor.org/rfc/rfc6585#section-4"),
    ],
    thresholds: [.earlyRetries], since: "0.1")

  private struct Refusal: Sendable {
    var exchange: SeenExchange
    var field: Evidence
    /// What the server asked for last, and since when.
    var rest: Int64
    var since: PacketRef
    /// The first request that came too soon, how long after a refusal, and the last.
    var early: (first: PacketRef, after: Int64, last: PacketRef)?
    var count: UInt64 = 0
  }

  private static let limit = 256

  private var refusals = BoundedTable<RequestKey.Same, Refusal>(limit: limit)

  mutating func observe(_ asked: AskedExchange, in context: FlowContext, report: (Finding) -> Void) {
    let code = asked.exchange.status.code
    guard code == 429 || code == 503, let response = asked.exchange.response, !asked.exchange.isPairingUnsure,
      asked.request.isWhollyCaptured
    else { return }
    let rest = response.retryAfter
    let key = RequestKey.Same(asked.key)
    guard let made = refusals[key] ?? Self.refusal(asked, response, rest, context) else { return }
    refusals.update(key, orMake: made) { refusal in
      // A little sooner than allowed is a clock, and no loop.
      let again = asked.request.first
      let after = again.time.since(refusal.since.time)
      if again.number > refusal.since.number, after < refusal.rest / 10 * 9 {
        refusal.early = (refusal.early?.first ?? again, refusal.early?.after ?? after, again)
        refusal.count += 1
      }
      if let rest, response.last.number > refusal.since.number { (refusal.rest, refusal.since) = (rest, response.last) }
    }
  }

  private static func refusal(
    _ asked: AskedExchange, _ response: Message, _ rest: Int64?, _ context: FlowContext
  ) -> Refusal? {
    guard let rest, let field = Evidence.field("retry-after", of: response, "the server asks for a rest") else {
      return nil
    }
    return Refusal(exchange: SeenExchange(asked, in: context), field: field, rest: rest, since: response.last)
  }

  mutating func finish(_ capture: CaptureRecord, _ thresholds: Thresholds, report: (Finding) -> Void) {
    for refusal in refusals.inOrder {
      guard let early = refusal.early, refusal.count >= UInt64(clamping: thresholds[.earlyRetries]) else { continue }
      report(
        refusal.exchange.finding(
          Self.info, .toServer,
          "\(refusal.exchange.title): the client repeated the request \(Wording.count(refusal.count, "time")) before the time in Retry-After was over, first \(Wording.duration(early.after)) after a refusal, and was refused each time.",
          cost: .failed(.exchange),
          evidence: [
            refusal.field, Evidence(.packet(early.first, .toServer), "the request again, too soon"),
            Evidence(.packet(early.last, .toServer), "the last time"),
          ]))
    }
  }
}

extension Threshold {
  static let earlyRetries = Threshold(
    "http.early-retries", .count, 3, "so many refused requests before the time in Retry-After is over are a loop")
}

extension Message {
  /// A day: what asks for more is no rate limit.
  private static let longestRest: Int64 = 86_400

  /// The time in Retry-After, in nanoseconds; nil where there is none, or a date.
  var retryAfter: Int64? {
    guard let text = head?.block.value("retry-after"), let seconds = Int64(text), 1...Self.longestRest ~= seconds else {
      return nil
    }
    return seconds * 1_000_000_000
  }
}
