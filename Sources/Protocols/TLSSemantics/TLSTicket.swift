import Citation
import Digests

/// What a session can be taken up by, without its bytes: enough to know it again.
package struct TLSTicket: Hashable, Sendable {
  package var length: Int
  /// The first eight bytes of its SHA-256.
  package var digest: UInt64

  package init(_ bytes: Span<UInt8>) {
    length = bytes.count
    digest = SHA256.digest(of: bytes).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}

/// What a server gives for a later session (RFC 5077 §3.3, RFC 8446 §4.6.1).
package struct NewSessionTicket: Hashable, Sendable {
  /// In seconds, as a hint before TLS 1.3.
  package var lifetime: UInt32
  /// Of no length where the server changed its mind.
  package var ticket: TLSTicket
  /// How many bytes of early data a session by this ticket may send.
  package var earlyDataLimit: UInt32?

  package init(lifetime: UInt32, ticket: TLSTicket, earlyDataLimit: UInt32? = nil) {
    self.lifetime = lifetime
    self.ticket = ticket
    self.earlyDataLimit = earlyDataLimit
  }
}
