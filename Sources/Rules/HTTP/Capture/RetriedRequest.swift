import Citation
import Events
import HTTPSemantics

/// The same request again, on another connection, because the first got no answer.
struct RetriedRequest: CaptureRule {
  static let info = RuleInfo(
    id: "http/retried-request", severity: .warning, confidence: .medium,
    summary: "A request that got no answer was repeated on another connection.",
    explanation: """
      The first connection ended without a response, so the client does not know whether the request was carried out. It \
      sent it again. With GET that costs time; with POST or PATCH the server may do it twice: two orders, two messages. \
      Browsers, proxies and HTTP libraries do this by themselves, and the app never learns of it.
      """,
    evidence: """
      The first request, the end of its connection, and the second request. Both have the same method, target and body \
      length and come from the same address soon after each other; that the app did not mean two is inferred.
      """,
    fix: """
      Find what ended the first connection. Client: give requests that change something an idempotency key. Server: honour \
      it, so that the second one gets the answer to the first.
      """,
    specifications: [
      Specification("RFC 9110 §9.2.2", "https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2"),
      Specification("RFC 9112 §9.3.1", "https://www.rfc-editor.org/rfc/rfc9112#section-9.3.1"),
    ],
    thresholds: [.retryDelay], causedBy: ["tcp/host-silent"], since: "0.1")

  /// One time the request was sent.
  private struct Attempt: Sendable {
    var flow: FlowID
    var connection: Int
    var exchange: Int
    var first: PacketRef
    var agent: Int
    var body: Body
    /// Of one that got no answer.
    var title = ""
    var isSafeToRepeat: Bool
    /// The first and the last FIN or RST, where it got no answer because of them.
    var end: (first: PacketRef, last: PacketRef)?
    /// Its client gave it up.
    var isLeft = false
    var isTold = false
  }

  /// What was sent of the body, and its length where that is known: announced, or because it is complete.
  struct Body: Sendable {
    let sent: UInt64
    let length: UInt64?

    init(_ request: Message, _ head: MessageHead) {
      sent = request.bodyBytes
      length = request.isComplete ? sent : head.block.number("content-length")
    }

    /// Whether both may be the same: where the length of one is not known, what came of it fits into the other.
    func mayBe(_ other: Body) -> Bool {
      switch (length, other.length) {
      case (let own?, let others?): own == others
      case (let own?, nil): other.sent <= own
      case (nil, let others?): sent <= others
      case (nil, nil): true
      }
    }
  }

  /// Attempts that are kept of one request.
  private static let attempts = 4

  private var recent = BoundedTable<RequestKey.Same, [Attempt]>(limit: 1_024)
  /// Requests whose missing answer is reported, and repetitions that may follow from that.
  private var told = BoundedTable<ExchangeKey, Bool>(limit: 1_024)
  private var held: [(finding: Finding, isSafe: Bool)] = []
  private static let heldLimit = 256
  private var repetitions = Repetitions()

  /// How soon after a request that was lost its client asked again on a new connection, and was answered.
  func repetition(of leg: ExchangeKey) -> Int64? { repetitions.delay(of: leg) }

  mutating func review(_ finding: inout Finding) {
    guard finding.rule == UnansweredRequest.info.id, finding.isDiagnosis, let leg = finding.leg else { return }
    told.update(leg, orMake: true) { _ in }
  }

  mutating func observe(_ asked: AskedExchange, in context: FlowContext, report: (Finding) -> Void) {
    let (exchange, request, head, key) = (asked.exchange, asked.request, asked.head, asked.key)
    guard request.isWhollyCaptured else { return }
    var attempt = Attempt(
      flow: context.id, connection: context.number, exchange: exchange.number, first: request.first,
      agent: key.asker.agent, body: Body(request, head),
      isSafeToRepeat: head.method != .post && head.method != .patch)
    let closing = context.closing(of: exchange)
    let isLeft = closing.by == request.direction
    // One that met a connection which the server had closed was not carried out: see http/keepalive-race.
    let isRaced =
      closing.firstBy == request.direction.opposite && closing.firstEnd?.number ?? .max < request.first.number
    // A call that its client gives up has a rule of its own. A page that is left takes its EventSource along, and the next
    // page has one of its own.
    if !isRaced, exchange.isUnanswered, exchange.end.isBroken, !(isLeft && (exchange.isCall || head.isEventSources)),
      let first = closing.firstEnd,
      let last = closing.lastEnd
    {
      attempt.end = (first, last)
      attempt.title = exchange.title
      attempt.isLeft = isLeft
    }
    let same = RequestKey.Same(key)
    let asking = Repetitions.Asking(
      leg: exchange.key, same: same, agent: attempt.agent, first: attempt.first, body: attempt.body)
    if exchange.number == 1, exchange.response.map({ $0.status.code < 500 }) ?? false {
      repetitions.note(answered: asking, within: context.thresholds[.retryDelay])
    } else if attempt.isSafeToRepeat, exchange.isUnanswered, exchange.end.isBroken, !isLeft {
      repetitions.note(lost: asking, within: context.thresholds[.retryDelay])
    }
    recent.update(same, orMake: []) { attempts in
      attempts.append(attempt)
      for (lost, finding) in Self.matches(&attempts, context) {
        if lost.isLeft, held.count < Self.heldLimit {
          held.append((finding, lost.isSafeToRepeat))
        } else {
          report(finding)
        }
      }
      if attempts.count > Self.attempts { attempts.removeFirst() }
    }
  }

