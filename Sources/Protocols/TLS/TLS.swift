import Citation
// TLS reads the unencrypted parts of TLS (RFC 8446 §5.1 and §4, RFC 5246 §6.2 and §7.4), one direction at a time:
//
//   TLSProbe          do these first bytes look like TLS?
//   RecordParser      stream bytes → RecordTokens; copies the contents that a consumer reads into an arena
//   HandshakeParser   contents of handshake records, clear or decrypted → HandshakeTokens
//
// The owner of both directions takes the tokens of a record parser after each chunk and reads `contents` where a token
// names a part of it. It passes contents of handshake records to the handshake parser and those of alerts to TLSAlert,
// passes the `version` that a ServerHello chose to the handshake parser of the other side, and calls
// `releaseContents()`. Before TLS 1.3, contents after change_cipher_spec are encrypted: they are decrypted if there are
// keys, and the plaintext goes to the same handshake parser. In TLS 1.3 a change_cipher_spec means nothing, a client's second hello follows one in
// the clear, and what is encrypted calls itself application data. A key that is found late cannot read application
// data that was passed over: see `keepsApplicationData`.
//
// Nothing here decrypts, verifies or judges. What is malformed is a token and never a trap; no length of the wire is
// allocated from.
import TLSSemantics

/// What a record parser emits, in stream order.
package enum RecordToken: Hashable, Sendable {
  /// A header is complete.
  case recordStart(TLSRecord)
  /// All of a record is there, or no more of it comes. The range is its body in `contents`: empty where it is not kept,
  /// is not whole, or is empty.
  case recordEnd(TLSRecord, contents: Range<Int>)
  /// The capture lacks bytes. A record in whose body all of them are is read on, and ends with `lost` bytes.
  case lost(Range<UInt64>, PacketRef)
  /// From here on nothing is read: of `hole` until `resumed`, else for ever.
  case opaque(OpaqueStart)
  /// Behind a hole, or where a parser `startsAnywhere`, a header was found where another said it would be: the next record
  /// begins here. How many there were before it is not known, so `index` no longer counts the sender's records.
  case resumed(at: UInt64, PacketRef)
}

/// What a handshake parser emits, in stream order; a message's flaws come before the message.
package enum HandshakeToken: Hashable, Sendable {
  case message(HandshakeMessage)
  case flaw(HandshakeFlaw)
}
