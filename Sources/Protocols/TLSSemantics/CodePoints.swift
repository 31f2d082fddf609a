/// What keys are agreed in (RFC 8446 §4.2.7).
package struct NamedGroup: Hashable, Sendable {
  package let rawValue: UInt16

  @inline(__always)
  package init(rawValue: UInt16) { self.rawValue = rawValue }

  package var name: String { Self.names[rawValue] ?? (rawValue.isGREASE ? "GREASE" : codePoint(rawValue)) }

  private static let names: [UInt16: String] = [
    0x0013: "secp192r1", 0x0015: "secp224r1", 0x0016: "secp256k1", 0x0017: "secp256r1", 0x0018: "secp384r1",
    0x0019: "secp521r1", 0x001A: "brainpoolP256r1", 0x001B: "brainpoolP384r1", 0x001C: "brainpoolP512r1",
    0x001D: "x25519", 0x001E: "x448", 0x0029: "curveSM2", 0x0100: "ffdhe2048", 0x0101: "ffdhe3072",
    0x0102: "ffdhe4096", 0x0103: "ffdhe6144", 0x0104: "ffdhe8192", 0x0200: "MLKEM512", 0x0201: "MLKEM768",
    0x0202: "MLKEM1024", 0x11EB: "SecP256r1MLKEM768", 0x11EC: "X25519MLKEM768", 0x11ED: "SecP384r1MLKEM1024",
    0x6399: "X25519Kyber768Draft00",
  ]
}

/// What signs, and how (RFC 8446 §4.2.3); before TLS 1.3, a hash and an algorithm.
package struct SignatureScheme: Hashable, Sendable {
  package let rawValue: UInt16

  @inline(__always)
  package init(rawValue: UInt16) { self.rawValue = rawValue }

  package var name: String { Self.names[rawValue] ?? (rawValue.isGREASE ? "GREASE" : codePoint(rawValue)) }

  private static let names: [UInt16: String] = [
    0x0101: "rsa_pkcs1_md5", 0x0201: "rsa_pkcs1_sha1", 0x0202: "dsa_sha1", 0x0203: "ecdsa_sha1",
    0x0301: "rsa_pkcs1_sha224", 0x0303: "ecdsa_sha224", 0x0401: "rsa_pkcs1_sha256", 0x0402: "dsa_sha256",
    0x0403: "ecdsa_secp256r1_sha256", 0x0501: "rsa_pkcs1_sha384", 0x0503: "ecdsa_secp384r1_sha384",
    0x0601: "rsa_pkcs1_sha512", 0x0603: "ecdsa_secp521r1_sha512", 0x0804: "rsa_pss_rsae_sha256",
    0x0805: "rsa_pss_rsae_sha384", 0x0806: "rsa_pss_rsae_sha512", 0x0807: "ed25519", 0x0808: "ed448",
    0x0809: "rsa_pss_pss_sha256", 0x080A: "rsa_pss_pss_sha384", 0x080B: "rsa_pss_pss_sha512",
    0x081A: "ecdsa_brainpoolP256r1tls13_sha256", 0x081B: "ecdsa_brainpoolP384r1tls13_sha384",
    0x081C: "ecdsa_brainpoolP512r1tls13_sha512", 0x0904: "mldsa44", 0x0905: "mldsa65", 0x0906: "mldsa87",
  ]
}

/// An extension of a hello, a certificate or a ticket.
package struct TLSExtension: Hashable, Sendable {
  package let rawValue: UInt16

  @inline(__always)
  package init(rawValue: UInt16) { self.rawValue = rawValue }

  package static var serverName: TLSExtension { TLSExtension(rawValue: 0) }
  package static var supportedGroups: TLSExtension { TLSExtension(rawValue: 10) }
  package static var signatureAlgorithms: TLSExtension { TLSExtension(rawValue: 13) }
  package static var applicationProtocols: TLSExtension { TLSExtension(rawValue: 16) }
  package static var encryptThenMAC: TLSExtension { TLSExtension(rawValue: 22) }
  package static var extendedMasterSecret: TLSExtension { TLSExtension(rawValue: 23) }
  package static var sessionTicket: TLSExtension { TLSExtension(rawValue: 35) }
  package static var preSharedKey: TLSExtension { TLSExtension(rawValue: 41) }
  package static var earlyData: TLSExtension { TLSExtension(rawValue: 42) }
  package static var supportedVersions: TLSExtension { TLSExtension(rawValue: 43) }
  package static var cookie: TLSExtension { TLSExtension(rawValue: 44) }
  package static var keyShare: TLSExtension { TLSExtension(rawValue: 51) }
  package static var encryptedClientHello: TLSExtension { TLSExtension(rawValue: 0xFE0D) }
  package static var renegotiationInfo: TLSExtension { TLSExtension(rawValue: 0xFF01) }

  package var name: String { Self.names[rawValue] ?? (rawValue.isGREASE ? "GREASE" : codePoint(rawValue)) }

  private static let names: [UInt16: String] = [
    0: "server_name", 1: "max_fragment_length", 3: "trusted_ca_keys", 4: "truncated_hmac", 5: "status_request",
    10: "supported_groups", 11: "ec_point_formats", 12: "srp", 13: "signature_algorithms", 14: "use_srtp",
    15: "heartbeat", 16: "application_layer_protocol_negotiation", 17: "status_request_v2",
    18: "signed_certificate_timestamp", 19: "client_certificate_type", 20: "server_certificate_type", 21: "padding",
    22: "encrypt_then_mac", 23: "extended_master_secret", 24: "token_binding", 25: "cached_info",
    27: "compress_certificate", 28: "record_size_limit", 34: "delegated_credential", 35: "session_ticket",
    41: "pre_shared_key", 42: "early_data", 43: "supported_versions", 44: "cookie", 45: "psk_key_exchange_modes",
    47: "certificate_authorities", 48: "oid_filters", 49: "post_handshake_auth", 50: "signature_algorithms_cert",
    51: "key_share", 57: "quic_transport_parameters", 58: "ticket_request", 13172: "next_protocol_negotiation",
    17513: "application_settings (old)", 17613: "application_settings", 30032: "channel_id",
    0xFE0D: "encrypted_client_hello", 0xFF01: "renegotiation_info",
  ]
}
