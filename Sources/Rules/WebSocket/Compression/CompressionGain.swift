import Citation
import Events
import WebSocketSemantics

/// What compression brought to a direction, all messages together.
struct CompressionGain: Sendable {
  let side: WebSocketDirection
  let figures: DeflateFigures
  /// Each message is compressed as if it were the first.
  let forgetsContext: Bool
  /// The first and the last message.
  let evidence: [Evidence]

  /// nil where it was not agreed, or nothing was sent.
  init?(_ direction: Direction, of socket: ClosedSocket) {
    guard let terms = socket.record.opening.deflate else { return nil }
    side = socket.record.sides[direction]
    guard let first = side.firstMessage, let last = side.lastMessage else { return nil }
    figures = side.deflate ?? DeflateFigures()
    forgetsContext = terms[direction].forgetsContext
    evidence = [
      Evidence(.packet(first, direction), "the first message"), Evidence(.packet(last, direction), "the last one"),
    ]
  }
}
