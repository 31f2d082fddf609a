import Citation
import Digests

/// What a server chose (RFC 8446 §4.1.3, RFC 5246 §7.4.1.3), or in TLS 1.3 asked for again.
package struct ServerHello: Hashable, Sendable {
  package var legacyVersion: TLSVersion
  /// 32 bytes.
  package var random: [UInt8]
  package var sessionID: [UInt8] = []
  package var cipherSuite: CipherSuite
  package var compression: UInt8 = 0
  /// In order, at most `ClientHello.listLimit`.
  package var extensions: [TLSExtension] = []
  package var extensionCount = 0
  /// In supported_versions.
  package var selectedVersion: TLSVersion?
  /// What ALPN chose, where it is said in the clear: TLS 1.3 says it in EncryptedExtensions.
  package var applicationProtocol: [UInt8]?
  /// The place of the pre-shared key that was taken, among those that were offered.
  package var acceptedPreSharedKey: UInt16?
  /// Whose share is sent, or in a HelloRetryRequest asked for.
  package var keyShare: NamedGroup?
  package var hasCookie = false
  package var hasExtendedMasterSecret = false
  package var hasEncryptThenMAC = false
  /// A NewSessionTicket will come (RFC 5077 §3.2).
  package var promisesTicket = false
  package var span: ByteSpan

  package init(legacyVersion: TLSVersion, random: [UInt8], cipherSuite: CipherSuite, span: ByteSpan) {
    self.legacyVersion = legacyVersion
    self.random = random
    self.cipherSuite = cipherSuite
    self.span = span
  }

  /// What both speak from here on.
  package var version: TLSVersion { selectedVersion ?? legacyVersion }

  /// It is the client's turn again, with another key share or a cookie.
  package var isHelloRetryRequest: Bool { random == Self.retryRandom }

  /// What a server that can do better says in its random value when it agrees to something old (RFC 8446 §4.1.3).
  package var isDowngrade: Bool {
    random.count == 32 && random[24..<31].elementsEqual("DOWNGRD".utf8) && random[31] <= 1
  }

  /// RFC 8446 §4.1.3 gives the digest of a word.
  package static let retryRandom = SHA256.digest(of: Array("HelloRetryRequest".utf8).span)
}
