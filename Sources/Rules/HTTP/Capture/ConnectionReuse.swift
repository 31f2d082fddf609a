import Citation
import Events
import HTTPSemantics

/// Clients that open a connection for each request, and servers that close idle connections before their proxy does.
struct ConnectionReuse: Sendable {
  static let perRequest = RuleInfo(
    id: "http/close-per-request", severity: .warning,
    summary: "Every request got a connection of its own.",
    explanation: """
      None of these connections answered a second request, so each request paid for a new handshake, with TLS two or three \
      round trips more, and began with a cold congestion window. On a mobile network that is most of the waiting. The usual \
      reasons: a session object per request, Connection: close, HTTP/1.0, or a server that closes at once.
      """,
    evidence: """
      The first requests, each on another connection, though an earlier one of the same client and authority had been \
      answered and could have been used again. Requests that were sent side by side are not counted.
      """,
    fix: """
      Client: keep one session (URLSession, OkHttpClient, requests.Session, an agent with keepAlive) and read responses to \
      their end. Server: speak HTTP/1.1, frame bodies, and leave the connection open.
      """,
    specifications: [
      Specification("RFC 9112 §9.3", "https://www.rfc-editor.org/rfc/rfc9112#section-9.3")
    ],
    thresholds: [.unusedConnections, .handshakeLoss], since: "0.1")

  static let shorterThanProxy = RuleInfo(
    id: "http/keepalive-shorter-than-proxy", severity: .warning, confidence: .medium,
    summary: "The server closes idle connections that a proxy wants to keep.",
    explanation: """
      A proxy or load balancer keeps idle connections for about a minute and expects the server to keep them longer. This \
      server closes first, so now and then a request meets the close, and a user gets a 502 that nobody can reproduce.
      """,
    evidence: """
      The ends of the last exchanges, and the server's FINs. That the client is a proxy is told by its own fields (Via, \
      X-Forwarded-For and their like).
      """,
    fix: """
      Server: set its keep-alive timeout above the proxy's (Node: server.keepAliveTimeout, gunicorn: --keep-alive, nginx \
      upstream: keepalive_timeout), or let the proxy drop idle connections sooner.
      """,
    specifications: [
      Specification("RFC 9112 §9.5", "https://www.rfc-editor.org/rfc/rfc9112#section-9.5")
    ],
    thresholds: [.poolIdle, .idleReuse], since: "0.1")

  /// Requests of one client to one authority.
  fileprivate struct Habit: Sendable {
    let id: FlowID
    let connection: Int
    var exchanges: UInt64 = 0
    /// Those that could have used an earlier connection.
    var needless: UInt64 = 0
    var isReusing = false
    var firstAnswered: Timestamp?
    var handshakes: Int64 = 0
    var clientSaysClose: UInt64 = 0
    var serverSaysClose: UInt64 = 0
    var closedByClient: UInt64 = 0
    var closedByServer: UInt64 = 0
    var requests: [PacketRef] = []
  }

  /// A connection that is open.
  private struct Line: Sendable {
    let asker: Asker
    var exchanges: UInt64 = 0
    var last: PacketRef = .none
    var isFromProxy = false
  }

  private struct Route: Hashable, Sendable {
    var client: IPAddress
    var server: Endpoint
  }

  /// Idle connections that a server closed on a proxy.
  private struct Closes: Sendable {
    let id: FlowID
    let connection: Int
    var count: UInt64 = 0
    var shortest: Int64 = .max
    var longest: Int64 = 0
    var cited: [(last: PacketRef, fin: PacketRef)] = []
  }

  private static let cited = 5

  private var habits = BoundedTable<Asker, Habit>(limit: 1_024)
  private var lines = BoundedTable<FlowID, Line>(limit: 4_096)
  private var closes = BoundedTable<Route, Closes>(limit: 512)

  func finish(_ thresholds: Thresholds, report: (Finding) -> Void) {
    for habit in habits.inOrder { judge(habit, thresholds, report) }
    for each in closes.inOrder { judge(each, report) }
  }

  mutating func observe(
    _ exchange: ExchangeRecord, _ request: Message, _ head: MessageHead, _ key: RequestKey, in context: FlowContext
  ) {
    guard let response = exchange.response, let answer = response.head, answer.framing != .tunnel else { return }
    let asker = key.asker
    lines.update(context.id, orMake: Line(asker: asker)) { line in
      line.exchanges &+= 1
      line.last = exchange.last
      line.isFromProxy = line.isFromProxy || head.isForwarded
    }
    let isAnother = exchange.number > 1 || context.isMidstream
    habits.update(asker, orMake: Habit(id: context.id, connection: context.number)) { habit in
      habit.isReusing = habit.isReusing || isAnother
      guard !habit.isReusing else { return }
      habit.exchanges &+= 1
      if let answered = habit.firstAnswered, request.first.time > answered {
        habit.needless &+= 1
        habit.handshakes = habit.handshakes.addingReportingOverflow(context.roundTrip.total ?? 0).partialValue
      }
      habit.firstAnswered = habit.firstAnswered ?? response.last.time
      if head.saysClose { habit.clientSaysClose &+= 1 }
      if answer.saysClose || answer.version < .http11 { habit.serverSaysClose &+= 1 }
      if habit.requests.count < Self.cited { habit.requests.append(request.first) }
    }
  }

