// TLSProtection undoes the protection of TLS records for whoever has the secrets, and reads certificates.
//
//   KeyLog          the secrets of a key log (SSLKEYLOGFILE, or a capture's own), by the client's random
//   SecretBytes     key material: wiped when it is let go, never printed
//   RecordOpener    one direction's records of TLS 1.0 to 1.3, opened one by one into a buffer of the caller's
//   ProtectionSuite the one table of cipher suites that records can be opened for
//   CertificateSummary   who a certificate is for, from whom and until when
//
//   let opener = RecordOpener.make(suite: 0x1301, trafficSecret: secret)        // .ready, or why not
//   opener.open(type: 23, version: 0x0303, fragment: …, into: &room)            // .opened(type, count), or .failed
//
// It parses no records and no handshakes: that is the module TLS, and a dialogue joins the two. Nothing here throws or
// traps; what cannot be opened says so and may be tried again with another sequence number.
// All cryptography is libcrypto's. Without it (trait OpenSSL) everything here still compiles and says `.notBuiltIn`.

#if OpenSSL
  package let isTLSProtectionBuiltIn = true
#else
  package let isTLSProtectionBuiltIn = false
#endif
