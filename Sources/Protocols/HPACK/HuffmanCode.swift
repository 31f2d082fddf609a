import Citation

/// The code of strings (RFC 7541 §5.2 and appendix B).
///
/// The code is canonical: codes of one length follow each other in the order of their symbols, and shorter ones come
/// first. So the lengths alone say everything. Codes of up to ten bits are looked up; the rest, which are control
/// characters and bytes beyond ASCII, are found by comparing with the last code of each length.
struct HuffmanCode: Sendable {
  static let shared = HuffmanCode()

  enum Failure { case end, padding }

  private static let direct = 10
  private static let longest = 30

  /// By the next ten bits: symbol, and above it the length; 0 where the code is longer.
  private var table: [UInt16]
  /// All symbols in the order of their codes.
  private var symbols: [UInt16] = []
  /// For each length: one past its last code, and its first one, at the upper end of 32 bits; where its symbols begin.
  private var bounds: [UInt64] = []
  private var firsts: [UInt64] = []
  private var starts: [Int] = []

  private init() {
    table = [UInt16](repeating: 0, count: 1 << Self.direct)
    var code: UInt64 = 0
    for length in 0...Self.longest {
      code <<= 1
      starts.append(symbols.count)
      firsts.append(code << UInt64(32 - length))
      for symbol in 0...256 where length > 0 && Self.lengths[symbol] == length {
        if length <= Self.direct {
          let first = Int(code) << (Self.direct - length)
          for index in first..<first + 1 << (Self.direct - length) {
            table[index] = UInt16(length) << 8 | UInt16(symbol)
          }
        }
        symbols.append(UInt16(symbol))
        code += 1
      }
      bounds.append(code << UInt64(32 - length))
    }
  }

  /// Appends what the bytes encode. What came before a failure is appended, too.
  func decode(_ bytes: Span<UInt8>, into output: inout [UInt8]) -> Failure? {
    let table = table.span
    var bits: UInt64 = 0
    var count = 0
    var position = 0
    while true {
      while count <= 56, position < bytes.count {
        bits |= UInt64(bytes[position]) << UInt64(56 - count)
        count += 8
        position += 1
      }
      guard count > 0 else { return nil }
      // Behind the end there are ones, as in the padding.
      let padded = count >= 32 ? bits : bits | ~0 >> UInt64(count)
      let entry = table[Int(padded >> UInt64(64 - Self.direct))]
      var length = Int(entry >> 8)
      var symbol = entry & 0xFF
      if length == 0 { (symbol, length) = long(padded >> 32) }
      guard length <= count else { return count < 8 && padded == ~0 ? nil : .padding }
      guard symbol < 256 else { return .end }
      output.append(UInt8(truncatingIfNeeded: symbol))
      bits <<= UInt64(length)
      count -= length
    }
  }

  /// The symbol of more than ten bits that begins these 32.
  @inline(never)
  private func long(_ bits: UInt64) -> (symbol: UInt16, length: Int) {
    var length = Self.direct + 1
    while length < Self.longest, bits >= bounds[length] { length += 1 }
    let index = starts[length] + Int((bits - min(bits, firsts[length])) >> UInt64(32 - length))
    return (symbols[min(index, symbols.count - 1)], length)
  }

  /// In bits, of the symbols 0 to 255 and of the end.
  private static let lengths: [UInt8] = [
    13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28,
    28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28,
    6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6,
    5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10,
    13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
    7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6,
    15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5,
    6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28,
    20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23,
    24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24,
    22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23,
    21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23,
    26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25,
    19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27,
    20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23,
    26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26,
    30,
  ]
}
