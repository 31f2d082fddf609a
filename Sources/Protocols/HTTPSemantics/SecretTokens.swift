/// Secrets by their form: JSON Web Tokens, and what begins as keys of well-known services do.
package enum SecretTokens {
  package static let beginnings: [StaticString] = [
    "eyJ", "sk-", "sk_live_", "sk_test_", "rk_live_", "ghp_", "gho_", "ghs_", "ghu_", "github_pat_", "glpat-", "xoxb-",
    "xoxp-", "xoxa-", "AKIA", "ASIA", "AIza", "ya29.",
  ]
  /// A shorter word is none.
  static let least = 16
  /// Values this long with digits and without a word in them are taken for tokens.
  private static let longValue = 24

  /// Whether one begins here, where a word begins.
  static func begins(_ bytes: Span<UInt8>, at index: Int) -> Bool {
    guard bytes.count - index >= least, isBeginning(bytes[index], bytes[index + 1]) else { return false }
    return beginnings.contains { word in
      for place in 0..<word.utf8CodeUnitCount where bytes[index + place] != word.utf8Start[place] { return false }
      return true
    }
  }

  /// The first two letters of one of them: of few other words.
  private static func isBeginning(_ first: UInt8, _ second: UInt8) -> Bool {
    switch (first, second) {
    case (UInt8(ascii: "e"), UInt8(ascii: "y")), (UInt8(ascii: "s"), UInt8(ascii: "k")): true
    case (UInt8(ascii: "r"), UInt8(ascii: "k")), (UInt8(ascii: "x"), UInt8(ascii: "o")): true
    case (UInt8(ascii: "y"), UInt8(ascii: "a")), (UInt8(ascii: "g"), UInt8(ascii: "h")): true
    case (UInt8(ascii: "g"), UInt8(ascii: "i")), (UInt8(ascii: "g"), UInt8(ascii: "l")): true
    case (UInt8(ascii: "A"), UInt8(ascii: "K")), (UInt8(ascii: "A"), UInt8(ascii: "S")): true
    case (UInt8(ascii: "A"), UInt8(ascii: "I")): true
    default: false
    }
  }

  /// Where the token that begins here ends.
  static func end(_ bytes: Span<UInt8>, from index: Int) -> Int {
    var end = index
    while end < bytes.count, isPart(bytes[end]) { end += 1 }
    return end
  }

  static func isPart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "="): true
    default: byte.isDigit || byte.lowercased &- 0x61 < 26
    }
  }

  package static func isLikeOne(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    guard range.count >= longValue else { return false }
    var hasDigit = false
    for index in range {
      let byte = bytes[index]
      if byte.isDigit { hasDigit = true }
      guard isPart(byte) || byte >= 0x80 || byte == UInt8(ascii: "%") || byte == UInt8(ascii: "/") else { return false }
    }
    return hasDigit
  }
}
