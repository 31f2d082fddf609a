/// What a record carries (RFC 8446 §5.1), or claims to: from TLS 1.3 on, encrypted ones all say application data.
package struct TLSContentType: Hashable, Sendable {
  package let rawValue: UInt8

  @inline(__always)
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static var changeCipherSpec: TLSContentType { TLSContentType(rawValue: 20) }
  package static var alert: TLSContentType { TLSContentType(rawValue: 21) }
  package static var handshake: TLSContentType { TLSContentType(rawValue: 22) }
  package static var applicationData: TLSContentType { TLSContentType(rawValue: 23) }
  package static var heartbeat: TLSContentType { TLSContentType(rawValue: 24) }

  @inline(__always)
  package var isKnown: Bool { (20...24).contains(rawValue) }

  package var name: String {
    switch self {
    case .changeCipherSpec: "change_cipher_spec"
    case .alert: "alert"
    case .handshake: "handshake"
    case .applicationData: "application_data"
    case .heartbeat: "heartbeat"
    default: "content type \(rawValue)"
    }
  }
}
