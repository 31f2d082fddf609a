import Citation

/// A prefix code of DEFLATE (RFC 1951 §3.2.2), ready to be decoded.
///
/// Codes of up to nine bits, nearly all that come, are found by one look; longer ones by the number of codes of each
/// length, a bit at a time.
struct PrefixCode: Sendable {
  enum Shape {
    case complete
    /// Some bits mean nothing.
    case incomplete
    /// More codes than there are bits for.
    case oversubscribed
  }

  enum Answer {
    case symbol(Int, length: Int)
    /// The bits at hand are not enough.
    case short
    /// No code begins so.
    case none
  }

  private static let lengthLimit = 15
  private static let quickBits = 9

  /// By the next nine bits: a symbol above the four bits that say how long its code is; 0 where it is longer, or none.
  private var quick = [UInt16](repeating: 0, count: 1 << quickBits)
  /// By length, and then by their own order: the order of their codes.
  private var symbols: [UInt16] = []
  private var counts: [16 of UInt16] = .init(repeating: 0)
  /// The longest code is this long; 0 where there is none at all.
  private(set) var longest = 0

  init() {}

  /// The codes that every fixed block has (§3.2.6).
  static let fixedLiterals: PrefixCode = {
    var code = PrefixCode()
    var lengths = [UInt8](repeating: 8, count: 288)
    for symbol in 144..<256 { lengths[symbol] = 9 }
    for symbol in 256..<280 { lengths[symbol] = 7 }
    code.set(lengths[...])
    return code
  }()
  static let fixedDistances: PrefixCode = {
    var code = PrefixCode()
    code.set([UInt8](repeating: 5, count: 32)[...])
    return code
  }()

  /// Makes the code whose symbols have these lengths, none longer than fifteen; 0 is a symbol without a code.
  @discardableResult
  mutating func set(_ lengths: ArraySlice<UInt8>) -> Shape {
    counts = .init(repeating: 0)
    for length in lengths { counts[Int(length)] += 1 }
    counts[0] = 0
    longest = 0
    var left = 1
    var places: [16 of Int] = .init(repeating: 0)
    var codes: [16 of Int] = .init(repeating: 0)
    for length in 1...Self.lengthLimit {
      let many = Int(counts[length])
      if many > 0 { longest = length }
      left = left << 1 - many
      if left < 0 { return .oversubscribed }
      places[length] = places[length - 1] + Int(counts[length - 1])
      codes[length] = (codes[length - 1] + Int(counts[length - 1])) << 1
    }
    if symbols.count < lengths.count { symbols = [UInt16](repeating: 0, count: lengths.count) }
    quick.withUnsafeMutableBufferPointer { quick in
      quick.update(repeating: 0)
      symbols.withUnsafeMutableBufferPointer { symbols in
        var symbol: UInt16 = 0
        for length in lengths {
          defer { symbol += 1 }
          guard length > 0 else { continue }
          let length = Int(length)
          symbols[places[length]] = symbol
          places[length] += 1
          if length <= Self.quickBits { Self.fill(quick, codes[length], length, symbol) }
          codes[length] += 1
        }
      }
    }
    return left == 0 ? .complete : .incomplete
  }

  private static func fill(_ quick: UnsafeMutableBufferPointer<UInt16>, _ code: Int, _ length: Int, _ symbol: UInt16) {
    // Codes stand in the bytes with their first bit lowest.
    var index = Int(UInt16(truncatingIfNeeded: code).bitSwapped >> UInt16(16 - length))
    let entry = symbol << 4 | UInt16(length)
    while index < quick.count {
      quick[index] = entry
      index += 1 << length
    }
  }

  /// The symbol that `bits` begin with, of which `count` are there and the rest is zero.
  @inline(__always)
  func look(_ bits: UInt64, _ count: Int) -> Answer {
    let entry = quick[Int(truncatingIfNeeded: bits) & (1 << Self.quickBits - 1)]
    let length = Int(entry & 15)
    if entry != 0 { return length <= count ? .symbol(Int(entry >> 4), length: length) : .short }
    return lookFurther(bits, count)
  }

  private func lookFurther(_ bits: UInt64, _ count: Int) -> Answer {
    var code = 0
    var first = 0
    var index = 0
    for length in 1...max(1, longest) {
      guard length <= count else { return .short }
      code |= Int(truncatingIfNeeded: bits >> UInt64(length - 1)) & 1
      let many = Int(counts[length])
      if code - first < many { return .symbol(Int(symbols[index + code - first]), length: length) }
      index += many
      first = (first + many) << 1
      code <<= 1
    }
    return .none
  }
}

extension UInt16 {
  /// With its first bit last.
  fileprivate var bitSwapped: UInt16 {
    var bits = self
    bits = bits >> 1 & 0x5555 | (bits & 0x5555) << 1
    bits = bits >> 2 & 0x3333 | (bits & 0x3333) << 2
    bits = bits >> 4 & 0x0F0F | (bits & 0x0F0F) << 4
    return bits.byteSwapped
  }
}
