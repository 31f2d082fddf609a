import Events
import TLS
import TLSProtection
import TLSSemantics
import Trace

/// What is read of one direction of a TLS connection.
struct ProtectedSide: Sendable {
  var parser = RecordParser()
  var hasBegun = false
  var handshake = HandshakeParser()
  var openers = RecordOpeners()
  /// change_cipher_spec came, before TLS 1.3: every record is protected from here on.
  var hasChangedCipher = false
  /// Nothing more of it can be opened.
  var isClosedToUs = false
  /// The end of what was opened was told.
  var hasFinished = false
  /// Plaintext that was handed on.
  var plaintext: UInt64 = 0
  /// The hole since the last record that was opened, where that one ended, and the records it must have swallowed.
  var hole: StreamGap?
  var openedEnd: UInt64 = 0
  var lostRecords: UInt64 = 0
  /// The first record that no secret opened, while none had been opened.
  var firstFailure: TLSRecord?
  /// Application data in the sense of the header: in TLS 1.3, what a handshake hides in is among them.
  var protected: UInt64 = 0
  var lastProtected: TLSRecord?

  /// Whether a record's contents are ciphertext.
  func isProtected(_ record: TLSRecord) -> Bool {
    hasChangedCipher ? record.type != .changeCipherSpec : record.type == .applicationData
  }
}
