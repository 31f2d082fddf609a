import Citation
import Events
import HTTPSemantics

/// A key that is none.
enum HSKeyInvalid: UpgradeRequestRule {
  static let info = RuleInfo(
    id: "ws/hs-key-invalid", severity: .error,
    summary: "The key of a request for WebSocket is not sixteen bytes in Base64.",
    explanation: """
      A key is a random value of sixteen bytes, 24 characters in Base64. Servers that look refuse any other with 400; those \
      that do not look digest whatever stands there, so that such a client works with some servers only.
      """,
    evidence: "The field. Surplus bits in the last character are not judged.",
    fix: "Client: encode sixteen random bytes as Base64, with the padding.", specifications: [.webSocket("4.1")],
    since: "0.1")

  static let refusalRank: Int? = 110

  static func find(in upgrade: Upgrade) -> HandshakeFault? {
    guard let key = upgrade.key else { return nil }
    let value = Array(upgrade.block.bytes[key.value.clamped(to: upgrade.block.bytes.indices)])
    let what: String
    if let decoded = decodedLength(value) {
      guard decoded != 16 else { return nil }
      what = "decodes to \(Wording.bytes(UInt64(decoded))) instead of 16"
    } else {
      what = value.isEmpty ? "is empty" : "is not Base64: \(Wording.count(UInt64(value.count), "character"))"
    }
    return HandshakeFault("the Sec-WebSocket-Key \(what)", [upgrade.field(key, "not sixteen bytes in Base64")])
  }

  /// How many bytes Base64 stands for; nil where it is none.
  private static func decodedLength(_ value: [UInt8]) -> Int? {
    guard !value.isEmpty, value.count % 4 == 0 else { return nil }
    let padding = value.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    guard padding <= 2, value.dropLast(padding).allSatisfy(isDigit) else { return nil }
    return value.count / 4 * 3 - padding
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    let letter = byte | 0x20
    return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter) || byte.isDigit || byte == UInt8(ascii: "+")
      || byte == UInt8(ascii: "/")
  }
}
