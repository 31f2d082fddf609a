import Citation

/// Numbers in decimal digits, written where they are to stand: as strings they took most of the time of a long document.
enum Digits {
  private static let pairs: StaticString = """
    0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849505152535455\
    5657585960616263646566676869707172737475767778798081828384858687888990919293949596979899
    """

  /// The last `width` digits, with zeros in front; the caller has room for them at `start`.
  @inline(__always)
  static func initialize(
    _ buffer: UnsafeMutableBufferPointer<UInt8>, at start: Int, to value: UInt64, width: Int
  ) {
    var rest = value
    var at = start + width
    while at - start >= 2 {
      let pair = Int(truncatingIfNeeded: rest % 100) * 2
      rest /= 100
      at -= 2
      buffer.initializeElement(at: at, to: pairs.utf8Start[pair])
      buffer.initializeElement(at: at + 1, to: pairs.utf8Start[pair + 1])
    }
    if at > start { buffer.initializeElement(at: start, to: UInt8(ascii: "0") | UInt8(truncatingIfNeeded: rest % 10)) }
  }

  /// As many as any number has.
  static let most = 20

  /// How many a number has; of zero, one.
  static func count(of value: UInt64) -> Int {
    // 1233 / 4096 is a little less than the logarithm of two: what the bits tell is right, or one too few.
    let estimate = ((64 &- (value | 1).leadingZeroBitCount) &* 1233) >> 12
    return value < 10 ? 1 : estimate &+ (value >= powersOfTen[estimate] ? 1 : 0)
  }
}

private let powersOfTen: [20 of UInt64] = [
  1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
  100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000, 1_000_000_000_000_000,
  10_000_000_000_000_000, 100_000_000_000_000_000, 1_000_000_000_000_000_000, 10_000_000_000_000_000_000,
]

extension [UInt8] {
  /// A number, with zeros in front if it has fewer digits than that.
  package mutating func append(digits value: UInt64, atLeast width: Int = 1) {
    let count = Swift.max(Digits.count(of: value), width)
    append(addingCapacity: count) { output in
      output.withUnsafeMutableBufferPointer { buffer, written in
        Digits.initialize(buffer, at: 0, to: value, width: count)
        written = count
      }
    }
  }

  /// `value` in units of 10^-scale, with all its places.
  mutating func append(decimal value: UInt64, scale: Int) {
    var unit: UInt64 = 1
    // Nothing is as large as 10^20.
    for _ in 0..<Swift.min(scale, 19) { unit &*= 10 }
    let whole = scale > 19 ? 0 : value / unit
    append(digits: whole)
    append(UInt8(ascii: "."))
    append(digits: value &- whole &* unit, atLeast: scale)
  }
}
