/// SHA-1, FIPS 180-4 §6.1: for names that others compute the same way, not for trust.
package struct SHA1: Sendable {
  package static let byteCount = 20

  private var state = State()
  private var buffer = BlockBuffer()

  package init() {}

  package mutating func update(_ bytes: Span<UInt8>) {
    buffer.append(bytes) { state.compress($0, at: $1) }
  }

  /// The digest of all bytes so far. More may follow: the value itself is not changed.
  package func finish() -> [UInt8] {
    var buffer = buffer
    var state = state
    buffer.pad { state.compress($0, at: $1) }
    return [state.a, state.b, state.c, state.d, state.e].flatMap(bigEndian)
  }

  package static func digest(of bytes: Span<UInt8>) -> [UInt8] {
    var hash = SHA1()
    hash.update(bytes)
    return hash.finish()
  }
}

private struct State {
  var a: UInt32 = 0x6745_2301
  var b: UInt32 = 0xefcd_ab89
  var c: UInt32 = 0x98ba_dcfe
  var d: UInt32 = 0x1032_5476
  var e: UInt32 = 0xc3d2_e1f0

  mutating func compress(_ bytes: Span<UInt8>, at offset: Int) {
    // As in SHA-256, word t of the schedule takes the place of word t - 16.
    var schedule = [16 of UInt32](repeating: 0)
    for index in 0..<16 { schedule[index] = bigEndianWord(bytes, at: offset + 4 * index) }
    let before = self
    for index in 0..<80 {
      if index >= 16 {
        let mixed =
          schedule[(index + 13) & 15] ^ schedule[(index + 8) & 15] ^ schedule[(index + 2) & 15] ^ schedule[index & 15]
        schedule[index & 15] = rotated(mixed, 1)
      }
      let word = schedule[index & 15]
      switch index / 20 {
      case 0: round((b & c) | (~b & d), 0x5a82_7999, word)
      case 1: round(b ^ c ^ d, 0x6ed9_eba1, word)
      case 2: round((b & c) | (b & d) | (c & d), 0x8f1b_bcdc, word)
      default: round(b ^ c ^ d, 0xca62_c1d6, word)
      }
    }
    a &+= before.a
    b &+= before.b
    c &+= before.c
    d &+= before.d
    e &+= before.e
  }

  @inline(__always)
  private mutating func round(_ mixed: UInt32, _ constant: UInt32, _ word: UInt32) {
    let next = rotated(a, 5) &+ mixed &+ e &+ constant &+ word
    (e, d, c, b, a) = (d, c, rotated(b, 30), a, next)
  }
}

@inline(__always)
private func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
  word &<< count | word &>> (32 &- count)
}