  /// The answered one may be reported before the one without an answer, so both roles are looked for among all.
  private static func matches(_ attempts: inout [Attempt], _ context: FlowContext) -> [(Attempt, Finding)] {
    var matches: [(Attempt, Finding)] = []
    // In its place: nearly all were answered, and a copy of an attempt is large.
    for index in attempts.indices where !attempts[index].isTold {
      guard let end = attempts[index].end else { continue }
      let lost = attempts[index]
      let again = attempts.filter { other in
        guard other.flow != lost.flow, lost.body.mayBe(other.body), other.agent == lost.agent,
          other.first.number > end.first.number
        else { return false }
        let since = other.first.number > end.last.number ? end.last : end.first
        return other.first.time.since(since.time) <= context.thresholds[.retryDelay]
      }.min { $0.first.number < $1.first.number }
      guard let again, !isRhythm(attempts, lost, again) else { continue }
      attempts[index].isTold = true
      var finding = finding(lost, end, again)
      // The same client, which may have had another port.
      finding.parties = FindingParties(client: context.client, server: context.server)
      matches.append((lost, finding))
    }
    return matches
  }

  /// The client asks for it again and again, and the time to the next one is what it always is.
  private static func isRhythm(_ attempts: [Attempt], _ lost: Attempt, _ again: Attempt) -> Bool {
    guard
      let before = attempts.filter({ $0.first.number < lost.first.number }).max(by: {
        $0.first.number < $1.first.number
      })
    else { return false }
    let (usual, delay) = (lost.first.time.since(before.first.time), again.first.time.since(lost.first.time))
    return before.end == nil && delay.apart(from: usual) <= usual / 10
  }

  mutating func finish(_ capture: CaptureRecord, _ thresholds: Thresholds, report: (Finding) -> Void) {
    for (held, isSafe) in held {
      var finding = held
      // A client whose patience was over is reported; that it asks again for what is safe follows from it.
      if isSafe, let leg = finding.leg, told.has(leg) { finding.causedBy = UnansweredRequest.info.id }
      report(finding)
    }
    held.removeAll()
  }

  private static func finding(
    _ lost: Attempt, _ end: (first: PacketRef, last: PacketRef), _ again: Attempt
  ) -> Finding {
    let delay = again.first.time.since(lost.first.time)
    return Finding(
      info, severity: lost.isSafeToRepeat ? .warning : .error, subject: .connection(lost.flow),
      exchange: lost.exchange, direction: .toServer, sentence(lost, again, delay), cost: .delay(nanoseconds: delay),
      fix: lost.isLeft ? leftFix : lost.isSafeToRepeat ? safeFix : info.fix,
      evidence: [
        Evidence(.packet(lost.first, .toServer), "the request, which gets no answer"),
        Evidence(.packet(end.first, nil), "its connection ends"),
        Evidence(.packet(again.first, .toServer), "the same request, on connection #\(again.connection)"),
      ]
    ).on(lost.connection)
  }

  private static let safeFix = "Find what ended the first connection."
  private static let leftFix = """
    Client: compare its own timeout with how long the server takes, and let its library repeat only what may be done twice \
    (an idempotency key). Server: stop the work when the client leaves.
    """

  private static func sentence(_ lost: Attempt, _ again: Attempt, _ delay: Int64) -> FindingMessage {
    let twice = lost.isSafeToRepeat ? "" : "; it may have been carried out twice"
    let patience = lost.end.map { Wording.duration($0.first.time.since(lost.first.time)) } ?? ""
    let left = lost.isLeft ? "the client gave it up after \(patience), and " : ""
    return """
      \(lost.title): \(left)the request was repeated \(Wording.duration(delay)) later on connection \
      #\(again.connection)\(twice).
      """
  }
}

extension Threshold {
  static let retryDelay = Threshold(
    "http.retry-delay", .nanoseconds, 2_000_000_000, "the same request this soon after a failed one is a retry")
}
