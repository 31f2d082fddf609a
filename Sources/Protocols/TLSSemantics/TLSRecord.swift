import Citation

/// A record, as far as it came.
package struct TLSRecord: Hashable, Sendable {
  /// What a body may be long at most (RFC 5246 §6.2.3); TLS 1.3 allows 256 bytes over 2^14, RFC 8446 §5.2.
  package static let lengthLimit = 1 << 14 + 2048

  /// From 0, in its direction.
  package var index: UInt64
  package var type: TLSContentType
  /// What its header says: since TLS 1.3 not the version that was agreed.
  package var version: TLSVersion
  /// Of the body, as announced. Zero while the header is not complete.
  package var length: Int
  /// A ClientHello in the form of SSL 2.0, whose header is two bytes and whose length does not count them.
  package var isSSLv2 = false
  /// The first byte of the header to the last byte that is there.
  package var span: ByteSpan
  /// The packet that completed the header; nil where none did.
  package var headerReleased: PacketRef?
  /// The packet that made the last byte readable.
  package var released: PacketRef
  /// Bytes of the body that are there, and those that the capture lacks between them.
  package var received = 0
  package var lost = 0
  package var oddities: Oddities = []
  /// The longest wait for more of it, where that is worth a word.
  package var pause: Pause?

  /// Between two packets that carry parts of a record.
  package struct Pause: Hashable, Sendable {
    /// A shorter one is how packets come.
    package static let least: Int64 = 10_000_000

    package var from: PacketRef
    package var to: PacketRef
    /// The packet that had acknowledged all bytes before when more came; `.none` where the sender may have waited for an
    /// acknowledgement.
    package var acknowledged = PacketRef.none

    package init(from: PacketRef, to: PacketRef) {
      self.from = from
      self.to = to
    }

    package var nanoseconds: Int64 { to.time.since(from.time) }
    /// How long the sender could have gone on and did not; 0 where nobody knows.
    package var idleNanoseconds: Int64 {
      acknowledged.number > 0 ? max(0, min(nanoseconds, to.time.since(acknowledged.time))) : 0
    }
  }

  /// More of it came.
  package mutating func notePause(from: PacketRef, to: PacketRef, acknowledged: PacketRef) {
    let time = to.time.since(from.time)
    guard time >= Pause.least, time > pause?.nanoseconds ?? 0 else { return }
    pause = Pause(from: from, to: to)
    pause?.acknowledged = acknowledged
  }

  package init(
    index: UInt64, type: TLSContentType, version: TLSVersion, length: Int, span: ByteSpan, headerReleased: PacketRef?,
    released: PacketRef
  ) {
    self.index = index
    self.type = type
    self.version = version
    self.length = length
    self.span = span
    self.headerReleased = headerReleased
    self.released = released
  }

  package var isComplete: Bool { headerReleased != nil && received == length }
  /// Bytes of the body that did not come before the input ended.
  package var missing: Int { length - received - lost }
  package var headerLength: Int { isSSLv2 ? 2 : 5 }

  /// What a record's header shows that it should not.
  package struct Oddities: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Not SSL 3.0 to TLS 1.2, which is what headers say. TLS 1.3 is among these: its records call themselves 1.2.
    package static let unknownVersion = Oddities(rawValue: 1)
    /// Another version than the record before had, beyond the one rise after a client's first flight.
    package static let versionChanged = Oddities(rawValue: 2)
    /// Nothing in a record of a type that may not be empty: only application data may.
    package static let empty = Oddities(rawValue: 4)
    /// A change_cipher_spec that is longer than its one byte, which is never encrypted.
    package static let longChangeCipherSpec = Oddities(rawValue: 8)
  }
}

/// Where a direction stopped being read, and why.
package struct OpaqueStart: Hashable, Sendable {
  package enum Cause: UInt8, Hashable, Sendable {
    /// The bytes are no record: another protocol, or a record that ended elsewhere than it said.
    case notTLS
    /// A record says that it is longer than any may be.
    case tooLong
    /// Bytes are missing where a record would begin, so nobody knows where the next one does.
    case hole
  }

  package var cause: Cause
  /// What stands there: framing, as far as anybody knows, and at most `excerptLimit` bytes; empty after a hole.
  package var excerpt: Excerpt
  /// Of the quoted bytes; after a hole, of its end.
  package var span: ByteSpan

  package static let excerptLimit = 32

  package init(_ cause: Cause, _ excerpt: Excerpt, _ span: ByteSpan) {
    self.cause = cause
    self.excerpt = excerpt
    self.span = span
  }
}
