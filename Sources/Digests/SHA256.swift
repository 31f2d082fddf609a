/// SHA-256, FIPS 180-4 §6.2.
package struct SHA256: Sendable {
  package static let byteCount = 32

  private var state = SHA256State()
  private var buffer = BlockBuffer()

  package init() {}

  package mutating func update(_ bytes: Span<UInt8>) {
    buffer.append(bytes) { state.compress($0, at: $1) }
  }

  /// The digest of all bytes so far. More may follow: the value itself is not changed.
  package func finish() -> [UInt8] {
    let words = padded
    var digest: [UInt8] = []
    digest.reserveCapacity(SHA256.byteCount)
    for index in words.indices {
      digest.append(UInt8(truncatingIfNeeded: words[index] &>> 24))
      digest.append(UInt8(truncatingIfNeeded: words[index] &>> 16))
      digest.append(UInt8(truncatingIfNeeded: words[index] &>> 8))
      digest.append(UInt8(truncatingIfNeeded: words[index]))
    }
    return digest
  }

  /// Its first eight bytes as a number, where a name is made of them: nothing is allocated.
  package var beginning: UInt64 {
    let words = padded
    return UInt64(words[0]) &<< 32 | UInt64(words[1])
  }

  private var padded: [8 of UInt32] {
    var buffer = buffer
    var state = state
    buffer.pad { state.compress($0, at: $1) }
    return state.words
  }

  package static func digest(of bytes: Span<UInt8>) -> [UInt8] {
    var hash = SHA256()
    hash.update(bytes)
    return hash.finish()
  }
}
