import Citation
import Events
import HTTPSemantics

/// A client that opens the same WebSocket over and over, because none lives.
///
/// Bounded: so many clients and paths, and of each the first visits.
struct ReconnectLoop: CaptureRule {
  static let info = RuleInfo(
    id: "ws/reconnect-loop", severity: .warning,
    summary: "A client opens the same WebSocket again and again.",
    explanation: """
      The connections end, or are refused, soon after they begin, and the client comes back at once: a login that expired, \
      a server that restarts, a message that kills the connection each time. A thousand clients that do so at once keep \
      the server down. Clients are to wait a random time at first, and longer each time.
      """,
    evidence: "The handshakes within one minute, each of a connection that lived shorter than shown.",
    fix:
      "Client: wait longer after each failure, up to a minute, with a random share. Server: see why the first one ended.",
    specifications: [.webSocket("7.2.3")], thresholds: [.loopCount, .loopLife], since: "0.1")

  private struct Attempt: Visit, Sendable {
    let key: Key
    let connection: Int
    let flow: FlowID
    let exchange: Int
    let title: String
    let first: PacketRef
    var end: PacketRef?
    /// The client closed it as it should: it came for something, and had it.
    var isDone = false
    /// It was accepted, and its frames were not read: why it ended is not known.
    var isUnread = false
  }

  private struct Key: MixedKey {
    var asker: Asker
    var path: Int
  }

  private static let limit = 256
  private static let visitLimit = 64

  /// Of connections that are not over.
  private var open = BoundedTable<FlowID, Attempt>(limit: Self.limit)
  private var visits = BoundedTable<Key, [Attempt]>(limit: Self.limit)

  mutating func observe(_ asked: AskedExchange, in context: FlowContext, report: (Finding) -> Void) {
    guard let upgrade = asked.upgrade else { return }
    var visit = Attempt(
      key: Key(asker: asked.key.asker, path: asked.key.path), connection: context.number, flow: context.id,
      exchange: upgrade.exchange.number, title: upgrade.exchange.title, first: upgrade.request.first)
    visit.isUnread = upgrade.acceptance != nil
    open.update(context.id, orMake: visit) { $0 = visit }
  }

  mutating func observe(
    _ event: Event, _ thresholds: Thresholds, in context: FlowContext?, report: (Finding) -> Void
  ) {
    guard let context else { return }
    switch event {
    case .socketClosed(let record): close(record, in: context)
    case .connectionClosed(let end): close(end, in: context)
    default: break
    }
  }

  private mutating func close(_ socket: WebSocketRecord, in context: FlowContext) {
    guard var visit = open[context.id] else { return }
    visit.isUnread = false
    if let close = socket.sides[socket.opening.client].close,
      let answer = socket.sides[socket.opening.client.opposite].close
    {
      visit.isDone = close.released.number < answer.released.number
    }
    open.update(context.id, orMake: visit) { $0 = visit }
  }

  private mutating func close(_ end: ConnectionEnd, in context: FlowContext) {
    guard var visit = open[context.id], !visit.isDone, !visit.isUnread, let packet = end.packet else { return }
    visit.end = packet
    guard packet.time.since(visit.first.time) < context.thresholds[.loopLife] else { return }
    visits.update(visit.key, orMake: []) { list in
      if list.count < Self.visitLimit { list.append(visit) }
    }
  }

  mutating func finish(_ capture: CaptureRecord, _ thresholds: Thresholds, report: (Finding) -> Void) {
    let needed = Int(clamping: max(2, thresholds[.loopCount]))
    for list in visits.inOrder where list.count >= needed {
      let list = list.sorted { $0.first.number < $1.first.number }
      guard let run = list.loop(of: needed), let first = run.first, let last = run.last else { continue }
      let took = last.first.time.since(first.first.time)
      let longest = run.compactMap { visit in visit.end.map { $0.time.since(visit.first.time) } }.max() ?? 0
      var finding = Finding(
        Self.info, subject: .connection(last.flow), exchange: last.exchange, direction: .toServer,
        FindingMessage(
          "\(last.title): the client opened this WebSocket \(Wording.count(UInt64(run.count), "time")) within \(Wording.duration(took)); none lived longer than \(Wording.duration(longest))."
        ), cost: .none, fix: Self.info.fix,
        evidence: run.map { Evidence(.packet($0.first, .toServer), "asks, on connection #\($0.connection)") }
      ).on(last.connection)
      finding.count = UInt64(list.count)
      report(finding)
    }
  }
}

extension Threshold {
  static let loopCount = Threshold("ws.loop-count", .count, 5, "handshakes of one client within a minute")
  static let loopLife = Threshold(
    "ws.loop-life", .nanoseconds, 5_000_000_000, "connections that live shorter did not come to work")
}
