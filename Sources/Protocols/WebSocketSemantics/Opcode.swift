// WebSocketSemantics is what frames are called, whoever reads them or judges them: the vocabulary of RFC 6455 and 7692
// between the parser, the dialogue, the rules and the reports. It parses nothing.

/// What a frame is (RFC 6455 §5.2). Four bits, so every value has a place.
package struct Opcode: Hashable, Sendable, Comparable {
  package let rawValue: UInt8

  @inline(__always)
  package init(rawValue: UInt8) { self.rawValue = rawValue & 0x0F }

  @inline(__always)
  package static func == (left: Opcode, right: Opcode) -> Bool { left.rawValue == right.rawValue }
  package static func != (left: Opcode, right: Opcode) -> Bool { !(left == right) }

  package static var continuation: Opcode { Opcode(rawValue: 0) }
  package static var text: Opcode { Opcode(rawValue: 1) }
  package static var binary: Opcode { Opcode(rawValue: 2) }
  package static var close: Opcode { Opcode(rawValue: 8) }
  package static var ping: Opcode { Opcode(rawValue: 9) }
  package static var pong: Opcode { Opcode(rawValue: 10) }

  /// Close, ping, pong, and the five kept free beside them: may stand between the fragments of a message.
  @inline(__always)
  package var isControl: Bool { rawValue >= 8 }
  package var isReserved: Bool { (3...7).contains(rawValue) || rawValue > 10 }

  package var name: String {
    switch self {
    case .continuation: "continuation"
    case .text: "text"
    case .binary: "binary"
    case .close: "close"
    case .ping: "ping"
    case .pong: "pong"
    default: "opcode \(rawValue)"
    }
  }

  package static func < (left: Opcode, right: Opcode) -> Bool { left.rawValue < right.rawValue }
}
