import Support
import Testing
import WebSocket

@Suite("Masks undone")
struct UnmaskingTests {
  @Test("The example of RFC 6455 §5.7.")
  func example() {
    var plain: [UInt8] = []
    unmask([0x7F, 0x9F, 0x4D, 0x51, 0x58].span, key: 0x37FA_213D, at: 0, into: &plain)
    #expect(plain == Array("Hello".utf8))
  }

  @Test("Every length and place, byte by byte as the RFC says it, behind what is there already.")
  func definition() {
    var random = SplitMix64(seed: 6)
    for length in 0...70 {
      for place in 0..<9 as Range<UInt64> {
        let key = UInt32.random(in: 0...UInt32.max, using: &random)
        let masked = random.bytes(length)
        var plain: [UInt8] = [1, 2, 3]
        unmask(masked.span, key: key, at: place &- 3, into: &plain)
        var expected: [UInt8] = [1, 2, 3]
        for (index, byte) in masked.enumerated() {
          let turn = (place &- 3 &+ UInt64(index)) % 4
          expected.append(byte ^ UInt8(truncatingIfNeeded: key >> UInt32(24 - 8 * turn)))
        }
        #expect(plain == expected)
      }
    }
  }

  /// One byte above ASCII at each place of each length, and none.
  @Test("tell masked ASCII as it is read unmasked", arguments: [0, 0x37FA_213D, 0x80FF_7F00] as [UInt32])
  func ascii(key: UInt32) {
    for length in 0..<40 {
      for other in -1..<length {
        var plain = [UInt8](repeating: 0x61, count: length)
        if other >= 0 { plain[other] = 0xC3 }
        var masked: [UInt8] = []
        unmask(plain.span, key: key, at: 0, into: &masked)
        #expect(isASCII(masked: masked.span, key: key) == (other < 0))
      }
    }
  }
}
