import Citation
import TLSSemantics

/// Whether a direction is TLS, recognised from its first bytes and never from a port.
package enum TLSProbe {
  package enum Answer: Hashable, Sendable {
    case yes(Start)
    /// More bytes are needed.
    case unsure
    case no
  }

  /// What the bytes begin with.
  package enum Start: UInt8, Hashable, Sendable {
    case clientHello, serverHello
    /// A refusal of the other side's hello.
    case alert
    /// The middle of a connection: nobody saw its handshake.
    case middle
  }

  /// Bytes that are enough for a verdict.
  package static let limit = 7

  /// Judges the first bytes of one direction, which must begin where a record begins. A header and what must follow it are
  /// some 24 bits of evidence: other protocols begin with letters, or with a length that these bytes would not be.
  package static func look(at bytes: Span<UInt8>) -> Answer {
    guard bytes.count > 0 else { return .unsure }
    if bytes[0] & 0x80 != 0 { return sslv2(bytes) }
    let reader = ByteReader(bytes)
    let type = TLSContentType(rawValue: bytes[0])
    guard (20...23).contains(type.rawValue) else { return .no }
    guard reader.u8(1) ?? 3 == 3, reader.u8(2) ?? 3 <= 4 else { return .no }
    guard let length = reader.u16(3) else {
      // The length's first byte alone may be too great.
      return (reader.u8(3) ?? 0) <= TLSRecord.lengthLimit >> 8 ? .unsure : .no
    }
    guard length <= TLSRecord.lengthLimit, length > 0 || type == .applicationData || type == .handshake else {
      return .no
    }
    switch type {
    case .applicationData: return .yes(.middle)
    case .changeCipherSpec:
      guard length == 1 else { return .no }
      guard let value = reader.u8(5) else { return .unsure }
      return value == 1 ? .yes(.middle) : .no
    case .alert:
      // Longer ones are encrypted.
      guard length == 2 else { return length > 16 && length <= 512 ? .yes(.middle) : .no }
      guard let level = reader.u8(5) else { return .unsure }
      return level == 1 || level == 2 ? .yes(.alert) : .no
    default:
      // An empty one is legal nowhere, and sent by whoever wants to look like TLS.
      guard length > 0 else { return .yes(.middle) }
      guard let first = reader.u8(5) else { return .unsure }
      switch HandshakeType(rawValue: first) {
      case .clientHello: return .yes(.clientHello)
      case .serverHello: return .yes(.serverHello)
      default: return .yes(.middle)
      }
    }
  }

  /// A ClientHello in the form of SSL 2.0 (RFC 5246 §E.2).
  private static func sslv2(_ bytes: Span<UInt8>) -> Answer {
    let reader = ByteReader(bytes)
    guard reader.u8(2) ?? 1 == 1 else { return .no }
    if let major = reader.u8(3), major != 3, major != 0 { return .no }
    if let version = reader.u16(3), version != TLSVersion.ssl2.rawValue, version >> 8 != 3 { return .no }
    guard let suites = reader.u16(5), let length = reader.u16(0) else { return .unsure }
    let most = min(Int(length & 0x7FFF), TLSRecord.lengthLimit) - 9
    guard suites > 0, suites % 3 == 0, Int(suites) <= most else { return .no }
    return .yes(.clientHello)
  }
}
