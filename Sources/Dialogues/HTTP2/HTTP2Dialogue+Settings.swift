import Citation
import HTTP2
import HTTP2Semantics

// What the two sides allow each other (RFC 9113 §6.5), and when it begins to count.
extension HTTP2Dialogue {
  /// What a side sent counts for the other: what is raised at once, what is lowered when it is acknowledged.
  mutating func announce(_ settings: [HTTP2Setting], _ direction: Direction, in packet: PacketRef) {
    sides[direction].announce(settings)
    for setting in settings {
      switch setting.id {
      case HTTP2Setting.maxFrameSize where 16_384...16_777_215 ~= setting.value:
        let other = direction.opposite
        sides[other].parser.maxFrameSize = max(sides[other].parser.maxFrameSize, setting.value)
      case HTTP2Setting.headerTableSize:
        sides[direction.opposite].raiseTable(to: setting.value)
      case HTTP2Setting.initialWindowSize where Int64(setting.value) > sides[direction.opposite].initialWindow:
        setWindow(to: setting.value, direction.opposite, in: packet)
      case HTTP2Setting.maxConcurrentStreams where !isRequest(direction): places.limit = setting.value
      default: break
      }
    }
  }

  mutating func acknowledge(_ direction: Direction, in packet: PacketRef) {
    for setting in sides[direction.opposite].acknowledged(in: packet) {
      switch setting.id {
      case HTTP2Setting.maxFrameSize where 16_384...16_777_215 ~= setting.value:
        sides[direction].parser.maxFrameSize = setting.value
      case HTTP2Setting.headerTableSize: sides[direction].setTable(to: setting.value)
      case HTTP2Setting.initialWindowSize where Int64(setting.value) < sides[direction].initialWindow:
        setWindow(to: setting.value, direction, in: packet)
      case HTTP2Setting.maxConcurrentStreams: sides[direction].streamLimit = setting.value
      case HTTP2Setting.enablePush: sides[direction].mayPush = setting.value != 0
      default: break
      }
    }
  }

  /// All streams that are open have the difference more, or less.
  private mutating func setWindow(to size: UInt32, _ direction: Direction, in packet: PacketRef) {
    guard size <= UInt32(Int32.max) else { return }
    let difference = Int64(size) - sides[direction].initialWindow
    sides[direction].initialWindow = Int64(size)
    for at in table.inOrder { table.streams[at].widenWindow(by: difference, direction) }
    giveAll(difference, direction, by: packet)
  }
}
