import Citation
import Events
import WebSocketSemantics

// Messages and control frames as pieces of a stream.
extension WebSocketDialogue {
  func tellPiece(_ message: WebSocketMessage, into events: inout [Event]) {
    var piece = Item(
      message.opcode == .text ? .text : .binary, message.direction, first: message.span.first,
      completed: message.released, bytes: message.bytes)
    piece.preview = Array(message.opening.prefix(pieces.previewLimit))
    piece.hash = message.hash
    tell(&piece, into: &events)
  }

  /// A plain frame is a message, or a control frame that says nothing more.
  func tellPiece(_ frame: PlainFrame, into events: inout [Event]) {
    var piece = Item(
      kind(of: frame.opcode), frame.direction, first: frame.packet, completed: frame.last, bytes: frame.length)
    tell(&piece, into: &events)
  }

  func tellPiece(_ frame: Frame, _ direction: Direction, into events: inout [Event]) {
    var piece = Item(
      kind(of: frame.opcode), direction, first: frame.span.first, completed: frame.released, bytes: frame.received)
    if let code = frame.closeCode { piece.label = "\(code)" }
    if frame.opcode == .close { piece.preview = Array(frame.closeReason.prefix(pieces.previewLimit)) }
    tell(&piece, into: &events)
  }

  private func tell(_ piece: inout Item, into events: inout [Event]) {
    piece.key = key
    events.append(.piece(Shared(piece)))
  }

  private func kind(of opcode: Opcode) -> Item.Kind {
    switch opcode {
    case .text: .text
    case .ping: .ping
    case .pong: .pong
    case .close: .close
    default: .binary
    }
  }
}
