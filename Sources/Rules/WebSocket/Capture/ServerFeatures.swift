import Citation
import Events
import WebSocketSemantics

/// What each server does with each feature of the protocol, over all its connections in the capture.
///
/// Bounded: so many servers.
struct ServerFeatures: CaptureWatcher {
  struct Dropped: Sendable {
    let flow: FlowID
    let connection: Int
    let exchange: Int?
    let close: Frame
  }

  struct Server: Sendable {
    var endpoint: Endpoint
    var connections: UInt64 = 0
    var pings: UInt64 = 0
    var pongs: UInt64 = 0
    var binary: UInt64 = 0
    var closed: UInt64 = 0
    var dropped: [Dropped] = []
    var droppedCount: UInt64 = 0
    var first: (packet: PacketRef, flow: FlowID, connection: Int)?
    var last: PacketRef?
  }

  private static let limit = 128
  private static let quoted = 3

  private var servers = BoundedTable<Endpoint, Server>(limit: Self.limit)

  mutating func observe(
    _ event: Event, _ thresholds: Thresholds, in context: FlowContext?, report: (Finding) -> Void
  ) {
    guard case .socketClosed(let record) = event, let context else { return }
    let client = record.opening.client
    let endpoint = client == .toServer ? context.server : context.client
    let asked = record.sides[client]
    let answered = record.sides[client.opposite]
    guard let response = record.opening.response, asked.lostAt == nil, answered.lostAt == nil else { return }
    servers.update(endpoint, orMake: Server(endpoint: endpoint)) { server in
      server.connections += 1
      server.pings += asked.frames[Int(Opcode.ping.rawValue)]
      server.pongs += answered.frames[Int(Opcode.pong.rawValue)]
      server.binary += asked.binary
      if server.first == nil { server.first = (response, context.id, context.number) }
      server.last = response
      guard let close = asked.close else { return }
      if answered.close != nil {
        server.closed += 1
      } else if context.closing.by == client.opposite {
        server.droppedCount += 1
        guard server.dropped.count < Self.quoted else { return }
        server.dropped.append(
          Dropped(flow: context.id, connection: context.number, exchange: record.opening.exchange, close: close))
      }
    }
  }

  mutating func finish(_ capture: CaptureRecord, _ thresholds: Thresholds, report: (Finding) -> Void) {
    for server in servers.inOrder where server.connections > 1 {
      for rule in RuleIndex.serverFeatureRules { rule.judge(server, thresholds, report: report) }
    }
  }
}

/// Judges a server of several WebSocket connections.
protocol ServerFeatureRule: CaptureStoryRule where Story == ServerFeatures.Server {}
