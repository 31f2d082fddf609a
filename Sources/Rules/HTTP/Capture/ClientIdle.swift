import Citation
import Events
import HTTPSemantics

/// A client that opened a connection and asked nothing for long.
///
/// Bounded: so many connections, and of each client so many exchanges.
struct ClientIdle: CaptureRule {
  static let info = RuleInfo(
    id: "http/client-idle", severity: .note, confidence: .low,
    summary: "The client opened a connection and sent its request much later.",
    explanation: """
      The connection was there, the server had nothing to answer, and the request came a second or more later: the time \
      went into the client (a busy machine, a slow script, a proxy setting, a check by security software, a user). Looked \
      at from the user's side it is a slow page; server and network have no part in it.
      """,
    evidence: """
      The connection's first packet, and the request. Browsers open spare connections: not told where the same client had \
      another connection to the server, or any other exchange under way meanwhile; a warning where the connection is \
      the client's only one in the capture, so that it is no spare one, and leads to another host. That nothing else \
      kept the client waiting is inferred.
      """,
    fix: "Client: find what it does between connecting and asking (profile, name resolution, security software).",
    specifications: [Specification("RFC 9112 §9.3", "https://www.rfc-editor.org/rfc/rfc9112#section-9.3")],
    thresholds: [.clientPause], since: "0.1")

  private struct Late: Sendable {
    var client: IPAddress
    var server: IPAddress
    var from: PacketRef
    var to: PacketRef
    var finding: Finding
  }

  private struct Span: Sendable {
    var server: IPAddress
    var flow: FlowID
    var first: PacketRef
    var last: PacketRef
  }

  private static let limit = 64
  private static let clientLimit = 128
  /// A longer one is a connection that was meant for later.
  private static let longest: Int64 = 15_000_000_000

  private var late: [Late] = []
  private var spans = BoundedTable<IPAddress, [Span]>(limit: clientLimit)
  /// How many connections each client had.
  private var connections = BoundedTable<IPAddress, UInt64>(limit: clientLimit)

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let request = exchange.request else { return }
    let client = context.client.address
    spans.update(client, orMake: []) { list in
      if list.count < Self.limit {
        list.append(
          Span(server: context.server.address, flow: context.id, first: context.firstPacket, last: exchange.last))
      }
    }
    guard exchange.number == 1, late.count < Self.limit, !context.isMidstream, !context.isSecure,
      let roundTrip = context.roundTrip.total
    else { return }
    let pause = request.first.time.since(context.firstPacket.time) &- roundTrip
    guard pause >= context.thresholds[.clientPause], pause <= Self.longest, pause > 10 &* roundTrip else { return }
    late.append(
      Late(
        client: client, server: context.server.address, from: context.firstPacket, to: request.first,
        finding: Finding(
          Self.info, subject: .connection(context.id), exchange: exchange.number, direction: request.direction,
          "\(exchange.title): the client sent its request \(Wording.duration(pause)) after the connection was open; nothing else was under way.",
          cost: .delay(nanoseconds: pause), fix: Self.info.fix,
          evidence: [
            Evidence(.packet(context.firstPacket, request.direction), "the connection begins"),
            Evidence(.packet(request.first, request.direction), "the first request"),
          ]
        ).on(context.number)))
  }

  /// A handshake that was begun more than once, or was answered late, is no idle client.
  mutating func observe(
    _ event: Event, _ thresholds: Thresholds, in context: FlowContext?, report: (Finding) -> Void
  ) {
    guard case .connectionClosed = event, let context else { return }
    connections.update(context.client.address, orMake: 0) { $0 &+= 1 }
    guard !late.isEmpty else { return }
    let isWhole = context.opening.map { opening in
      opening.synCount == 1 && opening.challenge == nil && opening.answer != nil && opening.firstAnswer == nil
    }
    if isWhole != true { late.removeAll { $0.finding.subject == .connection(context.id) } }
  }

  mutating func finish(_ capture: CaptureRecord, _ thresholds: Thresholds, report: (Finding) -> Void) {
    for one in late {
      let others = (spans[one.client] ?? []).filter { .connection($0.flow) != one.finding.subject }
      guard (spans[one.client] ?? []).count < Self.limit,
        !others.contains(where: { $0.server == one.server || overlaps($0, one) })
      else { continue }
      var finding = one.finding
      // Of one host, a connection to itself is mostly a pool's or a test's: it may be a spare one all the same.
      if connections[one.client] == 1, one.client != one.server { finding.severity = .warning }
      report(finding)
    }
    late.removeAll()
  }

  private func overlaps(_ span: Span, _ late: Late) -> Bool {
    span.first.number < late.to.number && span.last.number > late.from.number
  }
}

extension Threshold {
  static let clientPause = Threshold(
    "http.client-pause", .nanoseconds, 1_000_000_000, "a first request this long after the connection was open is late")
}
