import Citation

/// An alert that can be read: two bytes (RFC 8446 §6, RFC 5246 §7.2).
package struct TLSAlert: Hashable, Sendable {
  /// 1 is a warning, 2 is fatal. TLS 1.3 tells by the description instead.
  package var level: UInt8
  package var code: UInt8

  package init(level: UInt8, code: UInt8) {
    self.level = level
    self.code = code
  }

  /// nil where the contents of an alert record are not two bytes with a level: it is encrypted then.
  package init?(_ contents: Span<UInt8>) {
    guard contents.count == 2, contents[0] == 1 || contents[0] == 2 else { return nil }
    self.init(level: contents[0], code: contents[1])
  }

  package static let closeNotify: UInt8 = 0
  package static let handshakeFailure: UInt8 = 40
  package static let userCanceled: UInt8 = 90
  package static let noRenegotiation: UInt8 = 100
  package static let unrecognizedName: UInt8 = 112

  package var isCloseNotify: Bool { code == Self.closeNotify }
  /// It ends the connection. In TLS 1.3 all do but two, whatever level they give (RFC 8446 §6.2).
  package func isFatal(in version: TLSVersion) -> Bool {
    if code == Self.closeNotify || code == Self.userCanceled { return false }
    return level == 2 || version.isTLS13
  }

  /// The alert is about the peer's certificate or the lack of one: 41 to 46, 48 and 116.
  package var isAboutCertificate: Bool { (41...46).contains(code) || code == 48 || code == 116 }

  package var name: String { Self.table[code]?.name ?? "alert \(code)" }
  /// What its sender says by it, as a sentence without its period.
  package var meaning: String { Self.table[code]?.meaning ?? "not registered" }

  private static let table: [UInt8: (name: String, meaning: String)] = [
    0: ("close_notify", "the sender will send nothing more on this connection"),
    10: ("unexpected_message", "a message arrived at the wrong point of the protocol"),
    20: ("bad_record_mac", "a record could not be authenticated: it was modified on the way, or the keys differ"),
    21: ("decryption_failed", "a record could not be decrypted; retired in favour of bad_record_mac"),
    22: ("record_overflow", "a record exceeded the maximum length"),
    30: ("decompression_failure", "a record could not be decompressed"),
    40: ("handshake_failure", "no common version, suite or group, or an unknown server name"),
    41: ("no_certificate", "the client has no certificate to show (SSL 3.0 only)"),
    42: ("bad_certificate", "the certificate is broken, or its signature does not verify"),
    43: ("unsupported_certificate", "the type of certificate is not supported"),
    44: ("certificate_revoked", "the certificate was revoked by its issuer"),
    45: ("certificate_expired", "the certificate has expired or is not valid yet"),
    46: ("certificate_unknown", "the certificate was rejected for another reason, such as pinning"),
    47: ("illegal_parameter", "a field of the handshake contradicts another or is out of range"),
    48: ("unknown_ca", "the certificate's issuer is not trusted"),
    49: ("access_denied", "the certificate is valid, but access was denied"),
    50: ("decode_error", "a message could not be parsed"),
    51: ("decrypt_error", "a signature, a Finished or a binder did not verify"),
    60: ("export_restriction", "the suite breaks an export rule (retired)"),
    70: ("protocol_version", "the offered version is not supported"),
    71: ("insufficient_security", "the server requires stronger suites than the client offered"),
    80: ("internal_error", "an internal failure, not caused by the peer"),
    86: ("inappropriate_fallback", "the client retried with an older version although the server supports a newer one"),
    90: ("user_canceled", "the handshake was cancelled for a reason outside the protocol"),
    100: ("no_renegotiation", "the sender refuses to renegotiate"),
    109: ("missing_extension", "a required extension is missing"),
    110: ("unsupported_extension", "an extension was not offered or is not allowed there"),
    111: ("certificate_unobtainable", "a certificate could not be fetched from the given URL"),
    112: ("unrecognized_name", "the server does not know the name in server_name"),
    113: ("bad_certificate_status_response", "the stapled OCSP response is invalid"),
    114: ("bad_certificate_hash_value", "a fetched certificate does not match the given hash"),
    115: ("unknown_psk_identity", "no pre-shared key of that identity is known"),
    116: ("certificate_required", "the server needs a certificate and the client sent none"),
    120: ("no_application_protocol", "none of the protocols offered by ALPN is supported"),
    121: ("ech_required", "the client requires Encrypted ClientHello, which was not accepted"),
  ]
}
