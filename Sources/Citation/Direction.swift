/// Which way bytes travel on a connection.
@frozen
public enum Direction: UInt8, Hashable, Sendable, CaseIterable {
  case toServer, toClient

  @inlinable
  public var opposite: Direction { self == .toServer ? .toClient : .toServer }
}

/// One value for each direction of a connection.
@frozen
public struct BothDirections<Value> {
  // Public, for the reason that Rare is.

  public var toServer: Value
  public var toClient: Value

  @inlinable @inline(__always)
  public init(toServer: Value, toClient: Value) {
    self.toServer = toServer
    self.toClient = toClient
  }

  @inlinable @inline(__always)
  public init(repeating value: Value) {
    self.init(toServer: value, toClient: value)
  }

  public subscript(direction: Direction) -> Value {
    // Lent, not copied: a direction's value can be large, and this is asked several times per packet. Where it is not
    // inlined, each time allocates.
    @inlinable @inline(__always)
    _read {
      if direction == .toServer { yield toServer } else { yield toClient }
    }
    @inlinable @inline(__always)
    _modify {
      if direction == .toServer { yield &toServer } else { yield &toClient }
    }
  }
}

extension BothDirections: Sendable where Value: Sendable {}
extension BothDirections: Equatable where Value: Equatable {}
