/// A point on the capture's clock, in nanoseconds since the Unix epoch.
///
/// One integer type everywhere: a time becomes text only in a reporter. Arithmetic saturates, because a capture file may
/// claim any time at all: it neither traps nor turns a wait of centuries into a negative one.
package struct Timestamp: Hashable, Comparable, Sendable {
  package var nanoseconds: Int64

  @inline(__always)
  package init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  package static let zero = Timestamp(nanoseconds: 0)
  package static let distantFuture = Timestamp(nanoseconds: .max)

  @inline(__always)
  package static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  // What the compiler would write itself, here and in other types of the packet path: in other modules that is called
  // through a table.

  @inline(__always)
  package static func == (left: Timestamp, right: Timestamp) -> Bool { left.nanoseconds == right.nanoseconds }
  package static func != (left: Timestamp, right: Timestamp) -> Bool { !(left == right) }

  @inline(__always)
  package static func <= (left: Timestamp, right: Timestamp) -> Bool { left.nanoseconds <= right.nanoseconds }

  /// Nanoseconds from `earlier` to this time. Every difference has an opposite: the range ends at `-Int64.max`.
  @inlinable @inline(__always)
  package func since(_ earlier: Timestamp) -> Int64 {
    let (difference, overflow) = nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
    if overflow { return nanoseconds < 0 ? -.max : .max }
    return max(difference, -.max)
  }

  /// Nanoseconds between two times, whichever is earlier.
  package func apart(from other: Timestamp) -> Int64 { nanoseconds.apart(from: other.nanoseconds) }

  /// This time moved by `delta` nanoseconds, held at the ends of the range.
  package func advanced(by delta: Int64) -> Timestamp {
    let (sum, overflow) = nanoseconds.addingReportingOverflow(delta)
    guard overflow else { return Timestamp(nanoseconds: sum) }
    return Timestamp(nanoseconds: delta > 0 ? .max : .min)
  }
}

extension Int64 {
  /// How far two times or durations lie apart, held at the end of the range.
  package func apart(from other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? .max : Int64(clamping: difference.magnitude)
  }

  /// A duration so many times over, held at the ends of the range.
  package func saturatingMultiplied(by factor: Int64) -> Int64 {
    let (product, overflow) = multipliedReportingOverflow(by: factor)
    guard overflow else { return product }
    return (self < 0) == (factor < 0) ? .max : -.max
  }
}
