import Citation
import TLSSemantics

/// The header of a record as far as it came: five bytes. A hello in the form of SSL 2.0 has two, and three more that
/// tell it from everything else (RFC 5246 §E.2).
struct HeldRecordHeader: Sendable {
  static let size = 5

  private(set) var bytes: [5 of UInt8] = .init(repeating: 0)
  private(set) var count = 0
  private(set) var start: UInt64 = 0
  private(set) var first = PacketRef.none

  @inline(__always)
  var isComplete: Bool { count == Self.size }

  /// Takes bytes from `position` on until the header is complete, and answers where it stopped.
  @inline(__always)
  mutating func take(_ chunk: borrowing CitedBytes, from position: Int) -> Int {
    var position = position
    if count == 0 {
      start = chunk.offset &+ UInt64(truncatingIfNeeded: position)
      first = chunk.packet
    }
    while position < chunk.bytes.count, count < Self.size {
      bytes[count] = chunk.bytes[position]
      count += 1
      position += 1
    }
    return position
  }

  @inline(__always)
  mutating func removeAll() { count = 0 }

  @inline(__always)
  var type: TLSContentType { TLSContentType(rawValue: bytes[0]) }
  @inline(__always)
  var version: TLSVersion { TLSVersion(rawValue: count < 3 ? 0 : UInt16(bytes[1]) << 8 | UInt16(bytes[2])) }
  @inline(__always)
  var length: Int { Int(bytes[3]) << 8 | Int(bytes[4]) }

  /// Of the form of SSL 2.0: what follows its first two bytes.
  var sslv2Length: Int { Int(bytes[0] & 0x7F) << 8 | Int(bytes[1]) }

  /// CLIENT-HELLO in two bytes of header, of a version that is one: nothing else of SSL 2.0 is read.
  var isSSLv2Hello: Bool {
    guard isComplete, bytes[0] & 0x80 != 0, bytes[2] == 1 else { return false }
    return (9...TLSRecord.lengthLimit).contains(sslv2Length) && (bytes[3] == 3 || bytes[3] == 0 && bytes[4] == 2)
  }

  /// Whether these bytes can begin a record. The first of a stream must be of a version of TLS, because any byte of
  /// seventeen in the type's range would do otherwise; of later ones the version is an oddity.
  func canBegin(isFirst: Bool) -> Bool {
    guard count > 0, type.isKnown else { return false }
    return !isFirst || count < 2 || bytes[1] == 3
  }
}
