import Citation
import Events

/// Hosts that look for open ports of another host.
///
/// Bounded: so many pairs of hosts, and of each the newest attempts. When there are more pairs, all are forgotten: a scan
/// that goes on is known again after a few ports.
struct PortScans: Sendable {
  private struct Pair: Hashable {
    let client: IPAddress
    let server: IPAddress
  }

  fileprivate struct Attempt {
    let time: Timestamp
    let clientPort: UInt16
    let serverPort: UInt16
  }

  fileprivate struct Attempts {
    /// Of different ports of the server, the oldest first.
    var newest: [Attempt] = []
    /// The scan so far.
    var scan: (first: Timestamp, last: Timestamp)?
  }

  /// A client that tries so many ports of one address in so short a time looks for open ones.
  fileprivate static let ports = 16
  /// Of one port of the client, so few: a system takes another port for each connection, a scanner needs only one.
  fileprivate static let portsFromOne = 5
  fileprivate static let time: Int64 = 2_000_000_000
  private static let pairLimit = 1_024

  private var pairs: [Pair: Attempts] = [:]

  mutating func add(_ parties: FindingParties, at time: Timestamp) {
    let pair = Pair(client: parties.client.address, server: parties.server.address)
    if pairs.count == Self.pairLimit, pairs[pair] == nil { pairs.removeAll(keepingCapacity: true) }
    pairs[pair, default: Attempts()].add(
      Attempt(time: time, clientPort: parties.client.port, serverPort: parties.server.port))
  }

  /// Whether the client was scanning the server at that time.
  func covers(_ parties: FindingParties, at time: Timestamp) -> Bool {
    guard let scan = pairs[Pair(client: parties.client.address, server: parties.server.address)]?.scan else {
      return false
    }
    return time >= scan.first && time.since(scan.last) < Self.time
  }
}

extension PortScans.Attempts {
  fileprivate mutating func add(_ attempt: PortScans.Attempt) {
    newest.removeAll { $0.serverPort == attempt.serverPort || attempt.time.since($0.time) >= PortScans.time }
    if newest.count == PortScans.ports { newest.removeFirst() }
    newest.append(attempt)
    let fromOne = newest.reduce(0) { $0 + ($1.clientPort == attempt.clientPort ? 1 : 0) }
    guard newest.count == PortScans.ports || fromOne >= PortScans.portsFromOne, let first = newest.first else { return }
    // What came before this one within the time belongs to it; another scan later does not.
    if let scan, attempt.time.since(scan.last) < PortScans.time {
      self.scan = (scan.first, attempt.time)
    } else {
      scan = (first.time, attempt.time)
    }
  }
}
