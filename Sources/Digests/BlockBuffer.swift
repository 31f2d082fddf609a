/// The bytes that wait for their block to fill, for a hash of 64-byte blocks with a 64-bit length at the end.
struct BlockBuffer: Sendable {
  static let blockSize = 64
  private static let lengthSize = 8

  private(set) var block = [64 of UInt8](repeating: 0)
  /// Invariant: below `blockSize` whenever a method returns; a full block is handed over at once.
  private(set) var held = 0
  /// All bytes so far. The padding counts bits modulo 2^64, so wrapping is what the standard asks for.
  private var byteCount: UInt64 = 0

  /// Splits `bytes` into blocks; `compress` gets a span and the offsets at which full blocks begin in it.
  @inline(__always)
  mutating func append(_ bytes: Span<UInt8>, compress: (Span<UInt8>, Int) -> Void) {
    byteCount &+= UInt64(truncatingIfNeeded: bytes.count)
    var offset = 0
    if held > 0 {
      while held < BlockBuffer.blockSize, offset < bytes.count {
        block[held] = bytes[offset]
        held += 1
        offset += 1
      }
      guard held == BlockBuffer.blockSize else { return }
      compress(block.span, 0)
      held = 0
    }
    while bytes.count - offset >= BlockBuffer.blockSize {
      compress(bytes, offset)
      offset += BlockBuffer.blockSize
    }
    while offset < bytes.count {
      block[held] = bytes[offset]
      held += 1
      offset += 1
    }
  }

  /// The end of the message: a one bit, zeros, and the length in bits.
  mutating func pad(compress: (Span<UInt8>, Int) -> Void) {
    let bitCount = byteCount &<< 3
    append([0x80].span, compress: compress)
    let end = BlockBuffer.blockSize - BlockBuffer.lengthSize
    let zeros = (held <= end ? end : end + BlockBuffer.blockSize) - held
    append([UInt8](repeating: 0, count: zeros).span, compress: compress)
    append(bigEndian(bitCount).span, compress: compress)
  }
}

/// A checked load in spite of its name: "unsafe" are types whose bits can be invalid, and an integer has none.
@inline(__always)
func bigEndianWord(_ bytes: Span<UInt8>, at offset: Int) -> UInt32 {
  bytes.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self).bigEndian
}

func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
  stride(from: value.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> $0) }
}
