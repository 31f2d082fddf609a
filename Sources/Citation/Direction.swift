/// Which way bytes travel on a connection.
@frozen
public enum Direction: UInt8, Hashable, Sendable, CaseIterable {
  case toServer, toClient

  @inlinable
  public var opposite: Direction { self == .toServer ? .toClient : .toServer }
}

/// One value for each direction of a connection.
///
/// In an inline array, so that either is reached by its address: an access that yields in two places is a coroutine that
/// is never inlined, and allocates a frame. Two per packet were a fortieth of a run.
@frozen
public struct BothDirections<Value> {
  // Public, for the reason that Rare is.

  @usableFromInline var values: InlineArray<2, Value>

  @inlinable @inline(__always)
  public init(toServer: Value, toClient: Value) {
    values = [toServer, toClient]
  }

  @inlinable @inline(__always)
  public init(repeating value: Value) {
    values = InlineArray(repeating: value)
  }

  @inlinable @inline(__always)
  public var toServer: Value {
    _read { yield values[0] }
    _modify { yield &values[0] }
  }

  @inlinable @inline(__always)
  public var toClient: Value {
    _read { yield values[1] }
    _modify { yield &values[1] }
  }

  @inlinable @inline(__always)
  public subscript(direction: Direction) -> Value {
    _read { yield values[Int(direction.rawValue & 1)] }
    _modify { yield &values[Int(direction.rawValue & 1)] }
  }

  /// What was said of the one is said of the other.
  public mutating func turnRound() { values.swapAt(0, 1) }

  /// Changes both values, the one of a direction first.
  @inlinable @inline(__always)
  public mutating func change<Result>(from first: Direction, _ body: (inout Value, inout Value) -> Result) -> Result {
    let index = Int(first.rawValue & 1)
    var span = values.mutableSpan
    return span.withUnsafeMutableBufferPointer { body(&$0[index], &$0[1 - index]) }
  }

  /// What `body` makes of the value of one direction, in its place. Mutating, because whatever reads a value by direction
  /// without it copies both: the place is only known when it is asked.
  @inlinable @inline(__always)
  public mutating func ask<Result>(_ direction: Direction, _ body: (inout Value) -> Result) -> Result {
    let index = Int(direction.rawValue & 1)
    var span = values.mutableSpan
    return span.withUnsafeMutableBufferPointer { body(&$0[index]) }
  }

  /// The same of what cannot be changed: rarely, or where the values are small.
  @inlinable @inline(__always)
  public func read<Result>(_ direction: Direction, _ body: (borrowing Value) -> Result) -> Result {
    body(values[Int(direction.rawValue & 1)])
  }
}

extension BothDirections: Sendable where Value: Sendable {}

extension BothDirections: Equatable where Value: Equatable {
  @inlinable
  public static func == (left: Self, right: Self) -> Bool {
    left.toServer == right.toServer && left.toClient == right.toClient
  }
}
