import Trace

/// Frames in a row that one packet brought whole and that nobody can mind: text or binary messages of one frame, without
/// reserved bits, in the shortest form, masked as their sender has to. Most frames of most connections are that, and
/// together they cost what one of them would.
package struct PlainFrames: Hashable, Sendable {
  package struct One: Hashable, Sendable {
    package var opcode: Opcode
    /// As in Frame.
    package var maskKey: UInt32?
    package var length: UInt64
    /// Where its first byte stands in the stream.
    package var offset: UInt64

    @inline(__always)
    package init(opcode: Opcode, maskKey: UInt32?, length: UInt64, offset: UInt64) {
      self.opcode = opcode
      self.maskKey = maskKey
      self.length = length
      self.offset = offset
    }

    /// As it was sent.
    package var head: FrameHeader {
      var bytes: [8 of UInt8] = .init(repeating: 0)
      bytes[0] = 0x80 | opcode.rawValue
      let mask: UInt8 = maskKey == nil ? 0 : 0x80
      var place = 2
      if length > 125 {
        bytes[1] = mask | 126
        bytes[2] = UInt8(truncatingIfNeeded: length >> 8)
        bytes[3] = UInt8(truncatingIfNeeded: length)
        place = 4
      } else {
        bytes[1] = mask | UInt8(truncatingIfNeeded: length)
      }
      if let maskKey {
        for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: maskKey >> UInt32(24 - 8 * index)) }
        place += 4
      }
      return FrameHeader(bytes.span.extracting(0..<place))
    }

    @inline(__always)
    package var headerLength: Int { 2 + (length > 125 ? 2 : 0) + (maskKey == nil ? 0 : 4) }
  }

  /// The index of the first one.
  package var index: UInt64
  package var packet: PacketRef
  /// Usually there is one: an array is made for more.
  package private(set) var first: One
  package private(set) var others: [One] = []

  package init(_ first: One, index: UInt64, in packet: PacketRef) {
    self.first = first
    self.index = index
    self.packet = packet
  }

  package mutating func append(_ one: One) { others.append(one) }

  package var count: Int { 1 + others.count }
  package var last: One { others.last ?? first }

  /// One of them as a frame, for those who quote it.
  package func frame(_ one: One, _ place: Int) -> Frame {
    Frame(
      index: index &+ UInt64(place), opcode: one.opcode, isFinal: true, reserved: 0, maskKey: one.maskKey,
      length: one.length, lengthForm: one.length > 125 ? .extended16 : .short, head: one.head, span: span(of: one),
      headerReleased: packet, released: packet, received: one.length)
  }

  package func span(of one: One) -> ByteSpan {
    let end = one.offset &+ UInt64(one.headerLength) &+ one.length
    return ByteSpan(one.offset..<max(one.offset, end), first: packet, last: packet)
  }

  package var lastFrame: Frame { frame(last, others.count) }
}
