/// Blocks of DEFLATE by hand, with the fixed codes of RFC 1951 §3.2.6: for references that no compressor makes.
struct DeflateWriter {
  private(set) var bytes: [UInt8] = []
  private var used = 8

  /// A message of one block, its last four bytes left out.
  static func message(_ body: (inout DeflateWriter) -> Void) -> [UInt8] {
    var writer = DeflateWriter()
    writer.beginBlock()
    body(&writer)
    writer.endBlock()
    // The block that flushes: its header stays, and its length and check are what is left out.
    writer.write(0, 3)
    return writer.bytes
  }

  mutating func beginBlock(isFinal: Bool = false) {
    write(isFinal ? 1 : 0, 1)
    write(1, 2)
  }

  mutating func endBlock() { code(0, 7) }

  mutating func text(_ text: [UInt8]) {
    for byte in text {
      if byte < 144 { code(0x30 + Int(byte), 8) } else { code(0x190 + Int(byte) - 144, 9) }
    }
  }

  /// Three bytes that stand so far back.
  mutating func three(back distance: Int) {
    code(1, 7)
    var symbol = 0
    var base = 1
    while symbol < 29, base + 1 << max(0, symbol / 2 - 1) <= distance {
      base += 1 << max(0, symbol / 2 - 1)
      symbol += 1
    }
    code(symbol, 5)
    write(distance - base, max(0, symbol / 2 - 1))
  }

  /// A code, whose first bit is its highest.
  private mutating func code(_ value: Int, _ count: Int) {
    for bit in (0..<count).reversed() { write(value >> bit & 1, 1) }
  }

  /// A number, whose first bit is its lowest.
  private mutating func write(_ value: Int, _ count: Int) {
    for bit in 0..<count {
      if used == 8 {
        bytes.append(0)
        used = 0
      }
      if value >> bit & 1 != 0 { bytes[bytes.count - 1] |= 1 << used }
      used += 1
    }
  }
}
