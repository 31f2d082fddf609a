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
      While the server sent one response, or as many as it has workers, it answered nothing else: it has one process or \
      thread for each request that it can answer at a time, or a handler that blocks its event loop, or a lock that each of \
      them takes. Streams that stay open then stop all other requests. A server for development, workers of gunicorn without \
      threads, threads of Puma, and a synchronous handler in an asynchronous framework are like that.
      """,
    evidence: """
      The beginning and the end of the response that was sent for a second or more, and two requests on other connections \
      that came in between, waited for half a second or more, and were answered when it was over: no more than a fiftieth \
      of a second later. No other response of this server began while they waited; where others began before, the long one \
      went on meanwhile, so that it was no pause of the whole server. That it could not is inferred; requests that look like \
      long polls may all have waited for the same news, and are not counted.
      """,
    fix: """
      Server: more workers or threads (gunicorn --workers and --threads, uvicorn --workers), no blocking calls in handlers of \
      an event loop, and for streams a server that can hold many at a time.
      """,
    specifications: [Specification("RFC 9110 §3.3", "https://www.rfc-editor.org/rfc/rfc9110#section-3.3")],
    thresholds: [.queueWait], since: "0.1")

  private static let limit = 64
  /// One may have been what ended it.
  private static let enough = 2

  private var lines = BoundedTable<Endpoint, ResponseLine>(limit: limit)
  /// Requests that waited so.
  private var waited = BoundedTable<ExchangeKey, Bool>(limit: 1_024)
  /// Requests that waited, or were left, while the server only went on with streams.
  private var besideStreams = BoundedTable<ExchangeKey, Bool>(limit: 1_024)
  /// Whether any stream has begun: few servers have some.
  private var hasStreams = false

  mutating func observe(_ event: Event, _ thresholds: Thresholds, in context: FlowContext?, report: (Finding) -> Void) {
    guard let context else { return }
    switch event {
    case .streamBegan(let first):
      hasStreams = true
      lines.update(context.server, orMake: ResponseLine()) { $0.beginStream(on: context.number, at: first) }
    case .connectionClosed:
      guard hasStreams, lines.has(context.server) else { return }
      lines.update(context.server, orMake: ResponseLine()) { $0.forget(context.number) }
    default: break
    }
  }

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard hasStreams, let response = exchange.response, response.itemKind == .sse || response.joined != nil,
      lines.has(context.server)
    else { return }
    lines.update(context.server, orMake: ResponseLine()) { $0.endStream(on: context.number, at: response.last) }
  }

  /// Says that streams may hold the server's workers, where nothing contradicts it.
  private mutating func noteStreams(_ asked: AskedExchange, in context: FlowContext) {
    guard hasStreams, asked.exchange.key.stream == nil,
      asked.exchange.response.map({
        $0.first.time.since(asked.request.last.time) > context.thresholds[.firstByteWait]
      }) ?? true, lines[context.server]?.isHeld(at: asked.request.last) == true
    else { return }
    besideStreams.update(asked.exchange.key, orMake: true) { _ in }
  }

  mutating func observe(_ asked: AskedExchange, in context: FlowContext, report: (Finding) -> Void) {
    noteStreams(asked, in: context)
    guard let response = asked.exchange.response else { return }
    guard response.isComplete, asked.exchange.status.isSuccess, !asked.exchange.isPairingUnsure,
      asked.head.method != .connect
    else {
      return lines.update(context.server, orMake: ResponseLine()) { $0.begun = max($0.begun, response.first.number) }
    }
    let times = ResponseLine.Times(asked: asked.request.last, first: response.first, last: response.last)
    var finding: Finding?
    lines.update(context.server, orMake: ResponseLine()) { line in
      // As nearly always.
      guard line.long != nil || times.isLong else { return line.begun = max(line.begun, times.first.number) }
      line.take(times, of: asked, in: context)
      guard let long = line.long, long.waiting.count >= Self.enough else { return }
      for each in long.waiting.dropFirst(long.told) {
        let leg = ExchangeKey(connection: each.exchange.connection, number: each.exchange.number)
        waited.update(leg, orMake: true) { _ in }
      }
      line.long?.told = long.waiting.count
      if long.told == 0 { finding = Self.finding(long.answer, long.waiting, context.server) }
    }
    if let finding { report(finding) }
  }

  private static func finding(
    _ long: ResponseLine.Answer, _ waiting: [ResponseLine.Answer], _ server: Endpoint
  ) -> Finding {
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
    guard finding.causedBy == nil, let leg = finding.leg else { return }
    let isSlow = finding.rule == TTFBSlow.info.id
    guard isSlow || finding.rule == UnansweredRequest.info.id else { return }
    if isSlow, waited.has(leg) {
      finding.causedBy = Self.info.id
    } else if besideStreams.has(leg), finding.fix == (isSlow ? TTFBSlow.info.fix : UnansweredRequest.info.fix) {
      finding.fix = Self.streamsFix
    }
  }

  private static let streamsFix = """
    Server: find what the time went into. It went on with streams and began no other response meanwhile: where each of \
    them holds a worker or a thread (gunicorn --workers and --threads, threads of Puma), none may be left. Client: compare \
    its timeout with how long the server takes.
    """
}

extension Threshold {
  static let queueWait = Threshold(
    "http.queue-wait", .nanoseconds, 500_000_000, "a request that waited for another one waited as long")
}
