import Citation
import Events

/// Connections without exchanges, such as TLS that nobody could read: matched by their ends and, where those differ, by
/// the server's and in order.
struct BareConnections {
  private(set) var pairs: [ComparedConnection] = []
  private(set) var unmatched = BothSides<[ConnectionRecord]>(a: [], b: [])

  init(_ a: [ConnectionRecord], _ b: [ConnectionRecord]) {
    unmatched = BothSides(a: a, b: b)
    match { "\($0.client) \($0.server)" }
    match { "\($0.tls?.serverName ?? "") \($0.server)" }
    match { "\($0.server)" }
    match { $0.tls?.serverName.map { "\($0)" } }
    pairs.sort { $0.a.number < $1.a.number }
  }

  private mutating func match(_ key: (ConnectionRecord) -> String?) {
    var others: [String: [ConnectionRecord]] = [:]
    for connection in unmatched.b.reversed() {
      if let key = key(connection) { others[key, default: []].append(connection) }
    }
    var left: [ConnectionRecord] = []
    var taken: Set<Int> = []
    for connection in unmatched.a {
      guard let key = key(connection), let other = others[key]?.popLast() else {
        left.append(connection)
        continue
      }
      taken.insert(other.number)
      pairs.append(
        ComparedConnection(
          connection, other,
          ConnectionDifferences(connection, other, comparesBytes: connection.hasSameEnds(as: other)).found))
    }
    unmatched.a = left
    unmatched.b.removeAll { taken.contains($0.number) }
  }
}

extension ConnectionRecord {
  func hasSameEnds(as other: ConnectionRecord) -> Bool { client == other.client && server == other.server }
}
