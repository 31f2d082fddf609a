import Citation
import Events
import HTTP2Semantics
import HTTPSemantics

/// A request that was turned away without having been processed, and the one that repeated it.
struct StreamRepeat: Sendable {
  enum Why: Hashable, Sendable { case refused, http11Required, misdirected }

  struct Attempt: Sendable {
    var flow: FlowID
    var connection: Int
    var exchange: Int
    var isHTTP2: Bool
    var first: PacketRef
    var bytes: UInt64
  }

  let why: Why
  let attempt: Attempt
  let title: String
  /// The packet that turned it away.
  let answer: PacketRef
  /// The first that came later and may be the same request.
  var repeated: Attempt?
  /// The capture goes on for as long as a client may take.
  var isFollowed = true

  /// How long a client takes to repeat it.
  var patience: Int64 { why == .refused ? 2_000_000_000 : 5_000_000_000 }

  /// Whether an attempt that began behind the answer is where this one had to go.
  func isRepeated(by other: Attempt) -> Bool {
    guard other.first.number > answer.number, other.first.time.since(answer.time) <= patience else { return false }
    return switch why {
    case .refused: other.bytes == attempt.bytes
    case .http11Required: !other.isHTTP2
    case .misdirected: other.connection != attempt.connection
    }
  }
}

/// Judges requests that were turned away, when the capture is read.
protocol StreamRepeatRule: CaptureStoryRule where Story == StreamRepeat {
  static var why: StreamRepeat.Why { get }
  static func words(_ story: StreamRepeat) -> String
}

extension StreamRepeatRule {
  static func judge(_ story: StreamRepeat, _ thresholds: Thresholds, report: (Finding) -> Void) {
    guard story.why == why else { return }
    var evidence = [Evidence(.packet(story.answer, .toClient), "the answer")]
    var cost = Cost.failed(.exchange)
    var severity = Severity.warning
    let end: String
    if let other = story.repeated {
      evidence.append(
        Evidence(.packet(other.first, .toServer), "the same request, on connection #\(other.connection)"))
      cost = .delay(nanoseconds: max(0, other.first.time.since(story.attempt.first.time)))
      end = "and the request was repeated"
    } else if story.isFollowed {
      severity = .error
      end = "and the request was not repeated"
    } else {
      end = "and the capture ends before the client had time to repeat the request"
    }
    report(
      Finding(
        info, severity: severity, subject: .connection(story.attempt.flow),
        exchange: story.attempt.exchange, direction: .toClient, "\(story.title): \(words(story)), \(end).", cost: cost,
        fix: info.fix, evidence: evidence
      ).on(story.attempt.connection))
  }
}

/// Follows requests of all connections, and those of HTTP/2 that were turned away.
///
/// Bounded: so many targets, the newest requests of each, and so many that were turned away.
struct StreamRepeats: CaptureWatcher {
  private static let attemptLimit = 16
  private static let limit = 256

  private var attempts = BoundedTable<RequestKey.Same, [StreamRepeat.Attempt]>(limit: 1_024)
  private var turnedAway: [(key: RequestKey.Same, story: StreamRepeat)] = []

  mutating func observe(_ asked: AskedExchange, in context: FlowContext, report: (Finding) -> Void) {
    let key = RequestKey.Same(asked.key)
    let attempt = StreamRepeat.Attempt(
      flow: context.id, connection: context.number, exchange: asked.exchange.number,
      isHTTP2: asked.exchange.key.stream != nil, first: asked.request.first, bytes: asked.request.bodyBytes)
    attempts.update(key, orMake: []) { list in
      if list.count == Self.attemptLimit { list.removeFirst() }
      list.append(attempt)
    }
    guard attempt.isHTTP2, turnedAway.count < Self.limit, let (why, answer) = Self.why(asked.exchange) else { return }
    turnedAway.append(
      (key, StreamRepeat(why: why, attempt: attempt, title: asked.exchange.title, answer: answer)))
  }

  /// Refused WebSockets have rules of their own.
  private static func why(_ exchange: ExchangeRecord) -> (StreamRepeat.Why, PacketRef)? {
    if exchange.isSocketStream { return nil }
    if exchange.status.code == 421, let response = exchange.response { return (.misdirected, response.first) }
    guard let code = exchange.end.resetCode, let closing = exchange.end.closing, closing.by == .toClient,
      let packet = closing.at, exchange.response?.isComplete != true
    else { return nil }
    switch HTTP2ErrorCode(code) {
    case .refusedStream: return (.refused, packet)
    case .http11Required: return (.http11Required, packet)
    default: return nil
    }
  }

  mutating func finish(_ capture: CaptureRecord, _ thresholds: Thresholds, report: (Finding) -> Void) {
    for (key, story) in turnedAway {
      var story = story
      story.isFollowed = (capture.lastTime ?? .zero).since(story.answer.time) >= story.patience
      story.repeated = attempts[key]?.filter { story.isRepeated(by: $0) }.min { $0.first.number < $1.first.number }
      for rule in RuleIndex.streamRepeatRules { rule.judge(story, thresholds, report: report) }
    }
  }
}
