import Citation
import Events
import HTTPSemantics

/// Requests that a server answered with an error of its own, by endpoint.
///
/// Bounded: the first `limit` endpoints that failed, and so many of their exchanges as something else may explain.
struct ServerError: CaptureRule {
  static let info = RuleInfo(
    id: "http/server-error", severity: .error,
    summary: "The server answered with an error of its own.",
    explanation: """
      A status of 500 to 599 says that the server, or a proxy in front of it, could not do what was asked, and that the \
      request was not at fault: a program that failed (500), a method it does not know (501), a proxy that got no valid \
      answer or none in time (502, 504), a server that is overloaded or being restarted (503).
      """,
    evidence: """
      The first of these answers of an endpoint (method, host, path), and the slowest; and if the server's host was refused \
      a connection before the first of them (another host right before it), or got no answer to the same request until \
      then, that, too. 4xx are not among them: they may be what the server is meant to say.
      """,
    fix: """
      Server: its log at the time of these answers. 502 and 504: the proxy's error log, and the origin behind it. 503: \
      whether the proxy has an origin that it can reach (none started, all of them down); else what limits it, and \
      Retry-After.
      """,
    specifications: [Specification("RFC 9110 §15.6", "https://www.rfc-editor.org/rfc/rfc9110#section-15.6")],
    causedBy: ["tcp/host-silent", "tcp/connect-refused", "tcp/mss-blackhole"], since: "0.1")

  private struct Answer: Sendable {
    var flow: FlowID
    var connection: Int
    var exchange: Int
    var title: String
    var host: IPAddress
    var asked: PacketRef
    var packet: PacketRef
    var status: String
    var wait: Int64
  }

  private struct Tally: Sendable {
    var first: Answer
    var slowest: Answer
    var endpoint: EndpointName
    /// Of the first.
    var asked: AskedExchange?
    var context: FlowContext
    var count: UInt64 = 0
    /// Numbers, some of them more than once.
    var connections: [Int] = []
    var codes: [(code: UInt16, count: UInt64)] = []
    /// Those that another finding explains, and the first such rule.
    var explained: UInt64 = 0
    var cause: RuleID?

    /// A proxy answered for an origin.
    var isOfGateway: Bool { codes.allSatisfy { 502...504 ~= $0.code } }

    /// What explains all of them.
    var wholeCause: RuleID? { explained == count ? cause : nil }

    mutating func explain(by rule: RuleID) {
      explained += 1
      if cause == nil { cause = rule }
    }
  }

  /// What a proxy answered for an origin.
  private struct Gateway: Sendable {
    let asked: AskedExchange
    let context: FlowContext
    /// None of a WebSocket: rules of its handshake report these.
    var tally: Int?

    var client: IPAddress { context.client.address }
    var server: IPAddress { context.server.address }
  }

  private static let limit = 256
  private static let placeLimit = 1_024
  private static let codeLimit = 8
  private static let gatewayLimit = 256
  /// Of all endpoints together.
  private static let connectionLimit = 100_000

  private var tallies: [Tally] = []
  private var endpoints: [EndpointName: Int] = [:]
  /// The exchanges that failed, which other findings may be about.
  private var places: [ExchangeKey: Int] = [:]
  private var connections = 0
  private var refused = RefusedUpstreams()
  private var unanswered = UnansweredUpstreams()
  private var lost = LostUpstreams()
  /// The first of them.
  private var gateways: [Gateway] = []
  /// Requests whose missing answer is reported, and by which rule.
  private var reported = BoundedTable<ExchangeKey, RuleID>(limit: ServerError.placeLimit)
  private static let missing: Set<RuleID> = [UnansweredRequest.info.id, KeepaliveRace.info.id]

