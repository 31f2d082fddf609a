import Citation
import Events
import HTTPSemantics

/// Handshakes of one client with one server that are under way at the same time.
///
/// Bounded: so many clients, and of each the last handshakes.
struct HSSecondInConnecting: CaptureRule {
  static let info = RuleInfo(
    id: "ws/hs-second-in-connecting", severity: .note, confidence: .medium,
    summary: "A client begins a second handshake with a server while the first is under way.",
    explanation: """
      A client is to wait for one handshake before it begins the next with the same address, so that a page cannot open \
      thousands at once; browsers do wait. A program that does not is taken for an attack by some servers, and two programs \
      behind one address look the same.
      """,
    evidence: "The two requests, and the answer to the first, which came after both.",
    fix: "Client: open one WebSocket after the other to the same server.", specifications: [.webSocket("4.1")],
    since: "0.1")

  private struct Attempt: Sendable {
    let flow: FlowID
    let connection: Int
    let exchange: Int
    let title: String
    let asked: PacketRef
    let answered: PacketRef
  }

  private struct Client: Sendable {
    var recent: [Attempt] = []
    var pair: (first: Attempt, second: Attempt)?
    var count: UInt64 = 0
  }

  private static let limit = 256
  private static let perClient = 8

  private var clients = BoundedTable<RequestKey.Pair, Client>(limit: Self.limit)

  mutating func observe(_ asked: AskedExchange, in context: FlowContext, report: (Finding) -> Void) {
    // A proxy asks for many clients at once.
    guard let upgrade = asked.upgrade, !upgrade.head.isForwarded, let response = upgrade.response else { return }
    let attempt = Attempt(
      flow: context.id, connection: context.number, exchange: upgrade.exchange.number, title: upgrade.exchange.title,
      asked: upgrade.request.first, answered: response.first)
    clients.update(RequestKey.Pair(asked.key), orMake: Client()) { client in
      for other in client.recent where other.flow != attempt.flow {
        let (first, second) = other.asked.number < attempt.asked.number ? (other, attempt) : (attempt, other)
        guard second.asked.number < first.answered.number else { continue }
        client.count += 1
        if client.pair == nil { client.pair = (first, second) }
      }
      if client.recent.count == Self.perClient { client.recent.removeFirst() }
      client.recent.append(attempt)
    }
  }

  mutating func finish(_ capture: CaptureRecord, _ thresholds: Thresholds, report: (Finding) -> Void) {
    for client in clients.inOrder {
      guard let pair = client.pair else { continue }
      var finding = Finding(
        Self.info, subject: .connection(pair.second.flow), exchange: pair.second.exchange, direction: .toServer,
        FindingMessage(
          "\(pair.second.title): the client asked again \(Wording.duration(pair.second.asked.time.since(pair.first.asked.time))) after it had on connection #\(pair.first.connection), which was not answered yet."
        ), cost: .none, fix: Self.info.fix,
        evidence: [
          Evidence(.packet(pair.first.asked, .toServer), "the first handshake begins"),
          Evidence(.packet(pair.second.asked, .toServer), "the second one begins"),
          Evidence(.packet(pair.first.answered, .toClient), "the first one is answered"),
        ]
      ).on(pair.second.connection)
      finding.count = client.count
      report(finding)
    }
  }
}

extension RequestKey {
  /// A client and the endpoint it speaks to.
  struct Pair: MixedKey {
    private let asker: Asker
    private let server: Int

    init(_ key: RequestKey) {
      asker = key.asker
      server = key.server
    }
  }
}
