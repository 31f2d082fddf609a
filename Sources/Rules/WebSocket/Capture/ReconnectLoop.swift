import Events
import HTTPSemantics
import Trace

/// A client that opens the same WebSocket over and over, because none lives.
///
/// Bounded: so many clients and paths, and of each the first visits.
struct ReconnectLoop: Sendable {
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

  private struct Visit: Sendable {
    let key: Key
    let connection: Int
    let flow: FlowID
    let exchange: Int
    let title: String
    let first: PacketRef
    var end: PacketRef?
    /// The client closed it as it should: it came for something, and had it.
    var isDone = false
    /// It was accepted, and nobody read what was said: why it ended is not known.
    var isUnread = false
  }

  private struct Key: Hashable, Sendable {
    var asker: Asker
    var path: Int
  }

  private static let limit = 256
  private static let visitLimit = 64
  private static let minute: Int64 = 60_000_000_000

  /// Of connections that are not over.
  private var open = BoundedTable<FlowID, Visit>(limit: Self.limit)
  private var visits = BoundedTable<Key, [Visit]>(limit: Self.limit)

  mutating func observe(_ upgrade: Upgrade, _ key: RequestKey, in context: FlowContext) {
    var visit = Visit(
      key: Key(asker: key.asker, path: key.path), connection: context.number, flow: context.id,
      exchange: upgrade.exchange.number, title: upgrade.exchange.title, first: upgrade.request.first)
    visit.isUnread = upgrade.acceptance != nil
    open.update(context.id, orMake: visit) { $0 = visit }
  }

  mutating func close(_ socket: WebSocketRecord, in context: FlowContext) {
    guard var visit = open[context.id] else { return }
    visit.isUnread = false
    if let close = socket.sides[socket.opening.client].close,
      let answer = socket.sides[socket.opening.client.opposite].close
    {
      visit.isDone = close.released.number < answer.released.number
    }
    open.update(context.id, orMake: visit) { $0 = visit }
  }

  mutating func close(_ end: ConnectionEnd, in context: FlowContext) {
    guard var visit = open[context.id], !visit.isDone, !visit.isUnread, let packet = end.packet else { return }
    visit.end = packet
    guard packet.time.since(visit.first.time) < context.thresholds[.loopLife] else { return }
    visits.update(visit.key, orMake: []) { list in
      if list.count < Self.visitLimit { list.append(visit) }
    }
  }

  func finish(_ thresholds: Thresholds, report: (Finding) -> Void) {
    let needed = Int(clamping: max(2, thresholds[.loopCount]))
    for list in visits.inOrder where list.count >= needed {
      let list = list.sorted { $0.first.number < $1.first.number }
      guard let last = Self.loop(in: list, needed) else { continue }
      let run = list[last - needed + 1...last]
      let took = list[last].first.time.since(run[run.startIndex].first.time)
      let longest = run.compactMap { visit in visit.end.map { $0.time.since(visit.first.time) } }.max() ?? 0
      var finding = Finding(
        Self.info, subject: .connection(list[last].flow), exchange: list[last].exchange, direction: .toServer,
        FindingMessage(
          "\(list[last].title): the client opened this WebSocket \(Wording.count(UInt64(run.count), "time")) within \(Wording.duration(took)); none lived longer than \(Wording.duration(longest))."
        ), cost: .none, fix: Self.info.fix,
        evidence: run.map { Evidence(.packet($0.first, .toServer), "asks, on connection #\($0.connection)") }
      ).on(list[last].connection)
      finding.count = UInt64(list.count)
      report(finding)
    }
  }

  /// The last of so many visits within a minute, each after the end of the one before.
  private static func loop(in list: [Visit], _ needed: Int) -> Int? {
    var start = 0
    for index in list.indices.dropFirst() {
      let isAfter = list[index - 1].end.map { $0.number < list[index].first.number } ?? false
      if !isAfter { start = index }
      while list[index].first.time.since(list[start].first.time) > minute { start += 1 }
      if index - start == needed - 1 { return index }
    }
    return nil
  }
}
