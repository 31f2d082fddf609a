// Conversions that cannot trap: a value that the type cannot hold is held at the end of its range (see Arithmetic).
extension Int64 {
  @inlinable
  @inline(__always)
  package init<Source: BinaryInteger>(_ source: Source) { self.init(clamping: source) }
}

extension UInt64 {
  @inlinable
  @inline(__always)
  package init<Source: BinaryInteger>(_ source: Source) { self.init(clamping: source) }
}

extension UInt32 {
  @inlinable
  @inline(__always)
  package init<Source: BinaryInteger>(_ source: Source) { self.init(clamping: source) }
}

extension UInt16 {
  @inlinable
  @inline(__always)
  package init<Source: BinaryInteger>(_ source: Source) { self.init(clamping: source) }
}

extension UInt8 {
  @inlinable
  @inline(__always)
  package init<Source: BinaryInteger>(_ source: Source) { self.init(clamping: source) }
}

extension Int32 {
  @inlinable
  @inline(__always)
  package init<Source: BinaryInteger>(_ source: Source) { self.init(clamping: source) }
}

extension UInt {
  @inlinable
  @inline(__always)
  package init<Source: BinaryInteger>(_ source: Source) { self.init(clamping: source) }
}

extension Int {
  @inlinable
  @inline(__always)
  package init<Source: BinaryInteger>(_ source: Source) { self.init(clamping: source) }
}

extension Int64 {
  /// Of what is no number at all, zero.
  package init(_ source: Double) {
    self =
      source.isNaN
      ? 0 : source >= 0x1p63 ? .max : source < -0x1p63 ? .min : Int64(exactly: source.rounded(.towardZero)) ?? 0
  }
}

extension Int {
  package init(_ source: Double) { self.init(Int64(source)) }
}

extension UInt64 {
  package init(_ source: Double) {
    self = source.isNaN || source <= 0 ? 0 : source >= 0x1p64 ? .max : UInt64(exactly: source.rounded(.towardZero)) ?? 0
  }
}
