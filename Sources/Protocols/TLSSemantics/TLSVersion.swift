/// A version as the wire writes it.
package struct TLSVersion: Hashable, Sendable, Comparable {
  package let rawValue: UInt16

  @inline(__always)
  package init(rawValue: UInt16) { self.rawValue = rawValue }

  package static var ssl2: TLSVersion { TLSVersion(rawValue: 0x0002) }
  package static var ssl3: TLSVersion { TLSVersion(rawValue: 0x0300) }
  package static var tls10: TLSVersion { TLSVersion(rawValue: 0x0301) }
  package static var tls11: TLSVersion { TLSVersion(rawValue: 0x0302) }
  package static var tls12: TLSVersion { TLSVersion(rawValue: 0x0303) }
  package static var tls13: TLSVersion { TLSVersion(rawValue: 0x0304) }

  /// A draft of TLS 1.3, or 1.3 itself: the shapes of messages are those of 1.3.
  package var isTLS13: Bool { self == .tls13 || rawValue >> 8 == 0x7F }
  /// Below TLS 1.2: not to be used any more (RFC 8996).
  package var isOld: Bool { rawValue < 0x0303 }
  package var isKnown: Bool { self == .ssl2 || (0x0300...0x0304).contains(rawValue) || rawValue >> 8 == 0x7F }

  package var name: String {
    switch self {
    case .ssl2: "SSL 2.0"
    case .ssl3: "SSL 3.0"
    case .tls10: "TLS 1.0"
    case .tls11: "TLS 1.1"
    case .tls12: "TLS 1.2"
    case .tls13: "TLS 1.3"
    default: rawValue >> 8 == 0x7F ? "TLS 1.3 draft \(rawValue & 0xFF)" : "version \(codePoint(rawValue))"
    }
  }

  package static func < (left: TLSVersion, right: TLSVersion) -> Bool { left.rawValue < right.rawValue }
}
