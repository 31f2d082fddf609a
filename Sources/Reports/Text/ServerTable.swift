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
}

/// Figures per server, for as many as a table could ever show the worst of.
struct ServerTable {
  /// Beyond it servers are only counted.
  private static let limit = 4_096
  private var servers: [Endpoint: ServerFigures] = [:]
  private var further: UInt64 = 0

  var count: Int { servers.count + Int(clamping: further) }

  mutating func add(_ record: ConnectionRecord) {
    guard servers[record.server] != nil || servers.count < Self.limit else {
      further += 1
      return
    }
    var figures = servers[record.server] ?? ServerFigures(endpoint: record.server, first: record.number)
    figures.first = min(figures.first, record.number)
    figures.connections += 1
    if record.isHurt { figures.hurt += 1 }
    figures.bytesUp &+= record.sides.toServer.bytes
    figures.bytesDown &+= record.sides.toClient.bytes
    if record.end.kind == .reset { figures.resets += 1 }
    figures.retransmitted &+= record.sides.toServer.retransmittedBytes &+ record.sides.toClient.retransmittedBytes
    if let total = record.roundTrip.total { figures.roundTrips.add(total) }
    servers[record.server] = figures
  }

  /// Those with the most affected connections first, then the busiest.
  var worstFirst: [ServerFigures] {
    servers.values.sorted { left, right in
      if left.hurt != right.hurt { return left.hurt > right.hurt }
      if left.connections != right.connections { return left.connections > right.connections }
      return left.first < right.first
    }
  }
}
