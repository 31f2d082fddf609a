/// A large value that few of its owners have. It takes one word in its owner, allocates nothing until it is there, and
/// is changed in its place.
///
/// Connections and messages are held by the thousand, and most of what they may have they never have. As an optional
/// such a part would be as large when it is missing, and every change through an enum's payload would copy it.
/// As a property wrapper it reads like an optional; that copies the value, and is for records that are complete.
@propertyWrapper
@frozen
public struct Rare<Value> {
  /// At most one.
  @usableFromInline var storage: [Value]

  // Public, because what is package is not specialized in other modules: each member went through witness tables, and
  // chatty traffic took 65 % more instructions.

  @inlinable @inline(__always)
  public init() { storage = [] }

  @inlinable @inline(__always)
  public init(_ value: Value) { storage = [value] }

  @inlinable @inline(__always)
  public init(wrappedValue: Value?) { storage = wrappedValue.map { [$0] } ?? [] }

  @inlinable @inline(__always)
  public var isEmpty: Bool { storage.isEmpty }

  /// The value in its place; only asked where it is known to be there.
  @inlinable @inline(__always)
  public var value: Value {
    _read { yield storage[0] }
    _modify { yield &storage[0] }
  }

  /// A copy of the value, where it is there.
  @inlinable @inline(__always)
  public var wrappedValue: Value? {
    get { storage.first }
    set { storage = newValue.map { [$0] } ?? [] }
  }

  /// The property itself where this wraps one: to look at the value in its place.
  @inlinable @inline(__always)
  public var projectedValue: Self {
    _read { yield self }
    _modify { yield &self }
  }

  @inlinable @inline(__always)
  public var copy: Value? { storage.first }

  /// Of the value itself, without what it refers to.
  @inlinable @inline(__always)
  public var heldBytes: Int { storage.isEmpty ? 0 : MemoryLayout<Value>.stride + 48 }

  /// Makes the value where it is not there yet.
  @inlinable @inline(__always)
  public mutating func make(_ value: @autoclosure () -> Value) {
    if storage.isEmpty { storage.append(value()) }
  }

  @inlinable @inline(__always)
  public mutating func remove() { storage = [] }
}

extension Rare: Sendable where Value: Sendable {}
extension Rare: Equatable where Value: Equatable {}
