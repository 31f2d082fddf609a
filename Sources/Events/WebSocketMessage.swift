import Citation
import WebSocketSemantics

/// A message of a WebSocket connection: a data frame with its continuations, joined. Reported when it is over, or when
/// it is certain that it will never be.
package struct WebSocketMessage: Sendable {
  /// How many bytes of it are kept, unmasked and decompressed, to recognise the application. Payload: reports redact them.
  package static let openingLimit = 128
  /// For how many messages of one direction they are kept: the first ones.
  package static let openings: UInt64 = 8

  package struct Fault: Sendable {
    /// The packet with the first invalid byte, and its place in the message.
    package var packet: PacketRef
    package var offset: UInt64

    package init(packet: PacketRef, offset: UInt64) {
      self.packet = packet
      self.offset = offset
    }
  }

  /// Why compressed bytes could not be read.
  package enum Inflation: Sendable {
    case notCompressed, inflated
    case failed(String, PacketRef)
    /// A back reference over more bytes than the sender may reach: so far, and so far allowed. `isForgotten` where the
    /// message must not reach before its own beginning.
    case tooFar(distance: UInt64, limit: UInt64, isForgotten: Bool, PacketRef)
    /// It expands to more than this program decodes of one message.
    case stopped(ratio: UInt64, PacketRef)
    /// An earlier message could not be decoded, or was not captured: the window differs from the peer's.
    case unreadable
    /// RSV1 without negotiated compression, or the handshake was not captured.
    case notAgreed
  }

  package var direction: Direction
  /// From 0, in its direction.
  package var index: UInt64
  /// Of its first frame: text or binary.
  package var opcode: Opcode
  package var frames: UInt64 = 1
  /// Of its first byte and its last.
  package var span: ByteSpan
  package var released: PacketRef
  /// Payload on the wire, and as delivered to the application.
  package var wireBytes: UInt64 = 0
  package var bytes: UInt64 = 0
  package var inflation = Inflation.notCompressed
  /// The payload ends with the four bytes that a sender of compressed messages leaves out.
  package var endsWithTail = false
  /// Final blocks of DEFLATE in it.
  package var finalBlocks: UInt64 = 0
  package var utf8: Fault?
  /// Empty after the first `openings` messages.
  package var opening: [UInt8] = []
  /// Hash of its payload, if it is to be compared.
  package var hash: UInt64?
  /// Its last frame was received.
  package var isComplete = false

  /// All of it is what applications get.
  package var isReadable: Bool {
    switch inflation {
    case .notCompressed, .inflated: true
    case .failed, .tooFar, .stopped, .unreadable, .notAgreed: false
    }
  }

  /// One whole frame of no more than `plainLimit` bytes, not compressed.
  package var isOneFrame: Bool {
    guard isComplete, frames == 1, opcode != .continuation, wireBytes <= Self.plainLimit else { return false }
    if case .notCompressed = inflation { return true }
    return false
  }

  /// That, and nothing is wrong with it: most messages.
  package var isPlain: Bool { isOneFrame && utf8 == nil }

  package static let plainLimit: UInt64 = 1 << 20

  package init(direction: Direction, index: UInt64, opcode: Opcode, span: ByteSpan, released: PacketRef) {
    self.direction = direction
    self.index = index
    self.opcode = opcode
    self.span = span
    self.released = released
  }
}
