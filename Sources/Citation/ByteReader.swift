/// Big- and little-endian reads that answer nil past the end instead of trapping.
///
/// The one place where an offset from the wire meets memory: layers check a length once with `has` and then read, or
/// take the optional.
package struct ByteReader: ~Escapable {
  package let bytes: Span<UInt8>

  @inline(__always)
  @_lifetime(copy bytes)
  package init(_ bytes: Span<UInt8>) {
    self.bytes = bytes
  }

  @inline(__always)
  package var count: Int { bytes.count }

  /// Whether `length` bytes stand at `offset`; no sum of untrusted numbers can overflow it.
  @inline(__always)
  package func has(_ length: Int, at offset: Int) -> Bool {
    offset >= 0 && length >= 0 && offset <= bytes.count && length <= bytes.count - offset
  }

  @inline(__always)
  package func u8(_ offset: Int) -> UInt8? {
    has(1, at: offset) ? bytes[offset] : nil
  }

  @inline(__always)
  package func u16(_ offset: Int) -> UInt16? {
    guard has(2, at: offset) else { return nil }
    return UInt16(bytes[offset]) << 8 | UInt16(bytes[offset + 1])
  }

  @inline(__always)
  package func u32(_ offset: Int) -> UInt32? {
    guard has(4, at: offset) else { return nil }
    return UInt32(bytes[offset]) << 24 | UInt32(bytes[offset + 1]) << 16 | UInt32(bytes[offset + 2]) << 8
      | UInt32(bytes[offset + 3])
  }

  @inline(__always)
  package func u64(_ offset: Int) -> UInt64? {
    guard let high = u32(offset), let low = u32(offset + 4) else { return nil }
    return UInt64(high) << 32 | UInt64(low)
  }

  @inline(__always)
  package func u16LittleEndian(_ offset: Int) -> UInt16? { u16(offset)?.byteSwapped }

  @inline(__always)
  package func u32LittleEndian(_ offset: Int) -> UInt32? { u32(offset)?.byteSwapped }
}
