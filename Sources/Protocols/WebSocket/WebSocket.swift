// WebSocket reads one direction of a WebSocket connection (RFC 6455 §5) and locates its parts: FrameParser turns
// stream bytes into FrameTokens. It keeps a header and the payload of a control frame, never a message. Whether a frame
// is allowed where it stands is for the rules; whether messages are joined, inflated and read as text, for the dialogue.
import Citation
import WebSocketSemantics

/// What a parser emits, in stream order.
package enum FrameToken: Hashable, Sendable {
  /// A header is complete.
  case frameStart(Frame)
  /// Payload bytes of the chunk being consumed, still masked; `payloadOffset` counts from the payload's first byte.
  /// Adjacent ones mean the same as one. Not reported of control frames: their payload comes with their end.
  case payload(range: Range<UInt64>, payloadOffset: UInt64, maskKey: UInt32?)
  /// All of a frame is there, or no more of it comes.
  case frameEnd(Frame)
  /// The capture lacks bytes: nothing more is read, because nothing says where a frame begins.
  case lost(Range<UInt64>, PacketRef)
}
