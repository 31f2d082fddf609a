import Digests
import Events
import Trace

/// What of a capture's content a report may show.
///
/// Payload is replaced by its length and a hash, salted by the capture itself: equal bytes of one capture can be told
/// to be equal, and nothing can be looked up in a table. Framing is never payload.
package struct Redaction: Sendable {
  package var isOn: Bool
  /// SHA-256 of the beginning of the capture.
  package var salt: [UInt8]

  package init(isOn: Bool, salt: [UInt8]) {
    self.isOn = isOn
    self.salt = salt
  }

  /// An excerpt as text, with quotes when it is shown and brackets when it is not.
  func text(_ excerpt: Excerpt, limit: Int = Excerpt.limit) -> String {
    guard isOn, excerpt.isPayload else {
      let shown = excerpt.bytes.prefix(limit)
      let bytes = Array(shown)
      if excerpt.isBinaryFraming {
        return bytes.map { [$0].hex }.joined(separator: " ") + (excerpt.length > bytes.count ? " …" : "")
      }
      let shownText = withoutSecrets(EscapedText.text(bytes.span))
      return "\"\(shownText)\"" + (excerpt.length > bytes.count ? "…" : "")
    }
    return "[\(Wording.bytes(UInt64(excerpt.length))) \(digest(excerpt.bytes))]"
  }

  /// Fields whose values are secrets.
  private static let secretFields: Set<String> = [
    "authorization", "proxy-authorization", "cookie", "set-cookie", "sec-websocket-protocol",
  ]
  /// Parts of the names of query parameters whose values are secrets.
  private static let secretWords = [
    "token", "key", "secret", "pass", "auth", "session", "sig", "jwt", "code", "credential",
  ]
  /// A value this long without a word in it is taken for a token.
  private static let tokenLength = 24

  /// A quoted line of a head: a field that is a secret by its name, or a target with a query.
  private func withoutSecrets(_ line: String) -> String {
    guard isOn else { return line }
    if let colon = line.firstIndex(of: ":"), Self.secretFields.contains(line[..<colon].lowercased()) {
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      return "\(line[...colon]) \(hidden(String(value)))"
    }
    guard line.contains("?") else { return line }
    return line.split(separator: " ", omittingEmptySubsequences: false).map { target(String($0)) }
      .joined(separator: " ")
  }

  func value(_ value: String, of name: String) -> String {
    guard isOn, Self.secretFields.contains(name.lowercased()) else { return value }
    return hidden(value)
  }

  /// A request target without the values of its query that look like secrets.
  func target(_ target: String) -> String {
    guard isOn, let mark = target.firstIndex(of: "?") else { return target }
    let query = target[target.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
    let shown = query.map { pair -> String in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, isSecret(parts[1], named: parts[0].lowercased()) else { return String(pair) }
      return "\(parts[0])=\(hidden(String(parts[1])))"
    }
    return target[...mark] + shown.joined(separator: "&")
  }

  private func isSecret(_ value: Substring, named name: String) -> Bool {
    guard !value.isEmpty else { return false }
    if Self.secretWords.contains(where: { name.contains($0) }) { return true }
    return value.count >= Self.tokenLength && value.allSatisfy { $0.isLetter || $0.isNumber || "-_.%=+/".contains($0) }
      && value.contains(where: \.isNumber)
  }

  private func hidden(_ value: String) -> String {
    "[\(Wording.bytes(UInt64(value.utf8.count))) \(digest(Array(value.utf8)))]"
  }

  private func digest(_ bytes: [UInt8]) -> String {
    var hash = SHA256()
    hash.update(salt.span)
    hash.update(bytes.span)
    return "sha256:" + hash.finish().hexText.prefix(12)
  }
}

extension Excerpt {
  /// The header of a frame or a record: read as figures, and never as text. Framing that is text begins with a character.
  fileprivate var isBinaryFraming: Bool {
    guard !isPayload, let first = bytes.first else { return false }
    return first >= 0x80 || first < 0x20 && ![0x09, 0x0A, 0x0D].contains(first)
  }
}
