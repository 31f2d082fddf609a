import Citation
import Events

/// Totals of the connections to one server.
struct ServerFigures {
  let endpoint: Endpoint
  /// The number of the first connection, which breaks ties.
  var first: Int
  var connections: UInt64 = 0
  var hurt: UInt64 = 0
  var bytesUp: UInt64 = 0
  var bytesDown: UInt64 = 0
  var resets: UInt64 = 0
  var retransmitted: UInt64 = 0
  var roundTrips = ExponentialHistogram()

  init(endpoint: Endpoint, first: Int) {
    self.endpoint = endpoint
    self.first = first
  }

  mutating func add(_ record: ConnectionRecord) {
    first = min(first, record.number)
    connections += 1
    if record.isHurt { hurt += 1 }
    bytesUp &+= record.sides.toServer.bytes
    bytesDown &+= record.sides.toClient.bytes
    if record.end.kind == .reset { resets += 1 }
    retransmitted &+= record.sides.toServer.retransmittedBytes &+ record.sides.toClient.retransmittedBytes
    if let total = record.roundTrip.total { roundTrips.add(total) }
  }
}

/// Figures per server, for as many as a table could ever show the worst of.
struct ServerTable {
  /// Beyond it servers are only counted.
  private static let limit = 4_096
  private var servers: [ServerFigures] = []
  private var places: [Endpoint: Int] = [:]
  private var further: UInt64 = 0

  var count: Int { servers.count + Int(clamping: further) }

  mutating func add(_ record: ConnectionRecord) {
    if let place = places[record.server] { return servers[place].add(record) }
    guard servers.count < Self.limit else {
      further += 1
      return
    }
    places[record.server] = servers.count
    servers.append(ServerFigures(endpoint: record.server, first: record.number))
    servers[servers.count - 1].add(record)
  }

  /// Those with the most affected connections first, then the busiest.
  var worstFirst: [ServerFigures] {
    servers.sorted { left, right in
      if left.hurt != right.hurt { return left.hurt > right.hurt }
      if left.connections != right.connections { return left.connections > right.connections }
      return left.first < right.first
    }
  }
}
