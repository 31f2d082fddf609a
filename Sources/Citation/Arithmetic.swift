/// Arithmetic that cannot trap, for every file that imports this module.
///
/// A capture may claim any time and any length. In this package `Int64` is the type of times and durations, and `UInt64`
/// that of lengths, offsets and counts; what is read from narrower fields of the wire is `UInt32`, `UInt16` or `UInt8`.
/// Their operators here take the place of the standard library's, whose overflow ends the process: a result beyond the
/// range is held at its end, and so is a value that another type cannot hold. `Int` counts what is in memory; its
/// operators are the standard library's, and a 64-bit number of the wire becomes one only by a conversion that is held.
///
/// Swift prefers a member of another module to the same one of its standard library where the file imports that module.
/// So every file that counts or measures imports Citation; `.ci/arithmetic` fails where one does not.
extension Int64 {
  @inlinable
  @inline(__always)
  package static func + (left: Int64, right: Int64) -> Int64 {
    let (sum, overflow) = left.addingReportingOverflow(right)
    return overflow ? (right < 0 ? .min : .max) : sum
  }

  @inlinable
  @inline(__always)
  package static func - (left: Int64, right: Int64) -> Int64 {
    let (difference, overflow) = left.subtractingReportingOverflow(right)
    return overflow ? (right < 0 ? .max : .min) : difference
  }

  @inlinable
  @inline(__always)
  package static func * (left: Int64, right: Int64) -> Int64 {
    let (product, overflow) = left.multipliedReportingOverflow(by: right)
    return overflow ? ((left < 0) == (right < 0) ? .max : .min) : product
  }

  @inlinable
  @inline(__always)
  package static func / (left: Int64, right: Int64) -> Int64 {
    let (quotient, overflow) = left.dividedReportingOverflow(by: right)
    return overflow && right != 0 ? .max : right == 0 ? 0 : quotient
  }

  @inlinable
  @inline(__always)
  package static prefix func - (value: Int64) -> Int64 { 0 - value }

  @inlinable
  @inline(__always)
  package static func += (left: inout Int64, right: Int64) { left = left + right }

  @inlinable
  @inline(__always)
  package static func -= (left: inout Int64, right: Int64) { left = left - right }

  @inlinable
  @inline(__always)
  package static func *= (left: inout Int64, right: Int64) { left = left * right }

  @inlinable
  @inline(__always)
  package static func /= (left: inout Int64, right: Int64) { left = left / right }
}

extension UInt64 {
  @inlinable
  @inline(__always)
  package static func + (left: UInt64, right: UInt64) -> UInt64 {
    let (sum, overflow) = left.addingReportingOverflow(right)
    return overflow ? .max : sum
  }

  @inlinable
  @inline(__always)
  package static func - (left: UInt64, right: UInt64) -> UInt64 { left < right ? 0 : left &- right }

  @inlinable
  @inline(__always)
  package static func * (left: UInt64, right: UInt64) -> UInt64 {
    let (product, overflow) = left.multipliedReportingOverflow(by: right)
    return overflow ? .max : product
  }

  @inlinable
  @inline(__always)
  package static func / (left: UInt64, right: UInt64) -> UInt64 {
    right == 0 ? 0 : left.dividedReportingOverflow(by: right).partialValue
  }

  @inlinable
  @inline(__always)
  package static func += (left: inout UInt64, right: UInt64) { left = left + right }

  @inlinable
  @inline(__always)
  package static func -= (left: inout UInt64, right: UInt64) { left = left - right }

  @inlinable
  @inline(__always)
  package static func *= (left: inout UInt64, right: UInt64) { left = left * right }

  @inlinable
  @inline(__always)
  package static func /= (left: inout UInt64, right: UInt64) { left = left / right }
}

extension UInt32 {
  @inlinable
  @inline(__always)
  package static func + (left: UInt32, right: UInt32) -> UInt32 {
    let (sum, overflow) = left.addingReportingOverflow(right)
    return overflow ? .max : sum
  }

  @inlinable
  @inline(__always)
  package static func - (left: UInt32, right: UInt32) -> UInt32 { left < right ? 0 : left &- right }

  @inlinable
  @inline(__always)
  package static func * (left: UInt32, right: UInt32) -> UInt32 {
    let (product, overflow) = left.multipliedReportingOverflow(by: right)
    return overflow ? .max : product
  }

  @inlinable
  @inline(__always)
  package static func / (left: UInt32, right: UInt32) -> UInt32 {
    right == 0 ? 0 : left.dividedReportingOverflow(by: right).partialValue
  }

  @inlinable
  @inline(__always)
  package static func += (left: inout UInt32, right: UInt32) { left = left + right }

  @inlinable
  @inline(__always)
  package static func -= (left: inout UInt32, right: UInt32) { left = left - right }

  @inlinable
  @inline(__always)
  package static func *= (left: inout UInt32, right: UInt32) { left = left * right }

  @inlinable
  @inline(__always)
  package static func /= (left: inout UInt32, right: UInt32) { left = left / right }
}

extension UInt16 {
  @inlinable
  @inline(__always)
  package static func + (left: UInt16, right: UInt16) -> UInt16 {
    let (sum, overflow) = left.addingReportingOverflow(right)
    return overflow ? .max : sum
  }

  @inlinable
  @inline(__always)
  package static func - (left: UInt16, right: UInt16) -> UInt16 { left < right ? 0 : left &- right }

  @inlinable
  @inline(__always)
  package static func * (left: UInt16, right: UInt16) -> UInt16 {
    let (product, overflow) = left.multipliedReportingOverflow(by: right)
    return overflow ? .max : product
  }

  @inlinable
  @inline(__always)
  package static func / (left: UInt16, right: UInt16) -> UInt16 {
    right == 0 ? 0 : left.dividedReportingOverflow(by: right).partialValue
  }

  @inlinable
  @inline(__always)
  package static func += (left: inout UInt16, right: UInt16) { left = left + right }

  @inlinable
  @inline(__always)
  package static func -= (left: inout UInt16, right: UInt16) { left = left - right }

  @inlinable
  @inline(__always)
  package static func *= (left: inout UInt16, right: UInt16) { left = left * right }

  @inlinable
  @inline(__always)
  package static func /= (left: inout UInt16, right: UInt16) { left = left / right }
}

extension UInt8 {
  @inlinable
  @inline(__always)
  package static func + (left: UInt8, right: UInt8) -> UInt8 {
    let (sum, overflow) = left.addingReportingOverflow(right)
    return overflow ? .max : sum
  }

  @inlinable
  @inline(__always)
  package static func - (left: UInt8, right: UInt8) -> UInt8 { left < right ? 0 : left &- right }

  @inlinable
  @inline(__always)
  package static func * (left: UInt8, right: UInt8) -> UInt8 {
    let (product, overflow) = left.multipliedReportingOverflow(by: right)
    return overflow ? .max : product
  }

  @inlinable
  @inline(__always)
  package static func / (left: UInt8, right: UInt8) -> UInt8 {
    right == 0 ? 0 : left.dividedReportingOverflow(by: right).partialValue
  }

  @inlinable
  @inline(__always)
  package static func += (left: inout UInt8, right: UInt8) { left = left + right }

  @inlinable
  @inline(__always)
  package static func -= (left: inout UInt8, right: UInt8) { left = left - right }

  @inlinable
  @inline(__always)
  package static func *= (left: inout UInt8, right: UInt8) { left = left * right }

  @inlinable
  @inline(__always)
  package static func /= (left: inout UInt8, right: UInt8) { left = left / right }
}
