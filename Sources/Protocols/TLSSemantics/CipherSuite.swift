/// How a connection's records are protected (RFC 8446 §B.4, RFC 5246 §A.5).
package struct CipherSuite: Hashable, Sendable {
  package let rawValue: UInt16

  @inline(__always)
  package init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Not suites, but what a client says through the list of them (RFC 5746 §3.3, RFC 7507).
  package static var renegotiationInfo: CipherSuite { CipherSuite(rawValue: 0x00FF) }
  package static var fallback: CipherSuite { CipherSuite(rawValue: 0x5600) }

  /// As the registry names it, or its number.
  package var name: String {
    Self.table[rawValue]?.name ?? (rawValue.isGREASE ? "GREASE" : codePoint(rawValue))
  }

  /// nil where the suite is not known, or is none.
  package var protection: RecordProtection? { Self.table[rawValue]?.protection }

  /// How much plaintext a record's body of that length holds. One number for a suite that authenticates and encrypts at
  /// once, without the padding that TLS 1.3 allows and hardly anyone adds; a range where a block cipher pads, as far as
  /// one block. Nil where that is not known, and where the body is too short for the suite.
  package func plaintext(
    ofBody length: Int, in version: TLSVersion, encryptsThenMACs: Bool = false
  ) -> ClosedRange<Int>? {
    guard let protection else { return nil }
    let most: Int
    let padding: Int
    switch protection {
    case .aead(let explicitNonce, let tag):
      // TLS 1.3 counts its nonces, and puts the type of the contents behind them.
      most = length - tag - (version.isTLS13 ? 1 : explicitNonce)
      padding = 0
    case .block(let size, let mac):
      // Before TLS 1.1 the vector was the record before.
      let vector = version > .tls10 ? size : 0
      guard encryptsThenMACs || (length - vector) % size == 0 else { return nil }
      most = length - vector - mac - 1
      padding = size - 1
    case .stream(let mac):
      most = length - mac
      padding = 0
    }
    guard most >= 0 else { return nil }
    return max(0, most - padding)...most
  }
}

/// What a suite adds to each record.
package enum RecordProtection: Hashable, Sendable {
  /// Encrypted and authenticated at once. The explicit nonce is that of TLS 1.2 and stands before the ciphertext.
  case aead(explicitNonce: Int, tag: Int)
  /// A block cipher in CBC mode with a MAC: padded to whole blocks, and with a vector of a block since TLS 1.1.
  case block(size: Int, mac: Int)
  /// RC4, or nothing, with a MAC.
  case stream(mac: Int)

  /// The registry's names tell it all.
  init?(ofSuite name: String) {
    if name.hasSuffix("_SCSV") || name == "TLS_NULL_WITH_NULL_NULL" { return nil }
    func has(_ part: String) -> Bool { name.contains(part) }
    if has("_GCM_") {
      self = .aead(explicitNonce: 8, tag: 16)
    } else if has("_CCM_8") {
      self = .aead(explicitNonce: 8, tag: 8)
    } else if has("_CCM") {
      self = .aead(explicitNonce: 8, tag: 16)
    } else if has("_CHACHA20_") {
      self = .aead(explicitNonce: 0, tag: 16)
    } else {
      let macs = [("_MD5", 16), ("_SHA", 20), ("_SHA256", 32), ("_SHA384", 48)]
      guard let mac = macs.first(where: { name.hasSuffix($0.0) })?.1 else { return nil }
      if has("_CBC_") {
        let isShort = has("DES") || has("IDEA") || has("RC2")
        self = .block(size: isShort ? 8 : 16, mac: mac)
      } else {
        self = .stream(mac: mac)
      }
    }
  }
}
