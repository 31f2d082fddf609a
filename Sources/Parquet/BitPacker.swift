/// Values of some bits each, the first in the lowest bits: what levels, places in dictionaries and differences are made of.
struct BitPacker {
  private(set) var bytes: [UInt8] = []
  private var held: UInt64 = 0
  private var heldBits = 0

  /// The lowest `width` bits, 64 at most.
  mutating func append(_ value: UInt64, width: Int) {
    guard width > 0 else { return }
    var value = width == 64 ? value : value & (1 << UInt64(width) &- 1)
    var left = width
    while left > 0 {
      held |= value << UInt64(heldBits)
      let taken = min(left, 64 - heldBits)
      heldBits += taken
      left -= taken
      value = taken == 64 ? 0 : value >> UInt64(taken)
      while heldBits >= 8 {
        bytes.append(UInt8(truncatingIfNeeded: held))
        held >>= 8
        heldBits -= 8
      }
    }
  }

  /// Fills the last byte with zeros.
  mutating func finish() -> [UInt8] {
    if heldBits > 0 {
      bytes.append(UInt8(truncatingIfNeeded: held))
      held = 0
      heldBits = 0
    }
    defer { bytes.removeAll() }
    return bytes
  }

  /// Bits that hold every value up to this one.
  static func width(of largest: UInt64) -> Int { 64 - largest.leadingZeroBitCount }
}

extension [UInt8] {
  /// An unsigned number, seven bits a byte, the lowest first.
  mutating func appendVariable(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  /// A signed number, so that small ones of either sign are short.
  mutating func appendZigzag(_ value: Int64) {
    appendVariable(UInt64(bitPattern: value << 1 ^ value >> 63))
  }

  mutating func appendLittle(_ value: some FixedWidthInteger) {
    var value = value.littleEndian
    Swift.withUnsafeBytes(of: &value) { append(contentsOf: $0) }
  }
}
