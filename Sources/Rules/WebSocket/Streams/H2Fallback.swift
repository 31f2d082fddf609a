import Citation
import Events
import HTTP2Semantics
import HTTPSemantics

/// A second connection for a WebSocket.
struct H2Fallback: CaptureRule {
  static let info = RuleInfo(
    id: "ws/h2-fallback", severity: .note,
    summary: "A client opened a connection of HTTP/1.1 for a WebSocket beside its connection of HTTP/2.",
    explanation: """
      The server's SETTINGS do not announce extended CONNECT, so that a WebSocket cannot use the connection that is there. \
      It costs a handshake, and a connection for each WebSocket.
      """,
    evidence: "The first request on the connection of HTTP/2, and the request for the WebSocket.",
    fix: "Server or proxy: announce SETTINGS_ENABLE_CONNECT_PROTOCOL where WebSocket is served.",
    specifications: [.connectSetting], since: "0.1")

  private struct Connection: Sendable {
    var asker: Asker
    var first: PacketRef
    var last: PacketRef
    /// Its server announced extended CONNECT; nil until it is over.
    var isAnnounced: Bool?
  }

  private struct Socket: Sendable {
    var asker: Asker
    var flow: FlowID
    var connection: Int
    var exchange: Int
    var title: String
    var first: PacketRef
  }

  private static let limit = 256
  private static let patience: Int64 = 30_000_000_000

  private var connections = BoundedTable<Int, [Connection]>(limit: 256)
  private var sockets: [Socket] = []

  mutating func observe(_ asked: AskedExchange, in context: FlowContext, report: (Finding) -> Void) {
    let (exchange, first) = (asked.exchange, asked.request.first)
    if exchange.key.stream != nil {
      connections.update(context.number, orMake: []) { list in
        if list.isEmpty {
          list.append(Connection(asker: asked.key.asker, first: first, last: exchange.last))
        } else if exchange.last.number > list[0].last.number {
          list[0].last = exchange.last
        }
      }
    } else if asked.upgrade != nil, sockets.count < Self.limit {
      sockets.append(
        Socket(
          asker: asked.key.asker, flow: context.id, connection: context.number, exchange: exchange.number,
          title: exchange.title, first: first))
    }
  }

  mutating func observe(
    _ event: Event, _ thresholds: Thresholds, in context: FlowContext?, report: (Finding) -> Void
  ) {
    guard case .http2Closed(let record) = event, let context, connections.has(context.number) else { return }
    let isAnnounced = record.sides.toClient.settings.contains {
      $0.id == HTTP2Setting.enableConnectProtocol && $0.value == 1
    }
    let isKnown = record.beginning != .midstream
    connections.update(context.number, orMake: []) { if !$0.isEmpty { $0[0].isAnnounced = isAnnounced || !isKnown } }
  }

  mutating func finish(_ capture: CaptureRecord, _ thresholds: Thresholds, report: (Finding) -> Void) {
    let others = connections.inOrder.flatMap { $0 }.filter { $0.isAnnounced == false }
    for socket in sockets {
      guard
        let other = others.first(where: { other in
          other.asker == socket.asker && other.first.number < socket.first.number
            && socket.first.time.since(other.last.time) <= Self.patience
        })
      else { continue }
      report(
        Finding(
          Self.info, subject: .connection(socket.flow), exchange: socket.exchange, direction: .toServer,
          "\(socket.title): a connection of its own, beside one of HTTP/2 whose server does not announce extended CONNECT.",
          cost: .none, fix: Self.info.fix,
          evidence: [
            Evidence(.packet(other.first, .toServer), "on the connection of HTTP/2"),
            Evidence(.packet(socket.first, .toServer), "asks for the WebSocket"),
          ]
        ).on(socket.connection))
    }
  }
}
