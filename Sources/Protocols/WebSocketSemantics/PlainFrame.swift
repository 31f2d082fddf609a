import Citation

/// A frame that nobody can mind: a text or binary message of one frame, without reserved bits, in the shortest form of
/// a length below 64 KiB, masked as its sender has to, its header in one packet. Most frames of most connections are
/// that; several are reported together, and together they cost what one of the others does.
package struct PlainFrame: Hashable, Sendable {
  /// A longer one may come in several packets. That a short one does is something to mind.
  package static let smallLimit: UInt64 = 1_000

  package var opcode: Opcode
  package var direction: Direction
  package var isMasked: Bool
  private var key: UInt32
  private var shortLength: UInt16
  /// As in Frame.
  package private(set) var firstPart: UInt16
  /// Where its first byte stands in the stream.
  package var offset: UInt64
  /// As in Frame.
  package var index: UInt64
  /// The packet of its header.
  package var packet: PacketRef
  /// The packet of its last byte.
  package var last: PacketRef

  @inline(__always)
  package init(
    opcode: Opcode, _ direction: Direction, maskKey: UInt32?, length: UInt16, offset: UInt64, index: UInt64,
    in packet: PacketRef
  ) {
    self.opcode = opcode
    self.direction = direction
    isMasked = maskKey != nil
    key = maskKey ?? 0
    shortLength = length
    firstPart = length
    self.offset = offset
    self.index = index
    self.packet = packet
    last = packet
  }

  /// The frame, if it is plain. Whether its text is text is not known here.
  package init?(_ frame: Frame, _ direction: Direction, isMasked: Bool) {
    guard frame.isComplete, frame.isFinal, frame.reserved == 0, frame.opcode == .text || frame.opcode == .binary,
      frame.isMasked == isMasked, let length = UInt16(exactly: frame.length),
      frame.lengthForm == (length > 125 ? .extended16 : .short),
      frame.headerReleased?.number == frame.span.first.number, frame.released.number == frame.span.last.number,
      frame.length > Self.smallLimit || frame.span.first.number == frame.span.last.number
    else { return nil }
    self.init(
      opcode: frame.opcode, direction, maskKey: frame.maskKey, length: length, offset: frame.span.range.lowerBound,
      index: frame.index, in: frame.span.first)
    last = frame.span.last
    firstPart = UInt16(clamping: frame.firstPart)
  }

  @inline(__always)
  package var maskKey: UInt32? { isMasked ? key : nil }
  @inline(__always)
  package var length: UInt64 { UInt64(shortLength) }
  @inline(__always)
  package var headerLength: Int { 2 + (shortLength > 125 ? 2 : 0) + (isMasked ? 4 : 0) }

  package var span: ByteSpan {
    let end = offset &+ UInt64(headerLength) &+ length
    return ByteSpan(offset..<max(offset, end), first: packet, last: last)
  }

  /// As it was sent.
  package var head: FrameHeader {
    var bytes: [8 of UInt8] = .init(repeating: 0)
    bytes[0] = 0x80 | opcode.rawValue
    let mask: UInt8 = isMasked ? 0x80 : 0
    var place = 2
    if shortLength > 125 {
      bytes[1] = mask | 126
      bytes[2] = UInt8(truncatingIfNeeded: shortLength >> 8)
      bytes[3] = UInt8(truncatingIfNeeded: shortLength)
      place = 4
    } else {
      bytes[1] = mask | UInt8(truncatingIfNeeded: shortLength)
    }
    if isMasked {
      for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: key >> UInt32(24 - 8 * index)) }
      place += 4
    }
    return FrameHeader(bytes.span.extracting(0..<place))
  }

  /// The same as others are reported, for those who quote it.
  package var frame: Frame {
    var frame = Frame(
      index: index, opcode: opcode, isFinal: true, reserved: 0, maskKey: maskKey, length: length,
      lengthForm: shortLength > 125 ? .extended16 : .short, head: head, span: span, headerReleased: packet,
      released: last, received: length)
    frame.firstPart = UInt64(firstPart)
    return frame
  }
}
