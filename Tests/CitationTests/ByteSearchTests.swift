import Citation
import Support
import Testing

@Suite("Bytes that are looked for among many")
struct ByteSearchTests {
  @Test(
    "The first of two bytes is found wherever it stands, among bytes that nearly are one of them.", arguments: 1...20)
  func either(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let near: [UInt8] = [0x09, 0x0B, 0x0C, 0x0E, 0x8A, 0x8D, 0x00, 0xFF, 0x21, 0x23, 0x5B, 0x5D, 0x0A, 0x0D]
    for _ in 0..<500 {
      let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in near.randomElement(using: &random) ?? 0 }
      let start = Int.random(in: 0...bytes.count, using: &random)
      let end = Int.random(in: start...bytes.count, using: &random)
      let found = firstIndex(of: 0x0A, or: 0x0D, in: bytes.span, from: start, to: end)
      #expect(found == bytes[start..<end].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? end, "\(bytes), \(start)..<\(end)")
    }
  }

  @Test("The end of the bytes is never passed.")
  func bounds() {
    let bytes = [UInt8](repeating: 0x61, count: 9)
    #expect(firstIndex(of: 0x0A, or: 0x0D, in: bytes.span, from: 0, to: 100) == 9)
    #expect(firstIndex(of: 0x61, or: 0x0D, in: bytes.span, from: 9, to: 9) == 9)
  }
}
