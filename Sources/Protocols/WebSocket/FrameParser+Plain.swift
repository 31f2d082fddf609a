import Citation
import WebSocketSemantics

// The short way for what most frames are: see PlainFrame. It says the same as `consume`, in one word.
extension FrameParser {
  /// The plain frame that begins at a place of a chunk and is all there; nil leaves it to `consume`. Not taken until
  /// `pass`. Mutating, because to ask the whole is copied.
  @inline(__always)
  package mutating func plain(_ chunk: borrowing CitedBytes, at position: Int, _ direction: Direction, isMasked: Bool)
    -> PlainFrame?
  {
    let bytes = chunk.bytes
    guard !isInside, !isDone, position + 2 <= bytes.count, bytes[position] == 0x81 || bytes[position] == 0x82,
      bytes[position + 1] & 0x80 == (isMasked ? 0x80 : 0)
    else { return nil }
    var length = UInt16(bytes[position + 1] & 0x7F)
    var place = position + 2
    if length == 126 {
      guard place + 2 <= bytes.count else { return nil }
      length = UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1])
      place += 2
      guard length > 125 else { return nil }
    } else if length == 127 {
      return nil
    }
    var key: UInt32?
    if isMasked {
      guard place + 4 <= bytes.count else { return nil }
      key =
        UInt32(bytes[place]) << 24 | UInt32(bytes[place + 1]) << 16 | UInt32(bytes[place + 2]) << 8
        | UInt32(bytes[place + 3])
      place += 4
    }
    guard Int(length) <= bytes.count - place else { return nil }
    return PlainFrame(
      opcode: Opcode(rawValue: bytes[position]), direction, maskKey: key, length: length,
      offset: chunk.offset &+ UInt64(truncatingIfNeeded: position), index: index, in: chunk.packet)
  }
}
