import Citation
import Events
import HTTPSemantics

/// Clients that open a connection for each request, and servers that close idle connections before their proxy does.
struct ConnectionReuse: CaptureWatcher {
  /// Requests of one client to one authority.
  struct Habit: Sendable {
    let id: FlowID
    let connection: Int
    var exchanges: UInt64 = 0
    /// Those that could have used an earlier connection.
    var needless: UInt64 = 0
    var isReusing = false
    var firstAnswered: Timestamp?
    var lastAnswered: Timestamp?
    /// All of them, and those that took a part of the pause before their request that shows.
    var handshakes: Int64 = 0
    var felt: Int64 = 0
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

  private struct Route: MixedKey {
    var client: IPAddress
    var server: Endpoint
  }

  /// Idle connections that a server closed on a proxy.
  struct IdleCloses: Sendable {
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
  private var closes = BoundedTable<Route, IdleCloses>(limit: 512)

  mutating func observe(_ asked: AskedExchange, in context: FlowContext, report: (Finding) -> Void) {
    let (exchange, request, head, key) = (asked.exchange, asked.request, asked.head, asked.key)
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
        let trip = context.roundTrip.total ?? 0
        let pause = max(0, request.first.time.since(habit.lastAnswered ?? answered))
        habit.needless &+= 1
        habit.handshakes &+= trip
        if trip >= (pause / 100).saturatingMultiplied(by: context.thresholds[.handshakeShare]) { habit.felt &+= trip }
      }
      habit.firstAnswered = habit.firstAnswered ?? response.last.time
      habit.lastAnswered = max(habit.lastAnswered ?? response.last.time, response.last.time)
      if head.saysClose { habit.clientSaysClose &+= 1 }
      if answer.saysClose || answer.version < .http11 { habit.serverSaysClose &+= 1 }
      if habit.requests.count < Self.cited { habit.requests.append(request.first) }
    }
  }

  mutating func observe(
    _ event: Event, _ thresholds: Thresholds, in context: FlowContext?, report: (Finding) -> Void
  ) {
    if case .connectionClosed(let end) = event, let context { close(end, context) }
  }

  mutating func finish(_ capture: CaptureRecord, _ thresholds: Thresholds, report: (Finding) -> Void) {
    for habit in habits.inOrder {
      for rule in RuleIndex.connectionHabitRules { rule.judge(habit, thresholds, report: report) }
    }
    for each in closes.inOrder {
      for rule in RuleIndex.idleClosesRules { rule.judge(each, thresholds, report: report) }
    }
  }

  private mutating func close(_ end: ConnectionEnd, _ context: FlowContext) {
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
    closes.update(route, orMake: IdleCloses(id: context.id, connection: context.number)) { closes in
      closes.count &+= 1
      closes.shortest = min(closes.shortest, idle)
      closes.longest = max(closes.longest, idle)
      if closes.cited.count < 3 { closes.cited.append((line.last, fin)) }
    }
  }
}

/// Judges what one client does about connections, when the capture is read.
protocol ConnectionHabitRule: CaptureStoryRule where Story == ConnectionReuse.Habit {}

/// Judges how long a server keeps the idle connections of a proxy, when the capture is read.
protocol IdleClosesRule: CaptureStoryRule where Story == ConnectionReuse.IdleCloses {}
