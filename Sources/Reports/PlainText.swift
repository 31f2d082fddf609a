/// Whether `bytes` are ASCII that a string of JSON holds as it is; of markup, too, where that would be escaped. Nearly
/// all keys and values are, so eight bytes are looked at at once.
func isPlainText(_ bytes: UnsafeRawBufferPointer, _ escapesMarkup: Bool) -> Bool {
  guard bytes.count >= 8 else { return isPlain(shortWord(bytes), escapesMarkup) }
  var index = 0
  while index + 8 <= bytes.count {
    guard isPlain(bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self), escapesMarkup) else { return false }
    index += 8
  }
  // The last eight: some of them were looked at before.
  return isPlain(bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self), escapesMarkup)
}

/// Fewer than eight bytes as a word, with spaces for those that are missing; a byte may stand in it twice.
@inline(__always)
private func shortWord(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
  let count = bytes.count
  if count >= 4 {
    let first = UInt64(bytes.loadUnaligned(fromByteOffset: 0, as: UInt32.self))
    return first &<< 32 | UInt64(bytes.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self))
  }
  guard count > 0 else { return 0x2020_2020_2020_2020 }
  let last = UInt64(bytes[count - 1]) &<< 16 | UInt64(bytes[count / 2]) &<< 8 | UInt64(bytes[0])
  return 0x2020_2020_2000_0000 | last
}

@inline(__always)
private func isPlain(_ word: UInt64, _ escapesMarkup: Bool) -> Bool {
  let highs: UInt64 = 0x8080_8080_8080_8080
  // Below 0x20: a borrow into the high bit, which bytes of 0x80 and more have anyway.
  var other = word | (word &- 0x2020_2020_2020_2020)
  other |= zeros(word ^ 0x7F7F_7F7F_7F7F_7F7F) | zeros(word ^ repeated("\"")) | zeros(word ^ repeated("\\"))
  if escapesMarkup {
    other |= zeros(word ^ repeated("<")) | zeros(word ^ repeated(">")) | zeros(word ^ repeated("&"))
  }
  return other & highs == 0
}

@inline(__always)
private func repeated(_ character: Unicode.Scalar) -> UInt64 {
  UInt64(truncatingIfNeeded: character.value) &* 0x0101_0101_0101_0101
}

/// A high bit in the lowest byte that is zero, and none where no byte is.
@inline(__always)
private func zeros(_ word: UInt64) -> UInt64 {
  (word &- 0x0101_0101_0101_0101) & ~word
}
