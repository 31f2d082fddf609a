import Citation
import WebSocketSemantics

/// Appends payload bytes with their mask undone (RFC 6455 §5.3). `payloadOffset` is the place of the first one in the
/// payload of its frame; `key` is that of `Frame.maskKey`, and 0 changes nothing.
package func unmask(_ bytes: Span<UInt8>, key: UInt32, at payloadOffset: UInt64, into plain: inout [UInt8]) {
  let start = plain.count
  bytes.withUnsafeBufferPointer { plain.append(contentsOf: $0) }
  guard key != 0 else { return }
  // The payload's first byte meets the key's highest. Turned to the byte that these begin with, and laid into memory in
  // that order, the key fits every word.
  let turn = (payloadOffset & 3) * 8
  let twice = UInt64(key) << 32 | UInt64(key)
  let word = (twice << turn | twice >> (64 - turn)).bigEndian
  plain.withUnsafeMutableBytes { memory in
    let end = memory.count
    var index = start
    while end - index >= 8 {
      let masked = memory.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      memory.storeBytes(of: masked ^ word, toByteOffset: index, as: UInt64.self)
      index += 8
    }
    var rest = word.littleEndian
    while index < end {
      memory[index] ^= UInt8(truncatingIfNeeded: rest)
      rest >>= 8
      index += 1
    }
  }
}

/// Whether the payload of a frame, from its first byte on, is ASCII once its mask is undone. Nearly all text is, and nothing
/// has to be written to see it.
package func isASCII(masked payload: Span<UInt8>, key: UInt32) -> Bool {
  let word = (UInt64(key) << 32 | UInt64(key)).bigEndian
  return payload.withUnsafeBytes { memory in
    var seen: UInt64 = 0
    var index = 0
    while memory.count - index >= 8 {
      seen |= memory.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ word
      index += 8
    }
    var rest = word.littleEndian
    while index < memory.count {
      seen |= UInt64(memory[index] ^ UInt8(truncatingIfNeeded: rest))
      rest >>= 8
      index += 1
    }
    return seen & 0x8080_8080_8080_8080 == 0
  }
}
