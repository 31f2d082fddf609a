import Citation
import Events

/// What is kept of one capture for a comparison, out of the items of its run.
///
/// Bounded: so many exchanges, connections and pieces; what bodies leave behind beside their figures goes when all of it
/// together is too much. What was left out is counted, and said.
package struct Recording: Sendable {
  package static let exchangeLimit = 10_000
  package static let connectionLimit = 10_000
  package static let pieceLimit = 200_000
  package static let findingLimit = 10_000
  /// Of the trails of all bodies.
  package static let trailBytes = 32 << 20
  /// Of the heads of all messages.
  package static let headBytes = 64 << 20

  package let file: String
  package private(set) var exchanges: [ComparedExchange] = []
  /// Those without exchanges.
  package private(set) var bare: [ConnectionRecord] = []
  package private(set) var findings: [Finding] = []
  package private(set) var summary: Summary
  private var told: [ExchangeRecord] = []
  private var connections: [Int: ConnectionRecord] = [:]
  private var withExchanges: Set<Int> = []
  private var pieces: [ExchangeKey: [Item]] = [:]
  /// Those some of whose pieces were left out.
  private var cut: Set<ExchangeKey> = []
  private var pieceCount = 0
  private var headSize = 0
  private var trailed = 0
  private var exchangesLeftOut: UInt64 = 0
  private var connectionsLeftOut: UInt64 = 0
  private var piecesLeftOut: UInt64 = 0
  private var trailsLeftOut: UInt64 = 0
  private var findingsLeftOut: UInt64 = 0

  package init(file: String) {
    self.file = file
    summary = Summary(capture: CaptureRecord(file: file))
  }

  package mutating func take(_ item: ReportItem) {
    switch item {
    case .exchange(let exchange):
      withExchanges.insert(exchange.key.connection)
      headSize += exchange.messages.reduce(0) { $0 + ($1.head?.block.bytes.count ?? 0) }
      guard told.count < Self.exchangeLimit, headSize <= Self.headBytes else {
        exchangesLeftOut += 1
        return
      }
      told.append(thinned(exchange))
    case .connection(let record):
      guard connections.count < Self.connectionLimit else {
        connectionsLeftOut += 1
        return
      }
      connections[record.number] = record
    case .finding(let finding):
      if findings.count < Self.findingLimit { findings.append(finding) } else { findingsLeftOut += 1 }
    case .piece(let piece): take(piece.value)
    // Only of packets as they come.
    case .loss, .stall: break
    }
  }

  private mutating func take(_ piece: Item) {
    switch piece.kind {
    case .event, .comment, .line, .grpc: return
    case .chunk, .text, .binary, .ping, .pong, .close, .record: break
    }
    guard pieceCount < Self.pieceLimit else {
      piecesLeftOut += 1
      if cut.count < Self.exchangeLimit { cut.insert(piece.key) }
      return
    }
    pieceCount += 1
    pieces[piece.key, default: []].append(piece)
  }

  /// Without the trails of its bodies, once there are too many.
  private mutating func thinned(_ exchange: ExchangeRecord) -> ExchangeRecord {
    trailed += (exchange.request?.trailSize ?? 0) + (exchange.response?.trailSize ?? 0)
    guard trailed > Self.trailBytes, exchange.request?.trail != nil || exchange.response?.trail != nil else {
      return exchange
    }
    trailsLeftOut += 1
    var exchange = exchange
    exchange.request = exchange.request?.withoutTrail
    exchange.response = exchange.response?.withoutTrail
    return exchange
  }

  /// The run is over.
  package mutating func finish(_ summary: Summary) {
    self.summary = summary
    exchanges = told.compactMap { exchange in
      guard let connection = connections[exchange.key.connection] else { return nil }
      var compared = ComparedExchange(exchange, connection, pieces[exchange.key] ?? [])
      compared.isCut = cut.contains(exchange.key)
      return compared
    }
    told.removeAll()
    exchanges.sort {
      // Requests that were sent in one segment begin with the same packet.
      ($0.record.first.number, $0.record.key) < ($1.record.first.number, $1.record.key)
    }
    bare = connections.values.filter { !withExchanges.contains($0.number) }.sorted { $0.number < $1.number }
    connections.removeAll()
  }

  /// What is not compared, in words.
  package var limits: [String] {
    let left = [
      (exchangesLeftOut, "exchange"), (connectionsLeftOut, "connection"), (findingsLeftOut, "finding"),
      (piecesLeftOut, "chunk or message"),
    ]
    var words = left.filter { $0.0 > 0 }.map { count, what in
      "\(file): \(Wording.count(count, what, what == "chunk or message" ? "chunks or messages" : nil)) not compared"
    }
    if trailsLeftOut > 0 {
      words.append(
        "\(file): the bodies of \(Wording.count(trailsLeftOut, "exchange")) are compared by size and count only")
    }
    return words
  }

  /// Messages of a WebSocket that were taken as one for what it opened, by connection, where no exchange is known.
  package func pieces(of connection: ConnectionRecord) -> [Item] {
    pieces[ExchangeKey(connection: connection.number, number: 0)] ?? []
  }
}

extension Message {
  /// Bytes that the trail of its body takes, about.
  fileprivate var trailSize: Int {
    guard let trail else { return 0 }
    return trail.opening.count + 8 * trail.marks.count
      + MemoryLayout<MessageRecord.Milestone>.stride * trail.arrivals.count
  }

  fileprivate var withoutTrail: Message {
    var record = record
    record.trail = nil
    return Message(record)
  }
}
