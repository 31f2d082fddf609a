import Citation
import Events
import HTTPSemantics

/// A server that sends a response for long, and answers no other request meanwhile.
///
/// Bounded: the newest `limit` servers, and of each the newest such response.
struct OneAtATime: CaptureRule {
  static let info = RuleInfo(
    id: "http/one-at-a-time", severity: .warning, confidence: .medium,
    summary: "Requests waited until a response on another connection was over.",
    explanation: """
      While the server sent one response, it answered nothing else: it has one process or thread for all requests, or a \
      handler that blocks its event loop, or a lock that each of them takes. A stream that stays open then stops all other \
      requests. A server for development, one worker of gunicorn without threads, and a synchronous handler in an asynchronous \
      framework are like that.
      """,
    evidence: """
      The beginning and the end of the response that was sent for a second or more, and two requests on other connections \
      that came in between, waited for half a second or more, and were answered when it was over: no more than a fiftieth \
      of a second later. No other response of this server began meanwhile. That it could not is inferred; requests that look \
      like long polls may all have waited for the same news, and are not counted.
      """,
    fix: """
      Server: more workers or threads (gunicorn --workers and --threads, uvicorn --workers), no blocking calls in handlers of \
      an event loop, and for streams a server that can hold many at a time.
      """,
    specifications: [Specification("RFC 9110 §3.3", "https://www.rfc-editor.org/rfc/rfc9110#section-3.3")],
    thresholds: [.queueWait], since: "0.1")

  private struct Answer: Sendable {
    let exchange: SeenExchange
    let times: Times
  }

  private struct Times: Sendable {
    let asked: PacketRef
    let first: PacketRef
    let last: PacketRef

    var isLong: Bool { last.time.since(first.time) >= OneAtATime.long }
  }

  /// The newest long response of a server, as long as nothing began while it was sent; and what waited for it.
  private struct Line: Sendable {
    var long: Answer?
    var waiting: [Answer] = []
    /// The highest number of a packet that began a response.
    var begun: UInt64 = 0
    var isTold = false

    /// What is known of the exchange is made where it is kept: that is seldom.
    mutating func take(_ times: Times, of asked: AskedExchange, in context: FlowContext) {
      defer { begun = max(begun, times.first.number) }
      if let long {
        if times.first.number < long.times.last.number {
          // Something began, or was being sent, beside it.
          if times.last.number > long.times.first.number { self.long = nil }
        } else if waited(times, for: long, of: asked, in: context) {
          waiting.append(Answer(exchange: SeenExchange(asked, in: context), times: times))
        } else if times.asked.number > long.times.last.number {
          // What was asked later waited for something else.
          self.long = nil
        }
      }
      guard times.isLong else { return }
      long = begun > times.first.number ? nil : Answer(exchange: SeenExchange(asked, in: context), times: times)
      (waiting, isTold) = ([], false)
    }

    private func waited(_ times: Times, for long: Answer, of asked: AskedExchange, in context: FlowContext) -> Bool {
      let free = waiting.last?.times.last ?? long.times.last
      return waiting.count < OneAtATime.enough && context.number != long.exchange.connection
        && times.asked.number > long.times.first.number
        && long.times.last.time.since(times.asked.time) >= context.thresholds[.queueWait]
        && times.first.time.since(free.time) <= OneAtATime.prompt && !asked.exchange.looksLikePoll
    }
  }

  private static let limit = 64
  /// One may have been what ended it.
  private static let enough = 2
  /// A server takes the next request at once.
  private static let prompt: Int64 = 20_000_000
  private static let long: Int64 = 1_000_000_000

  private var lines = BoundedTable<Endpoint, Line>(limit: limit)
  /// Requests that waited so.
  private var waited = BoundedTable<ExchangeKey, Bool>(limit: 1_024)

  mutating func observe(_ asked: AskedExchange, in context: FlowContext, report: (Finding) -> Void) {
    guard let response = asked.exchange.response, response.isComplete, asked.exchange.status.isSuccess,
      !asked.exchange.isPairingUnsure, asked.head.method != .connect
    else { return }
    let times = Times(asked: asked.request.last, first: response.first, last: response.last)
    var finding: Finding?
    lines.update(context.server, orMake: Line()) { line in
      // As nearly always.
      guard line.long != nil || times.isLong else { return line.begun = max(line.begun, times.first.number) }
      line.take(times, of: asked, in: context)
      guard !line.isTold, line.waiting.count == Self.enough, let long = line.long else { return }
      line.isTold = true
      finding = Self.finding(long, line.waiting, context.server)
      for each in line.waiting {
        waited.update(ExchangeKey(connection: each.exchange.connection, number: each.exchange.number), orMake: true) {
          _ in
        }
      }
    }
    if let finding { report(finding) }
  }

  private static func finding(_ long: Answer, _ waiting: [Answer], _ server: Endpoint) -> Finding {
    let first = waiting[0]
    let worst = waiting.map { $0.times.first.time.since($0.times.asked.time) }.max() ?? 0
    return first.exchange.finding(
      info, .toClient,
      "\(first.exchange.title): \(server) answered this and another request only when \(long.exchange.title) on connection #\(long.exchange.connection) was over; they waited for up to \(Wording.duration(worst)).",
      cost: .delay(nanoseconds: worst),
      evidence: [
        Evidence(.packet(long.times.first, .toClient), "the long response begins"),
        Evidence(.packet(long.times.last, .toClient), "and ends"),
      ]
        + waiting.flatMap { each in
          [
            Evidence(.packet(each.times.asked, .toServer), "a request, on connection #\(each.exchange.connection)"),
            Evidence(.packet(each.times.first, .toClient), "its answer begins"),
          ]
        })
  }

  /// A wait for another answer is not the request's own.
  mutating func review(_ finding: inout Finding) {
    guard finding.rule == TTFBSlow.info.id, finding.causedBy == nil, let leg = finding.leg, waited.has(leg) else {
      return
    }
    finding.causedBy = Self.info.id
  }
}

extension Threshold {
  static let queueWait = Threshold(
    "http.queue-wait", .nanoseconds, 500_000_000, "a request that waited for another one waited as long")
}