  mutating func close(_ end: ConnectionEnd, _ context: FlowContext) {
    guard let line = lines[context.id] else { return }
    if let by = context.closedBy {
      habits.update(line.asker, orMake: Habit(id: context.id, connection: context.number)) { habit in
        if by == .toServer { habit.closedByClient &+= 1 } else { habit.closedByServer &+= 1 }
      }
    }
    guard line.isFromProxy, line.exchanges > 1, end.kind == .fin, end.by == .server, let fin = end.packet else {
      return
    }
    let idle = fin.time.since(line.last.time)
    guard idle >= context.thresholds[.idleReuse], idle < context.thresholds[.poolIdle] else { return }
    let route = Route(client: context.client.address, server: context.server)
    closes.update(route, orMake: Closes(id: context.id, connection: context.number)) { closes in
      closes.count &+= 1
      closes.shortest = min(closes.shortest, idle)
      closes.longest = max(closes.longest, idle)
      if closes.cited.count < 3 { closes.cited.append((line.last, fin)) }
    }
  }

  private func judge(_ habit: Habit, _ thresholds: Thresholds, _ report: (Finding) -> Void) {
    let least = UInt64(max(1, thresholds[.unusedConnections]))
    guard !habit.isReusing, habit.exchanges >= least, habit.needless &+ 1 >= least else { return }
    let isFelt = habit.handshakes >= thresholds[.handshakeLoss]
    var finding = Finding(
      Self.perRequest, subject: .connection(habit.id), direction: habit.culprit,
      .wasteful(habit.exchanges, habit.needless, habit.handshakes, habit.reason),
      cost: isFelt ? .delay(nanoseconds: habit.handshakes) : .none, fix: habit.fix,
      evidence: habit.requests.map { Evidence(.packet($0, .toServer), "a request, the only one of its connection") })
    finding.count = habit.exchanges
    report(finding.on(habit.connection))
  }

  private func judge(_ closes: Closes, _ report: (Finding) -> Void) {
    // One may be a restart.
    guard closes.count > 1 else { return }
    var finding = Finding(
      Self.shorterThanProxy, subject: .connection(closes.id), direction: .toClient,
      """
      The server closed \(Wording.count(closes.count, "idle connection")) of a proxy after \
      \(Wording.duration(closes.shortest)) to \(Wording.duration(closes.longest)); proxies keep them for about a minute.
      """, cost: .none, fix: "Server: set its keep-alive timeout above the proxy's.",
      evidence: closes.cited.flatMap {
        [
          Evidence(.packet($0.last, nil), "the last exchange ends"),
          Evidence(.packet($0.fin, .toClient), "the server closes"),
        ]
      })
    finding.count = closes.count
    report(finding.on(closes.connection))
  }
}

extension ConnectionReuse.Habit {
  /// Whose doing it is, where that shows.
  fileprivate var culprit: Direction? {
    if clientSaysClose * 2 > exchanges { return .toServer }
    if serverSaysClose * 2 > exchanges { return .toClient }
    if closedByClient > closedByServer { return .toServer }
    return closedByServer > closedByClient ? .toClient : nil
  }

  fileprivate var reason: String {
    if clientSaysClose * 2 > exchanges { return "the client says Connection: close" }
    if serverSaysClose * 2 > exchanges { return "the server says close, or speaks HTTP/1.0" }
    if closedByClient > closedByServer { return "the client closes first, without having said so" }
    return closedByServer > closedByClient ? "the server closes first, without having said so" : "nobody said close"
  }

  fileprivate var fix: String {
    switch culprit {
    case .toServer: "Client: keep one session for all requests, and do not say Connection: close."
    case .toClient: "Server: speak HTTP/1.1 and leave the connection open after the response."
    case nil: "Client: keep one session for all requests."
    }
  }
}

extension FindingMessage {
  fileprivate static func wasteful(
    _ exchanges: UInt64, _ needless: UInt64, _ handshakes: Int64, _ reason: String
  ) -> Self {
    let lost = handshakes > 0 ? ", \(Wording.duration(handshakes)) in all" : ""
    return """
      \(Wording.number(exchanges)) requests of one client took as many connections; \(Wording.count(needless, "handshake")) \
      could have been saved\(lost). \(reason.prefix(1).uppercased())\(reason.dropFirst()).
      """
  }
}
