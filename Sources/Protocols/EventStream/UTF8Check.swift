/// Whether bytes are UTF-8 (RFC 3629), one at a time: no overlong forms, no surrogates, nothing above U+10FFFF.
struct UTF8Check: Sendable {
  private var outstanding: UInt8 = 0
  private var low: UInt8 = 0x80
  private var high: UInt8 = 0xBF

  /// In the middle of a character.
  @inline(__always)
  var isOpen: Bool { outstanding > 0 }

  /// Takes the next byte; false when it cannot stand here. It is then looked at as the first of another character.
  mutating func take(_ byte: UInt8) -> Bool {
    if outstanding > 0 {
      if byte >= low, byte <= high {
        outstanding -= 1
        (low, high) = (0x80, 0xBF)
        return true
      }
      reset()
      _ = begin(byte)
      return false
    }
    return begin(byte)
  }

  mutating func reset() {
    outstanding = 0
    (low, high) = (0x80, 0xBF)
  }

  private mutating func begin(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x00...0x7F: return true
    case 0xC2...0xDF: outstanding = 1
    case 0xE0: (outstanding, low) = (2, 0xA0)
    case 0xED: (outstanding, high) = (2, 0x9F)
    case 0xE1...0xEF: outstanding = 2
    case 0xF0: (outstanding, low) = (3, 0x90)
    case 0xF1...0xF3: outstanding = 3
    case 0xF4: (outstanding, high) = (3, 0x8F)
    default: return false
    }
    return true
  }
}
