/// Reads fields in the byte order given by the file header.
///
/// Offsets are checked by the caller; an offset past the end traps in `RawSpan` instead of reading beyond memory.
struct ByteOrder: Hashable, Sendable {
  static let little = ByteOrder(isBig: false)
  static let big = ByteOrder(isBig: true)

  let isBig: Bool

  @inline(__always)
  func u16(_ bytes: RawSpan, _ offset: Int) -> UInt16 {
    let value = UInt16(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self))
    return isBig ? value.byteSwapped : value
  }

  @inline(__always)
  func u32(_ bytes: RawSpan, _ offset: Int) -> UInt32 {
    let value = UInt32(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
    return isBig ? value.byteSwapped : value
  }

  @inline(__always)
  func u64(_ bytes: RawSpan, _ offset: Int) -> UInt64 {
    let value = UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
    return isBig ? value.byteSwapped : value
  }
}
