import Citation
import Events
import TLS
import TLSProtection
import TLSSemantics

/// What is read of one direction of a TLS connection.
struct ProtectedSide: Sendable {
  var parser = RecordParser()
  var hasBegun = false
  /// Bytes before the first that is there are missing.
  var startsAnywhere = false
  /// It is no TLS: its bytes go to the dialogue inside as they are.
  var isClear = false
  var handshake = HandshakeParser()
  var openers = RecordOpeners()
  /// A secret that records of it may be under is missing.
  var lacksSecret = false
  /// change_cipher_spec came, before TLS 1.3: every record is protected from here on.
  var hasChangedCipher = false
  /// change_cipher_spec came, and nobody knows of which version: the ServerHello was not seen.
  var mayHaveChangedCipher = false
  /// Nothing more of it can be opened.
  var isClosedToUs = false
  /// The end of what was opened was reported.
  var hasFinished = false
  /// A Finished was read; until then the record that must hold it stands for it.
  var hasReadFinished = false
  /// Plaintext that was handed on, and what is known to be missing in it.
  var plaintext: UInt64 = 0
  /// The hole since the last record that was opened, and where that one ended.
  var hole: SequenceGap?
  /// Plaintext is missing in the hole: it is reported as soon as there is a dialogue to tell.
  var isHoleSure = false
  var openedEnd: UInt64 = 0
  /// Application data stayed encrypted since then.
  var isShut = false
  /// The first record that no secret opened, while none had been opened; and how many there were behind a hole.
  var firstFailure: TLSRecord?
  var failures = 0

  mutating func countHeld() -> Int { parser.countHeld() + handshake.heldBytes }

  var lastProtected: TLSRecord?

  /// Whether a record's contents are ciphertext.
  func isProtected(_ record: TLSRecord) -> Bool {
    hasChangedCipher ? record.type != .changeCipherSpec : record.type == .applicationData
  }
}
