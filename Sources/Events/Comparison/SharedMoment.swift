import Citation

/// A packet that two captures show.
package struct SharedMoment: Sendable {
  /// Its hosts, in the order of their addresses.
  package struct Hosts: Hashable, Sendable {
    package var lower: IPAddress
    package var upper: IPAddress

    package init(lower: IPAddress, upper: IPAddress) {
      self.lower = lower
      self.upper = upper
    }
  }

  package var hosts: Hosts
  package var sentByLower: Bool
  package var a: Timestamp
  package var b: Timestamp

  package init(_ hosts: Hosts, sentByLower: Bool, a: Timestamp, b: Timestamp) {
    self.hosts = hosts
    self.sentByLower = sentByLower
    self.a = a
    self.b = b
  }
}
