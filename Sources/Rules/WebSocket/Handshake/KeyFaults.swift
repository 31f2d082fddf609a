import Events
import HTTPSemantics

/// Key and version of a request for WebSocket.
enum KeyFaults {
  static let rows: [UpgradeRequestRule] = [versionMissing, versionOther, missing, duplicate, invalid]

  /// What Base64 makes of sixteen bytes.
  private static let length = 24

  private static let versionMissing = UpgradeRequestRule(
    RuleInfo(
      id: "ws/hs-version-missing", severity: .error,
      summary: "A request for WebSocket does not say which version it speaks.",
      explanation: """
        Sec-WebSocket-Version: 13 is the protocol of RFC 6455. Servers refuse a request without it, or take it for one of the \
        drafts. A test written by hand usually lacks it.
        """,
      evidence: "The request line. Requests of the drafts 75 and 76, which had no such field, are ws/hs-hixie-request.",
      fix: "Client: send Sec-WebSocket-Version: 13.", specifications: [.webSocket("4.1"), .webSocket("4.4")],
      since: "0.1")
  ) { upgrade in
    guard upgrade.era == .standard, upgrade.block.first("sec-websocket-version") == nil else { return nil }
    return HandshakeFault("Sec-WebSocket-Version is missing", upgrade.line("a head without Sec-WebSocket-Version"))
  }

  private static let versionOther = UpgradeRequestRule(
    RuleInfo(
      id: "ws/hs-version-not-13", severity: .error,
      summary: "A request for WebSocket asks for a version other than 13.",
      explanation: """
        13 is the only version there is since 2011. 7 and 8 are drafts 07 to 12, smaller figures older ones. Servers answer 400 \
        or 426 and name what they speak.
        """,
      evidence: "The field with its value.", fix: "Client: use a library that speaks version 13.",
      specifications: [.webSocket("4.1"), .webSocket("4.4")], since: "0.1")
  ) { upgrade in
    guard let field = upgrade.block.first("sec-websocket-version"), upgrade.block.value(field) != "13" else {
      return nil
    }
    return HandshakeFault(
      "the client asks for WebSocket version \"\(upgrade.block.shown(field))\"; servers speak 13",
      [upgrade.field(field, "not 13")])
  }

  private static let missing = UpgradeRequestRule(
    RuleInfo(
      id: "ws/hs-key-missing", severity: .error,
      summary: "A request for WebSocket has no key.",
      explanation: """
        The server answers with a digest of Sec-WebSocket-Key, which proves that it understood the request. Without a key \
        there is nothing to answer, and it has to refuse.
        """,
      evidence: "The request line. Requests of the drafts, which had other keys, are ws/hs-hixie-request.",
      fix: "Client: send Sec-WebSocket-Key with sixteen random bytes in Base64, fresh for each connection.",
      specifications: [.webSocket("4.1")], since: "0.1")
  ) { upgrade in
    guard upgrade.era == .standard, upgrade.block.first("sec-websocket-key") == nil else { return nil }
    return HandshakeFault("Sec-WebSocket-Key is missing", upgrade.line("a head without Sec-WebSocket-Key"))
  }

  private static let duplicate = UpgradeRequestRule(
    RuleInfo(
      id: "ws/hs-key-duplicate", severity: .error,
      summary: "A request for WebSocket has more than one key.",
      explanation: """
        The field must stand once. A server refuses, or answers one of the keys while the client waits for the digest of the \
        other. Usually a library writes its own beside one that was set by hand, or a proxy adds one.
        """,
      evidence: "The first two of the fields.", fix: "Client: let the library make the key, and set none by hand.",
      specifications: [.webSocket("11.3.1")], since: "0.1")
  ) { upgrade in
    let keys = upgrade.block.all("sec-websocket-key")
    guard keys.count > 1 else { return nil }
    return HandshakeFault(
      "there are \(keys.count) Sec-WebSocket-Key fields",
      keys.prefix(2).map { upgrade.field($0, "one of \(keys.count)") })
  }

  private static let invalid = UpgradeRequestRule(
    RuleInfo(
      id: "ws/hs-key-invalid", severity: .error,
      summary: "The key of a request for WebSocket is not sixteen bytes in Base64.",
      explanation: """
        A key is a random value of sixteen bytes, 24 characters in Base64. Servers that look refuse any other with 400; those \
        that do not look digest whatever stands there, so that such a client works with some servers only.
        """,
      evidence: "The field. Surplus bits in the last character are left alone.",
      fix: "Client: encode sixteen random bytes as Base64, with the padding.", specifications: [.webSocket("4.1")],
      since: "0.1")
  ) { upgrade in
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