  mutating func observe(
    _ event: Event, _ thresholds: Thresholds, in context: FlowContext?, report: (Finding) -> Void
  ) {
    if case .connectionClosed(let end) = event, let context { refused.note(end, in: context) }
  }

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    unanswered.note(exchange, context)
    guard exchange.status.code >= 500, exchange.status.code < 600, let response = exchange.response,
      let head = response.head, let asked = exchange.request, let request = asked.head, !exchange.isPairingUnsure
    else { return }
    var gateway: Int?
    if 502...504 ~= exchange.status.code, gateways.count < Self.gatewayLimit,
      let asked = AskedExchange(exchange, context)
    {
      gateway = gateways.count
      gateways.append(Gateway(asked: asked, context: context))
    }
    guard !request.asksForWebSocket, let endpoint = exchange.endpoint else { return }
    let answer = Answer(
      flow: context.id, connection: context.number, exchange: exchange.number, title: exchange.title,
      host: context.server.address, asked: asked.first, packet: response.first,
      status: head.reasonText.isEmpty ? "\(head.status.code)" : "\(head.status.code) \(head.reasonText)",
      wait: exchange.wait ?? 0)
    let at = endpoints[endpoint] ?? tallies.count
    if at == tallies.count {
      guard tallies.count < Self.limit else { return }
      endpoints[endpoint] = at
      tallies.append(
        Tally(
          first: answer, slowest: answer, endpoint: endpoint, asked: AskedExchange(exchange, context), context: context
        ))
    }
    tallies[at].count += 1
    if connections < Self.connectionLimit, tallies[at].connections.last != context.number {
      connections += 1
      tallies[at].connections.append(context.number)
    }
    if answer.wait > tallies[at].slowest.wait { tallies[at].slowest = answer }
    if let known = tallies[at].codes.firstIndex(where: { $0.code == exchange.status.code }) {
      tallies[at].codes[known].count += 1
    } else if tallies[at].codes.count < Self.codeLimit {
      tallies[at].codes.append((exchange.status.code, 1))
    }
    if places.count < Self.placeLimit { places[exchange.key] = at }
    if let gateway { gateways[gateway].tally = at }
  }

  /// What a finding about one side of a proxy follows from, by the proxy's answers: a request that it gave up, or a page
  /// that it sent, or a WebSocket that it did not open, because its origin refuses; or a response that it cut, because what
  /// the origin sent is lost on the way.
  func cause(of finding: Finding) -> RuleID? {
    guard let leg = finding.leg else { return nil }
    if finding.rule == UnansweredRequest.info.id || finding.rule == ReplyAfterClose.info.id,
      let request = unanswered[leg], request.isLeft
    {
      return cause(ofUnanswered: leg)
    }
    guard finding.rule == Proxy504BodyAsStream.info.id || finding.rule == HSRefusedGateway.info.id,
      let page = gateways.first(where: { $0.asked.exchange.key == leg }), let answer = page.asked.exchange.response,
      let refusal = refused.refusal(
        ofProxy: page.server, of: page.client, after: page.asked.request.first, before: answer.first)
    else { return lost.cause(of: finding) }
    return refusal.cause
  }

  /// Of a request that its proxy gave up, and answered itself.
  func cause(ofUnanswered leg: ExchangeKey) -> RuleID? {
    guard let request = unanswered[leg], request.isLeft else { return nil }
    return gateways.contains { request.isBehind($0.asked, $0.context) } ? Self.info.id : nil
  }

  /// What failed for a reason that is told is a consequence of it.
  mutating func review(_ finding: inout Finding) {
    refused.note(finding)
    lost.note(finding)
    if Self.missing.contains(finding.rule), finding.isDiagnosis, let leg = finding.leg {
      reported.update(leg, orMake: finding.rule) { $0 = finding.rule }
    }
    guard !places.isEmpty, case .failed = finding.cost, let leg = finding.leg, let at = places.removeValue(forKey: leg)
    else { return }
    tallies[at].explain(by: finding.rule)
  }

  /// A request that the origin lost, or closed without an answer, is reported itself.
  private mutating func explainByOrigins() {
    for gateway in gateways where places.removeValue(forKey: gateway.asked.exchange.key) != nil {
      guard let request = unanswered.request(behind: gateway.asked, gateway.context), !request.isLeft,
        let rule = reported[request.hop.leg], let tally = gateway.tally
      else { continue }
      tallies[tally].explain(by: rule)
    }
  }

  mutating func finish(_ capture: CaptureRecord, _ thresholds: Thresholds, report: (Finding) -> Void) {
    explainByOrigins()
    for tally in tallies {
      let (first, slowest) = (tally.first, tally.slowest)
      var evidence = [Evidence(.packet(first.packet, .toClient), "\(first.status), the first")]
      if tally.count == 1 { evidence[0].note = first.status }
      let refusal =
        tally.isOfGateway
        ? refused.refusal(
          ofProxy: first.host, of: tally.context.client.address, after: first.asked, before: first.packet)
        : refused.refusal(of: first.host, after: first.asked, before: first.packet)
      if let refusal { evidence.insert(refusal.evidence, at: 0) }
      let silent =
        refusal == nil ? tally.asked.flatMap { unanswered.request(behind: $0, tally.context) } : nil
      if let silent { evidence.insert(contentsOf: silent.evidence, at: 0) }
      if slowest.packet != first.packet {
        evidence.append(
          Evidence(
            .packet(slowest.packet, .toClient),
            "\(slowest.status), the slowest, on connection #\(slowest.connection): after \(Wording.duration(slowest.wait))"
          ))
      }
      var finding = Finding(
        Self.info, subject: .connection(first.flow), exchange: first.exchange, direction: .toClient,
        FindingMessage(Self.sentence(tally, refusal, silent)), cost: .failed(.exchange),
        fix: refusal?.fix ?? silent?.fix ?? Self.fix(tally.codes.map(\.code), first.wait),
        causedBy: tally.isOfGateway ? refusal?.cause ?? lostCause(tally) ?? tally.wholeCause : tally.wholeCause,
        evidence: evidence
      ).on(first.connection)
      finding.count = tally.count
      finding.isOfEndpoint = true
      finding.place = tally.endpoint
      // Of what else a server answers nothing behind it is the cause.
      if tally.isOfGateway {
        finding.parties = FindingParties(client: tally.context.client, server: tally.context.server)
      }
      finding.alsoOn = Set(tally.connections).subtracting([first.connection]).sorted()
      report(finding)
    }
    tallies.removeAll()
  }

  /// The first answer stands for the others, which may have other causes: then they are shown.
  private func lostCause(_ tally: Tally) -> RuleID? {
    tally.count == 1 ? lost.cause(ofProxy: tally.first.host, after: tally.first.asked, before: tally.first.packet) : nil
  }

  private static func fix(_ codes: [UInt16], _ wait: Int64) -> String {
    if codes.allSatisfy({ $0 == 503 }), let seconds = RoundSilence.seconds(wait) {
      return """
        Proxy: its error log at that time: after \(seconds) s a timer has run out, towards an origin that is too slow (Varnish: \
        first_byte_timeout; Apache: ProxyTimeout). Server: find what took so long.
        """
    }
    if codes.allSatisfy({ $0 == 502 || $0 == 504 }) {
      return "Proxy: its error log at the time of these answers, and the origin behind it."
    }
    if codes.allSatisfy({ $0 == 503 }) {
      return """
        Proxy: see whether it has an origin that it can reach (none started, all of them down). Server: see what limits it, \
        and send Retry-After.
        """
    }
    return codes.contains { 502...504 ~= $0 } ? info.fix : "Server: its log at the time of these answers."
  }

  private static func sentence(
    _ tally: Tally, _ refusal: RefusedUpstreams.Refusal?, _ silent: UnansweredUpstreams.Request?
  ) -> String {
    let first = tally.first
    let which = tally.count == 1 ? "that" : "the first"
    let before =
      refusal.map { "; before \(which), \($0.words(beside: first.host))" }
      ?? silent.map { "; \($0.words)" } ?? ""
    if tally.count == 1 {
      return
        "\(first.title): the server answered with an error, \(first.status), after \(Wording.duration(first.wait))\(before)."
    }
    let codes = tally.codes.map { "\(Wording.number($0.count)) × \($0.code)" }.joined(separator: ", ")
    return
      "\(first.title): \(Wording.number(tally.count)) requests to this endpoint were answered with an error of the server (\(codes)), the slowest after \(Wording.duration(tally.slowest.wait))\(before)."
  }
}
