// TLSProtection decrypts TLS records with the secrets of a key log, and reads certificates.
//
//   KeyLog          the secrets of a key log (SSLKEYLOGFILE, or a capture's own), by the client's random
//   SecretBytes     key material: wiped when released, never printed
//   RecordOpener    one direction's records of TLS 1.0 to 1.3, opened one by one into a buffer of the caller's
//   ProtectionSuite the one table of cipher suites that records can be opened for
//   CertificateSummary   who a certificate is for, from whom and until when
//
//   let opener = RecordOpener.make(suite: 0x1301, trafficSecret: secret)        // .ready, or why not
//   opener.open(type: 23, version: 0x0303, fragment: …, into: &room)            // .opened(type, count), or .failed
//
// It parses no records and no handshakes: that is the module TLS, and a dialogue joins the two. Nothing here throws or
// traps; a record that cannot be decrypted gives a reason, and may be tried again with another sequence number.
// All cryptography is from libcrypto. Without it (trait OpenSSL) everything here still compiles and reports `.notBuiltIn`.

#if OpenSSL
  package let isTLSProtectionBuiltIn = true
#else
  package let isTLSProtectionBuiltIn = false
#endif
