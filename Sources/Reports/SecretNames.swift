/// Recognises secrets by name or by prefix.
enum SecretNames {
  /// Fields whose values are secrets, in lower case.
  private static let fields: Set<String> = [
    "authorization", "proxy-authorization", "authentication-info", "proxy-authentication-info", "cookie", "set-cookie",
    "set-cookie2", "sec-websocket-protocol",
  ]
  /// Fields that hold addresses.
  static let locations: Set<String> = [
    "referer", "location", "content-location", "link", "refresh", "origin", "x-original-url", "x-rewrite-url",
    "x-forwarded-uri", "destination", "host",
  ]
  /// Parts of the names of non-standard fields whose values are secrets.
  private static let fieldWords = [
    "token", "secret", "password", "passwd", "apikey", "api-key", "api_key", "access-key", "authoriz",
    "session", "credential",
    "signature", "jwt", "csrf", "xsrf", "private", "cookie",
  ]
  /// Parts of the names of query parameters whose values are secrets.
  private static let parameterWords = [
    "token", "key", "secret", "pass", "pwd", "auth", "session", "sid", "sig", "jwt", "code", "credential", "nonce",
    "assertion", "ticket",
  ]
  /// Prefixes by which tokens are recognised.
  static let tokenBeginnings = [
    "eyJ", "sk-", "sk_live_", "sk_test_", "rk_live_", "ghp_", "gho_", "ghs_", "ghu_", "github_pat_", "glpat-", "xoxb-",
    "xoxp-", "xoxa-", "AKIA", "ASIA", "AIza", "ya29.",
  ]

  /// Whether a sentence may contain an address with a user name, a query or a token. Called for every finding: one pass
  /// over the bytes, with a check of token prefixes at the start of each word.
  static func mayHold(_ text: String) -> Bool {
    var text = text
    let holdsQuery = text.withUTF8 { bytes in
      bytes.indices.contains { index in
        bytes[index] == UInt8(ascii: "@") || bytes[index] == UInt8(ascii: "?") && !isLeftOut(bytes[(index + 1)...])
      }
    }
    return holdsQuery || holdsToken(text)
  }

  /// Whether a query was left out, as titles of requests do: `?…`, and nothing of it behind.
  private static func isLeftOut(_ rest: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    let mark = "…".utf8
    guard rest.starts(with: mark) else { return false }
    guard let next = rest.dropFirst(mark.count).first else { return true }
    return next == UInt8(ascii: " ") || next == UInt8(ascii: ":") || next == UInt8(ascii: ",")
  }

  /// Whether a word starts like a token.
  static func holdsToken(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var isInside = false
      for index in bytes.indices {
        let byte = bytes[index]
        let isWord = byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z") || byte &- 0x30 < 10
        if isWord, !isInside, index + 1 < bytes.count, isBeginning(byte, bytes[index + 1]),
          tokenBeginnings.contains(where: { bytes[index...].starts(with: $0.utf8) })
        {
          return true
        }
        isInside = isWord
      }
      return false
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

  /// `name` is in lower case.
  static func isField(_ name: String) -> Bool {
    if fields.contains(name) { return true }
    // Public: its value only proves that the other side read it.
    if name.hasPrefix("sec-websocket-") || name.hasPrefix("access-control-") || name == ":authority" { return false }
    if name.hasSuffix("-key"), name != "idempotency-key", name != "surrogate-key", name != "cache-key" { return true }
    if fieldWords.contains(where: { name.contains($0) }) { return true }
    // "author" begins with it, too; and a challenge is not a secret.
    return name.split(separator: "-").contains { $0 == "auth" || $0 == "authentication" }
  }

  /// `name` is in lower case.
  static func isParameter(_ name: String) -> Bool {
    parameterWords.contains { name.contains($0) }
  }
}
