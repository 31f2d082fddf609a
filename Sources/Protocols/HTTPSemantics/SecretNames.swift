/// Names whose values are secrets, as a receiver reads them: without case, with `_` and `.` for `-`, percent-encoded, and
/// without what cannot stand in a name. Where it is in doubt a name is one of them.
///
/// Asked for every field of every document: a name as it should be is judged where it stands, without a copy.
package enum SecretNames {
  /// A longer name is in doubt.
  private static let limit = 128
  /// Parts of the names of fields.
  private static let fieldWords: [StaticString] = [
    "token", "secret", "password", "passwd", "apikey", "api-key", "access-key", "authoriz", "authoris", "session",
    "credential", "signature", "jwt", "csrf", "xsrf", "private", "cookie", "otp", "hmac", "authentication-info",
    "sec-websocket-protocol", "assertion", "saml",
  ]
  /// Parts of the names of query parameters and of what else stands before an equals sign.
  private static let parameterWords: [StaticString] = [
    "token", "key", "secret", "pass", "pwd", "auth", "session", "sid", "sig", "jwt", "code", "credential", "nonce",
    "assertion", "ticket", "saml", "otp", "hmac", "csrf", "xsrf", "cookie",
  ]
  /// Parameters that only sound like it.
  private static let harmlessParameters: [StaticString] = [
    "codecs", "keyword", "keywords", "author", "authors", "realm",
  ]
  /// Parameters whose names are too short to be looked for within others.
  private static let shortParameters: [StaticString] = ["pin", "pw", "mac", "tan", "sas"]

  /// For each letter those that follow it at the beginning of a word above, a bit each: nearly all places in a name begin
  /// none. By their first letters alone, every other place was compared with all words. Each word begins with two letters.
  private static let fieldBeginnings = beginnings(of: fieldWords)
  private static let parameterBeginnings = beginnings(of: parameterWords)

  private static func beginnings(of words: [StaticString]) -> [26 of UInt32] {
    var followers = [26 of UInt32](repeating: 0)
    for word in words { followers[Int(word.utf8Start[0] &- 0x61)] |= 1 << UInt32(word.utf8Start[1] &- 0x61) }
    return followers
  }

  // MARK: Fields

  package static func isField(_ name: String) -> Bool {
    var name = name
    return name.withUTF8 { isField($0.span, 0..<$0.count) }
  }

  package static func isField(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    isPlain(bytes, range) ? isPlainField(bytes, range) : isOddField(bytes, range)
  }

  @inline(never)
  private static func isOddField(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    guard range.count <= limit else { return true }
    let name = readName(bytes, range)
    return isPlainField(name.span, 0..<name.count)
  }

  private static func isPlainField(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    if isPublic(bytes, range) { return false }
    if holds(fieldWords, fieldBeginnings, bytes, range) || ends(bytes, range, "-key") || ends(bytes, range, "-otp") {
      return true
    }
    // "author" begins with it, too; and a challenge is not a secret.
    return hasPart("auth", bytes, range)
      || hasPart("authentication", bytes, range)
  }

  /// Its value only proves that the other side read it, or says what a browser may do.
  private static func isPublic(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    if begins(bytes, range, "sec-websocket-") { return !matches(bytes, range, "sec-websocket-protocol") }
    return begins(bytes, range, "access-control-") || matches(bytes, range, "idempotency-key")
      || matches(bytes, range, "surrogate-key") || matches(bytes, range, "cache-key")
  }

  // MARK: Parameters

  package static func isParameter(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    guard !isPlain(bytes, range) else { return isPlainParameter(bytes, range) }
    guard range.count <= limit else { return true }
    let name = readName(bytes, range)
    return isPlainParameter(name.span, 0..<name.count)
  }

  private static func isPlainParameter(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    guard !range.isEmpty else { return false }
    if harmlessParameters.contains(where: { matches(bytes, range, $0) }) { return false }
    return holds(parameterWords, parameterBeginnings, bytes, range)
      || shortParameters.contains { hasPart($0, bytes, range) }
  }

  // MARK: Reading names

  /// Whether it is what a name should be, and needs no second form.
  private static func isPlain(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    for index in range {
      let byte = bytes[index]
      let isLetter = byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")
      guard isLetter || byte.isDigit || byte == UInt8(ascii: "-") else { return false }
    }
    return true
  }

  /// As a receiver that forgives may read it. What encodes may be encoded again.
  private static func readName(_ bytes: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
    var name: [UInt8] = []
    for index in range { name.append(bytes[index]) }
    for _ in 0..<3 where name.contains(UInt8(ascii: "%")) { name = PercentCoding.decoded(name.span).bytes }
    return name.compactMap { byte in
      switch byte {
      case UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "["), UInt8(ascii: "]"): UInt8(ascii: "-")
      case UInt8(ascii: "-"): byte
      case _ where byte.isDigit || byte.lowercased &- 0x61 < 26: byte.lowercased
      default: nil
      }
    }
  }

  // MARK: Words in names

  private static func holds(
    _ words: [StaticString], _ beginnings: [26 of UInt32], _ bytes: Span<UInt8>, _ range: Range<Int>
  ) -> Bool {
    guard var letter = range.first.map({ bytes[$0].lowercased &- 0x61 }) else { return false }
    for index in range.dropFirst() {
      let (before, next) = (letter, bytes[index].lowercased &- 0x61)
      letter = next
      guard before < 26, next < 26, beginnings[Int(before)] & 1 << UInt32(next) != 0 else { continue }
      for word in words where begins(bytes, index - 1..<range.upperBound, word) { return true }
    }
    return false
  }

  private static func hasPart(_ word: StaticString, _ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    var start = range.lowerBound
    for index in range where bytes[index] == UInt8(ascii: "-") {
      if matches(bytes, start..<index, word) { return true }
      start = index + 1
    }
    return matches(bytes, start..<range.upperBound, word)
  }

  static func begins(_ bytes: Span<UInt8>, _ range: Range<Int>, _ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard range.count >= count else { return false }
    return matches(bytes, range.lowerBound..<range.lowerBound + count, word)
  }

  private static func ends(_ bytes: Span<UInt8>, _ range: Range<Int>, _ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard range.count > count else { return false }
    return matches(bytes, range.upperBound - count..<range.upperBound, word)
  }
}
