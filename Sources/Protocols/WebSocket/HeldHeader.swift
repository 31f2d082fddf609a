import Citation
import WebSocketSemantics

/// The header of a frame as far as it came (RFC 6455 §5.2): two bytes that say how many more there are, up to fourteen.
///
/// Invariant: `count` is at most `needed`, which is 2 until the second byte is there.
struct HeldHeader: Sendable {
  /// Two bytes, a length of eight and a key of four.
  static let limit = 14

  private var bytes: [14 of UInt8] = .init(repeating: 0)
  private(set) var count = 0
  private(set) var needed = 2
  private var start: UInt64 = 0
  private var first = PacketRef.none

  @inline(__always)
  var isComplete: Bool { count == needed }

  /// Takes bytes from `position` on until the header is complete, and answers where it stopped.
  mutating func take(_ chunk: borrowing CitedBytes, from position: Int) -> Int {
    var position = position
    if count == 0 {
      start = chunk.offset &+ UInt64(truncatingIfNeeded: position)
      first = chunk.packet
    }
    while position < chunk.bytes.count, count < needed {
      bytes[count] = chunk.bytes[position]
      count += 1
      position += 1
      if count == 2 { needed = 2 + lengthBytes + (hasMaskBit ? 4 : 0) }
    }
    return position
  }

  mutating func removeAll() {
    count = 0
    needed = 2
  }

  /// What these bytes say. Bytes of a key that did not come are zero in it, and so is a length that is not whole.
  func frame(_ index: UInt64, last: PacketRef, released: PacketRef) -> Frame {
    let end = start &+ UInt64(truncatingIfNeeded: count)
    return Frame(
      index: index, opcode: Opcode(rawValue: bytes[0]), isFinal: bytes[0] & 0x80 != 0, reserved: bytes[0] >> 4 & 7,
      maskKey: hasMaskBit ? key : nil, length: length, lengthForm: lengthForm,
      head: FrameHeader(bytes.span.extracting(0..<count)),
      span: ByteSpan(start..<max(start, end), first: first, last: last), headerReleased: isComplete ? released : nil,
      released: released, received: 0)
  }

  // MARK: The second byte and what it announces

  private var hasMaskBit: Bool { count >= 2 && bytes[1] & 0x80 != 0 }

  private var lengthForm: Frame.LengthForm {
    guard count >= 2 else { return .short }
    return switch bytes[1] & 0x7F {
    case 126: .extended16
    case 127: .extended64
    default: .short
    }
  }

  private var lengthBytes: Int {
    switch lengthForm {
    case .short: 0
    case .extended16: 2
    case .extended64: 8
    }
  }

  private var length: UInt64 {
    guard count >= 2 + lengthBytes else { return 0 }
    if lengthForm == .short { return UInt64(bytes[1] & 0x7F) }
    var length: UInt64 = 0
    for index in 2..<2 + lengthBytes { length = length << 8 | UInt64(bytes[index]) }
    return length
  }

  private var key: UInt32 {
    var key: UInt32 = 0
    let from = 2 + lengthBytes
    for index in from..<from + 4 { key = key << 8 | (index < count ? UInt32(bytes[index]) : 0) }
    return key
  }
}
