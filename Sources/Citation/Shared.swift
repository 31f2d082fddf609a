/// A value behind one reference: a copy costs a count, whatever the value's size. It is a value all the same: what is
/// changed while another holds it is copied first.
@frozen
public struct Shared<Value> {
  /// Exactly one: as a class with a variable, each access of it were checked for exclusivity.
  @usableFromInline var storage: [Value]

  // Public, for the reason that Rare is.

  @inlinable @inline(__always)
  public init(_ value: Value) { storage = [value] }

  @inlinable @inline(__always)
  public var value: Value {
    _read { yield storage[0] }
    _modify { yield &storage[0] }
  }
}

extension Shared: Sendable where Value: Sendable {}
