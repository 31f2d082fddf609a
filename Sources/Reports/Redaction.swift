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
      return "\"\(EscapedText.text(bytes.span))\"" + (excerpt.length > bytes.count ? "…" : "")
    }
    return "[\(Wording.bytes(UInt64(excerpt.length))) \(digest(excerpt.bytes))]"
  }

  private func digest(_ bytes: [UInt8]) -> String {
    var hash = SHA256()
    hash.update(salt.span)
    hash.update(bytes.span)
    return "sha256:" + hash.finish().hexText.prefix(12)
  }
}
