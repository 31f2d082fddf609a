import Citation

/// Who a certificate is for, from whom and until when: what is worth saying of one that was seen on the wire. Whether it
/// may be trusted is not judged; no signature is verified.
package struct CertificateSummary: Hashable, Sendable {
  package enum KeyKind: String, Hashable, Sendable {
    case rsa = "RSA"
    case rsaPSS = "RSA-PSS"
    case dsa = "DSA"
    case ellipticCurve = "EC"
    case ed25519 = "Ed25519"
    case ed448 = "Ed448"
    case other = "another kind"
  }

  /// A certificate of more bytes is not read: TLS can carry 16 MiB, and real ones have a few thousand.
  package static let sizeLimit = 256 << 10
  /// Alternative names that are kept.
  package static let nameLimit = 1024
  /// Bytes of a name that are kept; RFC 5280 allows fewer for all of these.
  package static let textLimit = 256

  package var subjectCommonName: String?
  package var subjectOrganization: String?
  package var issuerCommonName: String?
  /// As in the certificate, in its order. They are the sender's own bytes: a name can have a NUL in it.
  package var names: [String] = []
  package var addresses: [IPAddress] = []
  /// Alternative names of these two kinds that were not kept, for their number or their length.
  package var omittedNames = 0
  /// Seconds since the Unix epoch; nil where the certificate has no time that can be read.
  package var notBefore: Int64?
  package var notAfter: Int64?
  /// Issued in the name of its own subject, as roots are and what was made for a test.
  package var isSelfSigned = false
  package var keyKind = KeyKind.other
  package var keyBits = 0

  package init() {}
}
