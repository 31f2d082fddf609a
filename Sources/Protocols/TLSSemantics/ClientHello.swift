import Citation

/// What a client offers (RFC 8446 §4.1.2, RFC 5246 §7.4.1.2).
///
/// Lists keep their order and at most `listLimit` values; the counts and the fingerprint are of the whole lists, with
/// GREASE left in the lists and out of the fingerprint.
package struct ClientHello: Hashable, Sendable {
  package static let listLimit = 64
  /// Of names that ALPN offers.
  package static let protocolLimit = 16
  /// Of the bytes of one name in server_name; a host's name has no more than 253.
  package static let nameLimit = 255

  package var legacyVersion: TLSVersion
  /// 32 bytes; of the form of SSL 2.0, the challenge behind as many zeros as it lacks.
  package var random: [UInt8]
  /// At most 32 bytes.
  package var sessionID: [UInt8] = []
  package var cipherSuites: [CipherSuite] = []
  package var cipherSuiteCount = 0
  /// Something else than no compression is offered.
  package var offersCompression = false
  package var extensions: [TLSExtension] = []
  package var extensionCount = 0
  /// As in server_name, at most `nameLimit` bytes of it; nil without the extension.
  package var serverName: [UInt8]?
  /// What ALPN offers, by preference.
  package var applicationProtocols: [[UInt8]] = []
  package var supportedVersions: [TLSVersion] = []
  package var groups: [NamedGroup] = []
  package var signatureSchemes: [SignatureScheme] = []
  /// The groups whose shares are sent already: another one costs a HelloRetryRequest.
  package var keyShares: [NamedGroup] = []
  package var sessionTicket = TicketOffer.none
  /// Pre-shared keys that are offered, and the identity of the first: a ticket of TLS 1.3, or one by agreement.
  package var preSharedKeyCount = 0
  package var firstIdentity: TLSTicket?
  package var offersEarlyData = false
  package var offersExtendedMasterSecret = false
  package var offersEncryptThenMAC = false
  /// The name of the server that is meant may stand inside, encrypted.
  package var offersEncryptedHello = false
  package var offersRenegotiationInfo = false
  /// A cookie of a HelloRetryRequest is given back.
  package var hasCookie = false
  package var usesGREASE = false
  package var isSSLv2 = false
  /// nil of the form of SSL 2.0, which has no extensions to tell it by.
  package var ja4: String?
  package var span: ByteSpan

  package init(legacyVersion: TLSVersion, random: [UInt8], span: ByteSpan) {
    self.legacyVersion = legacyVersion
    self.random = random
    self.span = span
  }

  /// The newest version that is offered.
  package var version: TLSVersion {
    supportedVersions.filter { !$0.rawValue.isGREASE }.max() ?? legacyVersion
  }

  package func has(_ offered: TLSExtension) -> Bool { extensions.contains(offered) }

  /// Something to take up an earlier session by. A session ID alone tells nothing where TLS 1.3 is offered too: clients
  /// send one for middleboxes to see.
  package var offersResumption: Bool {
    if preSharedKeyCount > 0 { return true }
    if case .offered = sessionTicket { return true }
    return !sessionID.isEmpty && !version.isTLS13
  }

  package enum TicketOffer: Hashable, Sendable {
    case none
    /// A ticket is asked for.
    case empty
    case offered(TLSTicket)
  }
}

extension [UInt8] {
  /// Bytes of a name that a peer sent, as text; what is not UTF-8 is replaced.
  package var nameText: String { String(decoding: self, as: UTF8.self) }
}
