import Citation
import Events
import WebSocket
import WebSocketSemantics

/// What is read of one direction of a WebSocket connection.
///
/// Large, and asked for every packet: each question is one call that changes it in its place.
struct SocketSide: Sendable {
  /// It sent a Close: every frame behind it is of interest.
  var hasClosed = false
  let direction: Direction
  private let isClients: Bool
  var parser = FrameParser()
  var builder: SocketMessageBuilder

  init(_ direction: Direction, _ opening: WebSocketOpening, _ pieces: PieceOptions) {
    self.direction = direction
    isClients = direction == opening.client
    builder = SocketMessageBuilder(direction, opening.deflate?[direction], pieces)
  }

  /// Takes the plain frames that stand in a chunk from a place on, until there are `limit` of them, or a chunk that is
  /// all inside a payload; answers where what it took ends.
  mutating func pass(
    _ chunk: borrowing CitedBytes, from start: Int, into frames: inout [PlainFrame], upTo limit: Int
  ) -> Int {
    if start == 0, let inside = parser.takeInside(chunk) {
      builder.take(chunk.bytes, at: inside.payloadOffset, key: inside.maskKey, in: chunk.released)
      return chunk.bytes.count
    }
    guard !hasClosed, chunk.packet.number == chunk.released.number else { return start }
    var position = start
    while frames.count < limit,
      let frame = parser.plain(chunk, at: position, direction, isMasked: isClients)
    {
      let payload = position + frame.headerLength
      let end = payload + Int(truncatingIfNeeded: frame.length)
      guard builder.passes(frame, chunk.bytes.extracting(payload..<end)) else { break }
      parser.pass(chunk)
      frames.append(frame)
      position = end
    }
    return position
  }

  /// A whole frame that could not pass because it came in several packets, and is plain for all that.
  mutating func plain(_ frame: Frame) -> PlainFrame? {
    guard !hasClosed, let one = PlainFrame(frame, direction, isMasked: isClients), builder.endsPlainly(frame) else {
      return nil
    }
    return one
  }
}
