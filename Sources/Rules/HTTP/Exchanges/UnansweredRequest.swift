import Citation
import Events
import HTTPSemantics

/// A request that got no answer before its connection ended.
enum UnansweredRequest: DisturbedExchangeRule {
  static let info = RuleInfo(
    id: "http/unanswered-request", severity: .error,
    summary: "A request got no answer before the connection ended.",
    explanation: """
      The request was complete, and the connection ended without one byte of a response. Where the client left, its timeout \
      was shorter than the server took, or the server never meant to answer. Where the server closed, a worker crashed or \
      was recycled, or a proxy lost its origin. Servers log requests when they answer them, so this one may be in no log.
      """,
    evidence: """
      The last packet of the request, and the FIN or reset that ended the connection. Both sides are in the capture. A \
      client that leaves within two seconds may have changed its mind, and a server whose FIN crossed the request of \
      an old connection was closing an idle one: both are left alone. Without a cost where the request looks like a \
      long poll, unless the server resets it. Where a later packet of the server stands behind bytes that did not come, \
      the answer was lost, and that packet is quoted.
      """,
    fix: """
      Server: find the request in its log or its trace by time and path; answer with an error where it cannot be served. \
      Client: compare its timeout with how long the server takes.
      """,
    specifications: [Specification("RFC 9110 §15", "https://www.rfc-editor.org/rfc/rfc9110#section-15")],
    thresholds: [.unansweredPatience],
    causedBy: [
      "http/not-http-server", "http/keepalive-race", "stream/silent-blackhole", "stream/peer-gone",
      "stream/cut-by-middlebox", "stream/cut-at-known-timeout", "http/expect-stall", "http/unexpected-1xx",
      "tls/client-certificate-missing", "grpc/over-http1", "proxy/read-timeout", "tcp/host-silent",
      "tcp/connect-refused",
    ], since: "0.1")

  static func judge(_ disturbed: DisturbedExchange, in context: FlowContext, report: (Finding) -> Void) {
    let exchange = disturbed.exchange
    guard exchange.isUnanswered, exchange.interim.isEmpty, exchange.end.isBroken || exchange.end.cut == .captureEnded,
      let request = exchange.request, request.isComplete, request.isWhollyCaptured, let head = request.head,
      !head.asksForWebSocket,
      !context.isOneSided, disturbed.story.foreign == nil, disturbed.before?.isClosing != true,
      let (end, first) = exchange.unansweredEnd, end.number > request.last.number
    else { return }
    // A reset ends both directions at once.
    let by = exchange.end.sides[first]?.end == .reset ? context.closing(of: exchange).by ?? first : first
    let isClients = by == request.direction
    // That the server never closes does not bring the client back; a client that never does may still be waiting.
    guard isClients || exchange.end.isBroken else { return }
    // What a server does to streams has rules of its own.
    guard isClients || exchange.key.stream == nil else { return }
    let waited = end.time.since(request.last.time)
    let isReset = exchange.end.sides[by]?.end == .reset
    let patience =
      isClients
      ? context.thresholds[.unansweredPatience] : isReset || disturbed.isNew(in: context) ? 0 : context.crossing
    guard waited >= patience else { return }
    // A call may wait for its first message, and have a deadline. A poll that is reset by the server was not meant to be.
    let isHeld = isClients || waited >= context.thresholds[.unansweredPatience] && !isReset
    let isMeant = isHeld && (exchange.looksLikePoll || exchange.isCall)
    let isStreams = exchange.end.resetCode != nil
    let how =
      isClients
      ? isStreams ? "the client gave it up" : "the client left"
      : isReset ? "the server reset the connection" : "the server closed"
    // Its acknowledgements may stand behind an answer that was lost on the way here.
    let lost = disturbed.story.lostAnswer.flatMap { $0.packet.number > request.last.number ? $0 : nil }
    let answer = lost.map { ": \($0.words)" } ?? ", without one byte of an answer"
    // No program looks at a request and gives up without a word so soon.
    let isAtOnce = !isClients && disturbed.isNew(in: context) && waited <= context.crossing
    let evidence = [
      Evidence(.packet(request.last, request.direction), "the request is complete"),
      Evidence(.packet(end, by), context.endWords(isReset: isReset)),
    ]
    report(
      Finding(
        info, severity: lost != nil ? .error : isMeant ? .note : isClients ? .warning : nil,
        confidence: context.isMidstream || isMeant ? .medium : nil, subject: .connection(context.id),
        exchange: exchange.number, direction: request.direction.opposite,
        "\(exchange.title): \(how) \(Wording.duration(waited)) after the request\(answer).",
        cost: isMeant && lost == nil ? .none : .failed(.exchange),
        fix: lost != nil ? LostAnswer.fix : isAtOnce ? atOnceFix : info.fix,
        evidence: evidence + (lost.map { [$0.evidence] } ?? [])))
  }

  private static let atOnceFix = """
    Server: it ended a new connection at once: see its error log for a limit of connections or of open files (nginx: \
    worker_connections, worker_rlimit_nofile), a crash, or a listener for another protocol.
    """
}

extension Threshold {
  static let unansweredPatience = Threshold(
    "http.unanswered-patience", .nanoseconds, 2_000_000_000,
    "a client that leaves sooner than this may have changed its mind")
}
