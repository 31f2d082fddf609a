import Citation
import Events

/// What was asked for, by method, host and path shape.
///
/// Bounded: `limit` endpoints are told apart, and of a connection's exchanges so many are remembered until its findings
/// come, which say which of them were hurt.
struct EndpointTable: Sendable {
  private static let limit = 4_096
  private static let rememberedPerConnection = 4_096

  private struct Open {
    /// The endpoint of each exchange, by its number less one.
    var endpoints: [Int32] = []
    var hurt: Set<Int> = []

    mutating func remember(_ endpoint: Int, at index: Int) {
      while endpoints.count <= index { endpoints.append(-1) }
      endpoints[index] = Int32(truncatingIfNeeded: endpoint)
    }
  }

  private var indices: [EndpointName: Int] = [:]
  private var records: [EndpointRecord] = []
  private var open: [Int: Open] = [:]
  private(set) var cut: UInt64 = 0

  mutating func add(_ exchange: ExchangeRecord, to name: EndpointName) {
    guard let at = index(of: name) else { return }
    count(exchange, at)
    remember(at, exchange.key)
  }

  /// The first half of that.
  mutating func count(_ exchange: ExchangeRecord, _ name: EndpointName) {
    if let at = index(of: name) { count(exchange, at) }
  }

  /// The other half: what its findings will be about.
  mutating func remember(_ exchange: ExchangeRecord, _ name: EndpointName) {
    if let at = index(of: name) { remember(at, exchange.key) }
  }

  private mutating func count(_ exchange: ExchangeRecord, _ at: Int) {
    records[at].exchanges += 1
    // A stream that was reset says so itself; it was not left without an answer by the end of its connection.
    if let status = exchange.statusOrNone, status > 0 || exchange.end.resetCode == nil {
      records[at].statuses.add(status)
    }
    records[at].add(exchange)
    if let gaps = exchange.response?.gaps { records[at].gaps.add(gaps) }
    if exchange.response?.isReadByItem == true, let answer = exchange.answer {
      records[at].add(exchange, answer)
    }
    let silence = exchange.silence
    if !silence.isEmpty { records[at].silence.add(silence) }
  }

  /// What went through WebSockets, to the endpoints that opened them.
  mutating func add(_ sockets: [WebSocketRecord], of connection: Int) {
    guard !sockets.isEmpty, let known = open[connection]?.endpoints else { return }
    for socket in sockets {
      guard let number = socket.opening.exchange, known.indices.contains(number - 1) else { continue }
      let at = Int(known[number - 1])
      // One whose exchange was left out leaves no figures.
      if at >= 0, records[at].exchanges > 0 { records[at].add(socket) }
    }
  }

  private mutating func index(of name: EndpointName) -> Int? {
    if let known = indices[name] { return known }
    guard records.count < Self.limit else {
      cut += 1
      return nil
    }
    indices[name] = records.count
    records.append(EndpointRecord(name))
    return records.count - 1
  }

  private mutating func remember(_ endpoint: Int, _ exchange: ExchangeKey) {
    guard 1...Self.rememberedPerConnection ~= exchange.number else { return }
    open[exchange.connection, default: Open()].remember(endpoint, at: exchange.number - 1)
  }

  /// An exchange is hurt once, however many diagnoses name it. Which of them a finding about all of an endpoint counts is
  /// not known here: they may be the same as those of other findings.
  mutating func add(_ finding: Finding) {
    guard finding.isDiagnosis else { return }
    if finding.isOfEndpoint, let at = finding.place.flatMap({ indices[$0] }) {
      records[at].hurt = max(records[at].hurt, min(finding.count, records[at].exchanges))
      return
    }
    guard let connection = finding.connection, let exchange = finding.exchange,
      let entry = open[connection], entry.endpoints.indices.contains(exchange - 1), entry.endpoints[exchange - 1] >= 0,
      open[connection]?.hurt.insert(exchange).inserted == true
    else { return }
    records[Int(entry.endpoints[exchange - 1])].hurt += 1
  }

  /// What a finding's exchange asked for; of one that names none, what all exchanges of its connection asked for.
  func place(of finding: Finding) -> EndpointName? {
    guard let connection = finding.connection, let known = open[connection]?.endpoints, let first = known.first else {
      return nil
    }
    var index = first
    if let exchange = finding.exchange {
      guard known.indices.contains(exchange - 1) else { return nil }
      index = known[exchange - 1]
    } else if known.contains(where: { $0 != first }) {
      return nil
    }
    return index >= 0 ? records[Int(index)].name : nil
  }

  /// The connection has been reported: nothing more comes of it.
  mutating func close(_ connection: Int) {
    open[connection] = nil
  }

  var worstFirst: [EndpointRecord] {
    // One that nothing came of was remembered and not counted.
    records.filter { $0.exchanges > 0 }.sorted { left, right in
      if left.hurt != right.hurt { return left.hurt > right.hurt }
      if left.exchanges != right.exchanges { return left.exchanges > right.exchanges }
      return left.name < right.name
    }
  }
}
