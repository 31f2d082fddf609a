/// What both sides agreed of permessage-deflate (RFC 7692 §7.1), for what one of them sends.
package struct DeflateTerms: Hashable, Sendable {
  package var windowBits: Int
  /// Each message begins with an empty window.
  package var forgetsContext: Bool

  package init(windowBits: Int = 15, forgetsContext: Bool = false) {
    self.windowBits = windowBits
    self.forgetsContext = forgetsContext
  }
}

/// What was made of compressed messages of one direction.
package struct DeflateFigures: Hashable, Sendable {
  /// Messages with RSV1 that could be read.
  package var messages: UInt64 = 0
  /// Their payload as it was sent, and what it made.
  package var compressed: UInt64 = 0
  package var inflated: UInt64 = 0
  /// Those that became longer by being compressed, and by how much together.
  package var grown: UInt64 = 0
  package var growth: UInt64 = 0
  /// Of a sender that forgets its window after each message: what that costs.
  package var takeover: Takeover?

  /// The first messages, compressed by one compressor, each alone and each with those before it in sight.
  package struct Takeover: Hashable, Sendable {
    package var messages: UInt64
    package var plain: UInt64
    package var alone: UInt64
    package var together: UInt64

    package init(messages: UInt64, plain: UInt64, alone: UInt64, together: UInt64) {
      self.messages = messages
      self.plain = plain
      self.alone = alone
      self.together = together
    }
  }

  package init() {}
}
