import Citation
import Events
import HTTPSemantics

/// A request on an idle connection that the server was closing at the same moment.
enum KeepaliveRace: DisturbedExchangeRule {
  static let info = RuleInfo(
    id: "http/keepalive-race", severity: .error,
    summary: "A request was lost because the server was closing the idle connection.",
    explanation: """
      The server closes a connection that was idle for too long; the client, which cannot know that yet, uses it \
      again. The request meets a closed socket and is answered by a reset, or by nothing. Nothing is wrong with the \
      request, so it fails now and then and works when it is tried again. Clients repeat a GET silently; a POST fails: \
      URLSession reports "the network connection was lost" (-1005), a proxy answers 502.
      """,
    evidence: """
      The end of the exchange before, the request, and the FIN or RST that met it. The connection had answered before \
      and was idle for the time shown; or the server's FIN came right behind its last answer, and its reset answers the \
      request. A server that sent Connection: close before does not count. Where the client repeats the request within a \
      second and is answered, it cost the delay, or nothing.
      """,
    fix: """
      Server: keep idle connections longer than the hop in front of it does (Node closes after 5 s, gunicorn after 2, \
      a load balancer keeps for 60 s and more), and announce Keep-Alive: timeout=N. Client or proxy: drop idle \
      connections earlier than the server, and repeat requests that are safe to repeat.
      """,
    specifications: [
      Specification("RFC 9112 §9.3.1", "https://www.rfc-editor.org/rfc/rfc9112#section-9.3.1"),
      Specification("RFC 9112 §9.5", "https://www.rfc-editor.org/rfc/rfc9112#section-9.5"),
    ],
    thresholds: [.idleReuse, .sameMoment], causedBy: ["stream/silent-blackhole", "tcp/host-silent"], since: "0.1")

  static func judge(_ disturbed: DisturbedExchange, in context: FlowContext, report: (Finding) -> Void) {
    let (exchange, story) = (disturbed.exchange, disturbed.story)
    guard let before = disturbed.before, exchange.response == nil, let request = exchange.request else { return }
    guard !before.isClosing, exchange.interim.isEmpty, story.requestsAreKnown, request.isWhollyCaptured,
      exchange.end.isBroken
    else { return }
    let idle = request.first.time.since(before.last.time)
    guard let close = close(of: request, story, context) else { return }
    let isEarly = close.number < request.first.number
    let reset = story.serverReset(after: request.first).flatMap { $0.number == close.number ? nil : $0 }
    // The client could not know of a FIN that was being retransmitted.
    let isLost = isEarly && story.finAgain.map { close.number < $0.number && $0.number < request.first.number } ?? false
    // A server that closes right behind its answer, and says nothing of it there, is reloaded or has served its number of
    // requests.
    let isIdle = idle >= context.thresholds[.idleReuse]
    guard isIdle || isEarly && close.number > before.last.number && reset != nil else { return }
    var evidence = [Evidence(.packet(before.last, before.direction), "the exchange before ends; idle from here")]
    let asked = Evidence(.packet(request.first, request.direction), "the request")
    let isReset = story.reset?.packet.number == close.number
    let closed = Evidence(
      .packet(close, .toClient), isReset ? "the server's RST answers it" : "the server's FIN: it was closing")
    evidence += isEarly ? [closed, asked] : [asked, closed]
    if let reset { evidence.append(Evidence(.packet(reset, .toClient), "and its RST, in answer to the request")) }
    report(
      Finding(
        Self.info, confidence: isReset || isEarly || reset != nil ? .high : .medium,
        subject: .connection(context.id), exchange: exchange.number, direction: .toClient,
        .raced(exchange, idle: idle, apart: close.time.since(request.first.time), isReset: isReset, isLost: isLost),
        cost: .failed(.exchange),
        fix: isLost ? lostFix : fix(idle: isIdle ? idle : nil, since: request.first.time.since(close.time), context),
        evidence: evidence))
  }

  private static let lostFix = """
    Network: the server's FIN did not arrive, so that the client could not know: find what was down at this time. Client: \
    repeat what is safe to repeat.
    """

  /// `idle`, unless the server closed right behind its answer; the request came so long `since` the server's close.
  private static func fix(idle: Int64?, since close: Int64, _ context: FlowContext) -> String {
    if close > max(prompt, context.crossing) {
      return """
        Client: it used the connection \(Wording.duration(close)) after the server had closed it: let it notice closes while it \
        is idle (its pool's check before use), or find what kept it from running.
        """
    }
    guard let idle else {
      return """
        Server: before a reload, or at its limit of requests, send Connection: close with the last response. Client: repeat \
        what is safe to repeat.
        """
    }
    return """
      Server: keep idle connections longer than \(Wording.duration(idle)), and longer than the client or proxy in front of it \
      does. Client: drop idle connections sooner, and repeat what is safe to repeat.
      """
  }

  private static let prompt: Int64 = 1_000_000_000

  /// What the request met: a FIN of the server's own accord at about the same time, or its reset.
  private static func close(of request: Message, _ story: ConnectionStory, _ context: FlowContext) -> PacketRef? {
    if let fin = story.fins.toClient {
      let isFirst = story.fins.toServer.map { fin.number < $0.number } ?? true
      let apart = fin.time.apart(from: request.first.time)
      if isFirst, apart <= context.crossing { return fin }
      // Later is no race: nothing of the request arrived until then.
      if isFirst, fin.number < request.first.number, answer(to: request, story, context) != nil { return fin }
    }
    return answer(to: request, story, context)
  }

  /// A system that has closed answers at once. A reset that takes longer is a program's, which had the request, or answers
  /// what was lost before.
  private static func answer(to request: Message, _ story: ConnectionStory, _ context: FlowContext) -> PacketRef? {
    guard let reset = story.serverReset(after: request.first),
      reset.time.since(request.first.time) <= max(Self.prompt, 4 &* context.crossing)
    else { return nil }
    return reset
  }
}

extension FindingMessage {
  fileprivate static func raced(
    _ exchange: ExchangeRecord, idle: Int64, apart: Int64, isReset: Bool, isLost: Bool
  ) -> Self {
    let how =
      isReset
      ? "the server answered it with a reset, \(Wording.duration(apart)) later"
      : "the server's FIN was sent \(Wording.duration(apart.apart(from: 0))) \(apart < 0 ? "before" : "after") it\(isLost ? ", and retransmitted without an acknowledgement" : "")"
    return
      "\(exchange.title): the request reused a connection that had been idle for \(Wording.duration(idle)); \(how)."
  }
}
