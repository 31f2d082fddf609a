// TLSSemantics is the vocabulary of TLS records and handshake messages (RFC 8446, RFC 5246 and older versions), shared by
// the parsers, the dialogue, rules and reports.
// It parses nothing; the module TLS does.
//
//   TLSRecord TLSContentType TLSVersion   the record layer, and which packets carried a record
//   ClientHello ServerHello JA4           who offered what, what was chosen, and the client's fingerprint
//   HandshakeMessage HandshakeFlaw        the other messages as far as they are read, and what was wrong with one
//   CipherSuite                           with what protection adds to a record: lengths of plaintext without keys
//   TLSAlert NamedGroup SignatureScheme TLSExtension TLSTicket   the rest of the names
//
// Code points are structs of their number, so that unknown ones can be represented; each has a `name`.

/// A number of the registries with its two bytes, as those write it.
func codePoint(_ value: UInt16) -> String {
  let digits = String(value, radix: 16, uppercase: true)
  return "0x" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
}

extension UInt16 {
  /// One of the sixteen values that mean nothing and that clients strew so that servers stay tolerant (RFC 8701).
  package var isGREASE: Bool { self & 0x0F0F == 0x0A0A && self >> 8 == self & 0xFF }
}
