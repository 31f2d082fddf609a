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
      offset = hold(bytes, from: 0)
      guard held == BlockBuffer.blockSize else { return }
      compress(block.span, 0)
      held = 0
    }
    while bytes.count - offset >= BlockBuffer.blockSize {
      compress(bytes, offset)
      offset += BlockBuffer.blockSize
    }
    _ = hold(bytes, from: offset)
  }

  /// Holds what still fits of `bytes` from `offset` on, and answers where what does not fit begins.
  private mutating func hold(_ bytes: Span<UInt8>, from offset: Int) -> Int {
    var offset = offset
    while held + 8 <= BlockBuffer.blockSize, offset + 8 <= bytes.count {
      let word = bytes.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
      var span = block.mutableSpan
      var room = span.mutableBytes
      room.storeBytes(of: word, toByteOffset: held, as: UInt64.self)
      held += 8
      offset += 8
    }
    while held < BlockBuffer.blockSize, offset < bytes.count {
      block[held] = bytes[offset]
      held += 1
      offset += 1
    }
    return offset
  }

  /// The end of the message: a one bit, zeros, and the length in bits.
  @inline(__always)
  mutating func pad(compress: (Span<UInt8>, Int) -> Void) {
    let bitCount = byteCount &<< 3
    block[held] = 0x80
    held += 1
    let end = BlockBuffer.blockSize - BlockBuffer.lengthSize
    if held > end {
      for index in held..<BlockBuffer.blockSize { block[index] = 0 }
      compress(block.span, 0)
      held = 0
    }
    for index in held..<end { block[index] = 0 }
    for index in 0..<BlockBuffer.lengthSize {
      block[end + index] = UInt8(truncatingIfNeeded: bitCount &>> UInt64(truncatingIfNeeded: 56 - 8 * index))
    }
    compress(block.span, 0)
    held = 0
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
