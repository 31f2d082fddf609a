/// Numbers that are the same in every run.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    let first = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    let second = (first ^ first >> 27) &* 0x94D0_49BB_1331_11EB
    return second ^ second >> 31
  }
}

/// What no output may hold raw, written down apart from the table that is tested with it.
let forbidden: [ClosedRange<UInt32>] = [
  0x00...0x1F, 0x7F...0x9F, 0x061C...0x061C, 0x200B...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF...0xFEFF,
  0xE_0001...0xE_007F,
]

func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
  // Nearly all of an output: tests look at millions of them.
  if scalar.value >= 0x20, scalar.value < 0x7F { return false }
  return forbidden.contains { $0.contains(scalar.value) }
}

/// Bytes of every kind: noise, text, and text with some noise, controls and hidden characters in it.
func untrustedSamples(seed: UInt64) -> [[UInt8]] {
  var generator = SeededGenerator(seed: seed)
  return (0..<100).map { _ in untrustedBytes(&generator) }
}

private func untrustedBytes(_ generator: inout SeededGenerator) -> [UInt8] {
  var bytes: [UInt8] = []
  for _ in 0..<Int.random(in: 0...60, using: &generator) {
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: bytes.append(.random(in: .min ... .max, using: &generator))
    case 1: bytes.append(.random(in: 0x80...0xFF, using: &generator))
    case 2:
      let range = forbidden.randomElement(using: &generator) ?? 0...0
      let scalar = Unicode.Scalar(UInt32.random(in: range, using: &generator)) ?? "\0"
      bytes += Array(String(scalar).utf8)
    case 3:
      let scalar = Unicode.Scalar(UInt32.random(in: 0...0x10_FFFF, using: &generator)) ?? "\u{FFFD}"
      bytes += Array(String(scalar).utf8)
    default: bytes.append(.random(in: 0x20...0x7E, using: &generator))
    }
  }
  return bytes
}
