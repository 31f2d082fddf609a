import Digests

/// Markup as it is written: what comes from a document passes through `text` or `json`, and nothing else may hold
/// untrusted bytes.
struct HTMLText {
  private(set) var bytes: [UInt8] = []

  /// Markup of this program's own.
  mutating func markup(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  /// A file of this program's own.
  mutating func asset(_ asset: [UInt8]) {
    bytes.append(contentsOf: asset)
  }

  /// Characters to be shown, between tags or inside a quoted attribute.
  mutating func text(_ text: String) {
    for byte in EscapedText.text(text).utf8 {
      switch byte {
      case UInt8(ascii: "&"): bytes.append(contentsOf: "&amp;".utf8)
      case UInt8(ascii: "<"): bytes.append(contentsOf: "&lt;".utf8)
      case UInt8(ascii: ">"): bytes.append(contentsOf: "&gt;".utf8)
      case UInt8(ascii: "\""): bytes.append(contentsOf: "&quot;".utf8)
      case UInt8(ascii: "'"): bytes.append(contentsOf: "&#39;".utf8)
      default: bytes.append(byte)
      }
    }
  }

  /// A value inside a script element that no browser runs. Without `<` in it, nothing can end the element early.
  mutating func json(_ value: some JSONValue) {
    JSONWriter.append(to: &bytes, .embedded) { $0.value(value) }
  }

  /// Hands over what is there, so that documents need not all be held at once.
  mutating func taken() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }
}

/// The content security policy: run this one script, use this one style sheet, and fetch nothing.
enum HTMLPolicy {
  static func text(script: [UInt8]?, style: [UInt8]) -> String {
    "default-src 'none'; \(script.map { "script-src '\(source($0))'; " } ?? "")style-src '\(source(style))'; img-src data:; "
      + "base-uri 'none'; form-action 'none'"
  }

  /// A hash as CSP names it, of exactly the bytes between the tags.
  private static func source(_ bytes: [UInt8]) -> String {
    "sha256-" + SHA256.digest(of: bytes.span).base64
  }
}
