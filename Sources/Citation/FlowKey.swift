/// A connection's two endpoints, the same value for packets of either direction.
///
/// Invariant: `lower` is not after `upper` in the order (address, port).
package struct FlowKey: Hashable, Sendable {
  package let lower: Endpoint
  package let upper: Endpoint

  /// The key, and whether `source` is its lower endpoint.
  @inline(__always)
  package static func of(source: Endpoint, destination: Endpoint) -> (key: FlowKey, sourceIsLower: Bool) {
    let lower = FlowKey.ordered(source, destination)
    return (FlowKey(lower: lower ? source : destination, upper: lower ? destination : source), lower)
  }

  /// Written out, because the synthesised one is a call through a table from another module.
  @inline(__always)
  package static func == (left: FlowKey, right: FlowKey) -> Bool {
    left.lower.address.low == right.lower.address.low && left.upper.address.low == right.upper.address.low
      && left.lower.port == right.lower.port && left.upper.port == right.upper.port
      && left.lower.address.high == right.lower.address.high && left.upper.address.high == right.upper.address.high
  }
  package static func != (left: FlowKey, right: FlowKey) -> Bool { !(left == right) }

  @inline(__always)
  private init(lower: Endpoint, upper: Endpoint) {
    self.lower = lower
    self.upper = upper
  }

  @inline(__always)
  private static func ordered(_ a: Endpoint, _ b: Endpoint) -> Bool {
    if a.address.high != b.address.high { return a.address.high < b.address.high }
    if a.address.low != b.address.low { return a.address.low < b.address.low }
    return a.port <= b.port
  }

  /// A direction-blind hash. With a secret seed nobody can craft flows that collide; with a fixed one it is the same in
  /// every run, which is what choosing a lane needs. Two rounds of folded 64 × 64 → 128 bit multiplication.
  @inline(__always)
  package func hash(seed: UInt64) -> UInt64 {
    let ports = UInt64(lower.port) << 16 | UInt64(upper.port)
    let a = FlowKey.fold(lower.address.low ^ seed, upper.address.low ^ 0xA076_1D64_78BD_642F)
    let b = FlowKey.fold(lower.address.high ^ 0xE703_7ED1_A0B4_28DB, upper.address.high ^ (seed &+ ports))
    return FlowKey.fold(a ^ ports ^ 0x8EBC_6AF0_9C88_C6E3, b ^ seed)
  }

  @inline(__always)
  private static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = a.multipliedFullWidth(by: b)
    return product.high ^ product.low
  }
}

/// A connection's name inside the program: the number of its first packet.
///
/// A packet belongs to one connection only, so the number is unique, the same in every run, and sorts as people count
/// connections. The small number that people see is the rank of this one.
package struct FlowID: Hashable, Comparable, Sendable {
  package var firstPacket: UInt64

  package init(firstPacket: UInt64) {
    self.firstPacket = firstPacket
  }

  @inline(__always)
  package static func == (left: FlowID, right: FlowID) -> Bool { left.firstPacket == right.firstPacket }
  package static func != (left: FlowID, right: FlowID) -> Bool { !(left == right) }

  @inline(__always)
  package static func < (left: FlowID, right: FlowID) -> Bool { left.firstPacket < right.firstPacket }
}
