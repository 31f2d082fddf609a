import Citation
import HTTPSemantics

/// Undoes Base64 byte by byte, where several runs of it may follow each other, each padded by itself.
///
/// So servers of gRPC-Web write it: a run for each piece that they send. Either alphabet is read, blanks and line ends are
/// passed over, and padding that is missing is forgiven, as clients do it.
struct Base64Runs: Sendable {
  enum Answer: Hashable, Sendable {
    case byte(UInt8)
    /// More symbols are needed for the next one.
    case none
    /// No symbol of Base64, or padding where none can be.
    case invalid
  }

  /// Bits of symbols that are not in a byte yet: none, 6, 4 or 2 of them.
  private var bits: UInt8 = 0
  private var bitCount = 0
  /// How many `=` may still come.
  private var padding = 0

  /// Nothing of a next byte is there.
  var isAtEdge: Bool { bitCount != 6 && bits == 0 }

  mutating func take(_ symbol: UInt8) -> Answer {
    guard let value = Self.value(of: symbol) else { return take(other: symbol) }
    padding = 0
    guard bitCount > 0 else {
      bits = value
      bitCount = 6
      return .none
    }
    // What is left of the symbol is the beginning of the next byte.
    let left = bitCount - 2
    let byte = bits << (8 - bitCount) | value >> left
    bits = value & (1 << left - 1)
    bitCount = left
    return .byte(byte)
  }

  private mutating func take(other symbol: UInt8) -> Answer {
    switch symbol {
    case UInt8(ascii: "="):
      if bitCount == 4 || bitCount == 2 {
        padding = bitCount / 2 - 1
        bitCount = 0
        bits = 0
      } else if padding > 0 {
        padding -= 1
      } else {
        return .invalid
      }
      return .none
    case _ where symbol.isBlank || symbol == .carriageReturn || symbol == .lineFeed: return .none
    default: return .invalid
    }
  }

  private static func value(of symbol: UInt8) -> UInt8? {
    switch symbol {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): symbol - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): symbol - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): symbol - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
