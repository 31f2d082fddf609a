import Citation

/// A message of the handshake protocol (RFC 8446 §4, RFC 5246 §7.4).
package struct HandshakeMessage: Hashable, Sendable {
  package var type: HandshakeType
  /// Of the body, as announced.
  package var length: Int
  /// Its own bytes where the records that carry it are clear; else, from the first of those records to the last. The
  /// packets are those of the records' first and last byte.
  package var span: ByteSpan
  /// The packet that made its last byte readable.
  package var released: PacketRef
  package var body: Body

  package init(type: HandshakeType, length: Int, span: ByteSpan, released: PacketRef, body: Body) {
    self.type = type
    self.length = length
    self.span = span
    self.released = released
    self.body = body
  }

  package enum Body: Hashable, Sendable {
    indirect case clientHello(ClientHello)
    /// HelloRetryRequest among them.
    indirect case serverHello(ServerHello)
    case encryptedExtensions(EncryptedExtensions)
    case certificate(CertificateList)
    case certificateRequest(CertificateRequest)
    case newSessionTicket(NewSessionTicket)
    case keyUpdate(isRequested: Bool)
    /// Nothing that is read, or nothing that can be: its flaw was reported.
    case other
  }
}

package struct HandshakeType: Hashable, Sendable {
  package let rawValue: UInt8

  @inline(__always)
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static var helloRequest: HandshakeType { HandshakeType(rawValue: 0) }
  package static var clientHello: HandshakeType { HandshakeType(rawValue: 1) }
  package static var serverHello: HandshakeType { HandshakeType(rawValue: 2) }
  package static var newSessionTicket: HandshakeType { HandshakeType(rawValue: 4) }
  package static var endOfEarlyData: HandshakeType { HandshakeType(rawValue: 5) }
  package static var encryptedExtensions: HandshakeType { HandshakeType(rawValue: 8) }
  package static var certificate: HandshakeType { HandshakeType(rawValue: 11) }
  package static var serverKeyExchange: HandshakeType { HandshakeType(rawValue: 12) }
  package static var certificateRequest: HandshakeType { HandshakeType(rawValue: 13) }
  package static var serverHelloDone: HandshakeType { HandshakeType(rawValue: 14) }
  package static var certificateVerify: HandshakeType { HandshakeType(rawValue: 15) }
  package static var clientKeyExchange: HandshakeType { HandshakeType(rawValue: 16) }
  package static var finished: HandshakeType { HandshakeType(rawValue: 20) }
  package static var keyUpdate: HandshakeType { HandshakeType(rawValue: 24) }

  package var isKnown: Bool { Self.names[rawValue] != nil }
  package var name: String { Self.names[rawValue] ?? "handshake type \(rawValue)" }

  private static let names: [UInt8: String] = [
    0: "HelloRequest", 1: "ClientHello", 2: "ServerHello", 3: "HelloVerifyRequest", 4: "NewSessionTicket",
    5: "EndOfEarlyData", 6: "HelloRetryRequest", 8: "EncryptedExtensions", 11: "Certificate",
    12: "ServerKeyExchange", 13: "CertificateRequest", 14: "ServerHelloDone", 15: "CertificateVerify",
    16: "ClientKeyExchange", 20: "Finished", 21: "CertificateURL", 22: "CertificateStatus",
    23: "SupplementalData", 24: "KeyUpdate", 25: "CompressedCertificate", 67: "NextProtocol", 254: "MessageHash",
  ]
}

/// What a server of TLS 1.3 says of the connection once it is encrypted.
package struct EncryptedExtensions: Hashable, Sendable {
  package var extensions: [TLSExtension] = []
  /// What ALPN chose.
  package var applicationProtocol: [UInt8]?
  package var acceptsEarlyData = false
  /// The name that the client gave was used.
  package var acknowledgesName = false

  package init() {}
}

/// The certificates that a side shows, its own first.
package struct CertificateList: Hashable, Sendable {
  /// All certificates together, kept of one message.
  package static let byteLimit = 64 * 1024
  package static let countLimit = 32

  /// In DER; those that are kept.
  package var certificates: [[UInt8]] = []
  /// Of all that the message has.
  package var count = 0
  package var byteCount = 0

  package init() {}

  package var isCut: Bool { count > certificates.count }
}

/// The server wants the client to show a certificate.
package struct CertificateRequest: Hashable, Sendable {
  /// How many authorities it names, where it does so outside of an extension.
  package var authorityCount = 0
  package var signatureSchemes: [SignatureScheme] = []

  package init() {}
}

/// What was wrong with a message, or with the way it came.
package struct HandshakeFlaw: Hashable, Sendable {
  package enum Kind: UInt8, Hashable, Sendable {
    /// A field ends behind the message or the list that it stands in.
    case overrun
    /// Bytes are left where a field or the message should have ended.
    case excess
    /// A field is empty or shorter than it must be, or is not a whole number of items.
    case illegalLength
    /// An extension that came before in the same message.
    case duplicate
    /// A value that may not stand there.
    case illegalValue
    /// A message that says it is longer than `HandshakeFlaw.lengthLimit`; it was passed over.
    case tooLong
    /// From here on messages of several fields are not read: the direction had `HandshakeFlaw.countLimit` of them.
    /// Reported once.
    case tooMany
    /// Bytes of it are missing, or it was not whole when the input ended.
    case incomplete
  }

  /// What a message may be long.
  package static let lengthLimit = 256 * 1024
  /// Messages of several fields that are read of one direction: nobody negotiates as often, and each costs digests.
  package static let countLimit = 1_000

  package var kind: Kind
  /// nil where the bytes that are missing had it.
  package var type: HandshakeType?
  /// As the specifications name it: `server_name`, `cipher_suites`; empty where the whole message is meant.
  package var field: String
  /// Of the message.
  package var span: ByteSpan

  package init(_ kind: Kind, _ type: HandshakeType?, field: String = "", _ span: ByteSpan) {
    self.kind = kind
    self.type = type
    self.field = field
    self.span = span
  }
}
