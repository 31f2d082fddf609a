import Citation
import Events
import HTTPSemantics
import WebSocketSemantics

// Messages and control frames as entries of the connection's timeline.
extension WebSocketDialogue {
  func tellMoment(_ message: WebSocketMessage, into events: inout [Event]) {
    let name = message.opcode.name
    var entry = TimelineEntry(.message, message.direction, message.span.first, bytes: message.bytes)
    entry.last = message.span.last
    entry.value = 1
    entry.label = message.isComplete ? name : "unfinished \(name)"
    events.append(.moment(entry))
  }

  func tellMoment(_ frame: PlainFrame, into events: inout [Event]) {
    var entry = TimelineEntry(.message, frame.direction, frame.packet, bytes: frame.length)
    entry.last = frame.last
    entry.value = 1
    entry.label = frame.opcode.name
    events.append(.moment(entry))
  }

  /// `ping` is the packet of the ping that a pong answers.
  func tell(_ frame: Frame, _ direction: Direction, after ping: PacketRef?, into events: inout [Event]) {
    var entry = TimelineEntry(.message, direction, frame.span.first, bytes: frame.received)
    entry.last = frame.span.last
    entry.value = 1
    switch frame.opcode {
    case .close:
      entry.label = frame.closeCode.map { "CLOSE \($0)" } ?? "CLOSE without a code"
      entry.quote = Array(frame.closeReason)
      entry.bytes = 0
    default: entry.label = frame.opcode.name.uppercased()
    }
    entry.earlier = ping
    if !frame.isComplete { entry.label += ", unfinished" }
    events.append(.moment(entry))
  }
}
