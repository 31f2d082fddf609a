/// The eight working words. Fields instead of an array, so that a round moves none of them through memory.
package struct SHA256State: Equatable, Sendable {
  private var a: UInt32 = 0x6a09_e667
  private var b: UInt32 = 0xbb67_ae85
  private var c: UInt32 = 0x3c6e_f372
  private var d: UInt32 = 0xa54f_f53a
  private var e: UInt32 = 0x510e_527f
  private var f: UInt32 = 0x9b05_688c
  private var g: UInt32 = 0x1f83_d9ab
  private var h: UInt32 = 0x5be0_cd19

  package init() {}

  package var words: [8 of UInt32] {
    get { [a, b, c, d, e, f, g, h] }
    set {
      (a, b, c, d) = (newValue[0], newValue[1], newValue[2], newValue[3])
      (e, f, g, h) = (newValue[4], newValue[5], newValue[6], newValue[7])
    }
  }

  /// Takes the block of 64 bytes at `offset`: with the instructions that a processor has for it, where there is a library that
  /// knows them.
  @inline(__always)
  package mutating func compress(_ bytes: Span<UInt8>, at offset: Int) {
    #if OpenSSL
      compressByLibrary(bytes, at: offset)
    #else
      compressHere(bytes, at: offset)
    #endif
  }

  package mutating func compressHere(_ bytes: Span<UInt8>, at offset: Int) {
    // The schedule needs no more than its last sixteen words: word t takes the place of word t - 16.
    var words = [16 of UInt32](repeating: 0)
    for index in 0..<16 { words[index] = bigEndianWord(bytes, at: offset + 4 * index) }
    var state = self
    state.eightRounds(words, 0, constants: 0)
    state.eightRounds(words, 8, constants: 8)
    for constants in stride(from: 16, to: 64, by: 16) {
      for index in 0..<16 {
        let early = words[(index + 1) & 15]
        let late = words[(index + 14) & 15]
        words[index] &+= sigma(early, 7, 18, 3) &+ sigma(late, 17, 19, 10) &+ words[(index + 9) & 15]
      }
      state.eightRounds(words, 0, constants: constants)
      state.eightRounds(words, 8, constants: constants + 8)
    }
    a &+= state.a
    b &+= state.b
    c &+= state.c
    d &+= state.d
    e &+= state.e
    f &+= state.f
    g &+= state.g
    h &+= state.h
  }

  /// Instead of handing every word on to its neighbour, each round names them one place further; after eight rounds
  /// every word is in its own place again. Eight moves less a round.
  @inline(__always)
  private mutating func eightRounds(_ words: borrowing [16 of UInt32], _ first: Int, constants: Int) {
    SHA256State.round(a, b, c, &d, e, f, g, &h, roundConstants[constants] &+ words[first])
    SHA256State.round(h, a, b, &c, d, e, f, &g, roundConstants[constants + 1] &+ words[first + 1])
    SHA256State.round(g, h, a, &b, c, d, e, &f, roundConstants[constants + 2] &+ words[first + 2])
    SHA256State.round(f, g, h, &a, b, c, d, &e, roundConstants[constants + 3] &+ words[first + 3])
    SHA256State.round(e, f, g, &h, a, b, c, &d, roundConstants[constants + 4] &+ words[first + 4])
    SHA256State.round(d, e, f, &g, h, a, b, &c, roundConstants[constants + 5] &+ words[first + 5])
    SHA256State.round(c, d, e, &f, g, h, a, &b, roundConstants[constants + 6] &+ words[first + 6])
    SHA256State.round(b, c, d, &e, f, g, h, &a, roundConstants[constants + 7] &+ words[first + 7])
  }

  @inline(__always)
  private static func round(
    _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32, _ e: UInt32, _ f: UInt32, _ g: UInt32,
    _ h: inout UInt32, _ input: UInt32
  ) {
    let choice = g ^ (e & (f ^ g))
    let majority = (a & b) | (c & (a | b))
    let sum = h &+ (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) &+ choice &+ input
    d &+= sum
    h = sum &+ (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) &+ majority
  }
}

@inline(__always)
private func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
  word &>> count | word &<< (32 &- count)
}

@inline(__always)
private func sigma(_ word: UInt32, _ first: UInt32, _ second: UInt32, _ shift: UInt32) -> UInt32 {
  rotated(word, first) ^ rotated(word, second) ^ word &>> shift
}

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
private let roundConstants: [64 of UInt32] = [
  0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
  0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
  0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
  0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
  0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
  0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
  0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
  0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
]
