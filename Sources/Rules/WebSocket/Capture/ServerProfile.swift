import Citation
import Events
import WebSocketSemantics

/// What a server does with each feature of the protocol, over all its connections in the capture.
///
/// Bounded: so many servers.
struct ServerProfile: Sendable {
  static let infos: [RuleInfo] = [profile, closes]

  private static let profile = RuleInfo(
    id: "ws/server-profile", severity: .note, summary: "What a server was seen to support.",
    explanation: """
      Pings, binary messages and the closing handshake are what hand-written servers lack. What several connections show \
      together is told here, for and against; what no client tried is not.
      """,
    evidence: "The first and the last 101 of that server.", fix: "Server: see the findings about what it lacks.",
    specifications: [.webSocket("5.5")], since: "0.1")

  private static let closes = RuleInfo(
    id: "ws/drop-after-close", severity: .note, confidence: .medium,
    summary: "A server answers no Close on any of its connections.",
    explanation: """
      On two connections and more the server ended TCP when a Close came, and never sent one: it has no closing handshake, and \
      each client sees 1006 where it should see its own code.
      """,
    evidence: "The first Closes, each on a connection of its own.",
    fix: "Server: answer a Close with a Close, then end TCP.",
    specifications: [.webSocket("5.5.1"), .webSocket("7.1.1")],
    since: "0.1")

  private struct Dropped: Sendable {
    let flow: FlowID
    let connection: Int
    let exchange: Int?
    let close: Frame
  }

  private struct Server: Sendable {
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

  mutating func close(_ record: WebSocketRecord, in context: FlowContext) {
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

  func finish(report: (Finding) -> Void) {
    for server in servers.inOrder where server.connections > 1 {
      tellProfile(server, report)
      guard server.droppedCount > 1, server.closed == 0, let last = server.dropped.last else { continue }
      var finding = Finding(
        Self.closes, subject: .connection(last.flow), exchange: last.exchange, direction: .toClient,
        FindingMessage(
          "The server \(server.endpoint) answered none of \(Wording.number(server.droppedCount)) Closes, and ended TCP instead."
        ), cost: .none, fix: Self.closes.fix,
        evidence: server.dropped.map { .frame($0.close, .toServer, "Close, on connection #\($0.connection)") }
      ).on(last.connection)
      finding.count = server.droppedCount
      report(finding)
    }
  }

  private func tellProfile(_ server: Server, _ report: (Finding) -> Void) {
    var seen: [String] = []
    if server.pings > 0 { seen.append(server.pongs > 0 ? "it answers pings" : "it answers no ping") }
    if server.binary > 0 { seen.append("it is sent binary messages") }
    if server.closed > 0 { seen.append("it answers Close") }
    if server.droppedCount > 0 { seen.append("it left \(Wording.count(server.droppedCount, "Close")) unanswered") }
    guard !seen.isEmpty, let first = server.first, let last = server.last else { return }
    report(
      Finding(
        Self.profile, subject: .connection(first.flow), direction: .toClient,
        FindingMessage(
          "The server \(server.endpoint), on \(Wording.count(server.connections, "connection")): \(seen.joined(separator: ", "))."
        ),
        cost: .none,
        evidence: [
          Evidence(.packet(first.packet, .toClient), "the first 101"),
          Evidence(.packet(last, .toClient), "the last one"),
        ]
      ).on(first.connection))
  }
}
