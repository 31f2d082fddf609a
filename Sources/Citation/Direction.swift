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
    // Lent, not copied; but a read is never inlined, for it yields in two places: it copies what is large into memory
    // that it allocates. Where a large value is read for every packet, use `read`; a change costs nothing like that.
    @inlinable @inline(__always)
    _read {
      if direction == .toServer { yield toServer } else { yield toClient }
    }
    @inlinable @inline(__always)
    _modify {
      if direction == .toServer { yield &toServer } else { yield &toClient }
    }
  }

  /// What was said of the one is said of the other.
  public mutating func turnRound() { swap(&toServer, &toClient) }

  /// What `body` makes of the value of one direction, which is looked at in its place.
  @inlinable @inline(__always)
  public func read<Result>(_ direction: Direction, _ body: (borrowing Value) -> Result) -> Result {
    if direction == .toServer { body(toServer) } else { body(toClient) }
  }
}

extension BothDirections: Sendable where Value: Sendable {}
extension BothDirections: Equatable where Value: Equatable {}
