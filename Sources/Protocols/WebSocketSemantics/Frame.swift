import Citation

/// A frame, as far as it came.
///
/// Everything its first bytes say is here as soon as they are there, whatever became of the rest: a frame that breaks a
/// rule in its first byte breaks it even if no other byte follows.
package struct Frame: Hashable, Sendable {
  /// How the length was written.
  package enum LengthForm: UInt8, Hashable, Sendable {
    case short, extended16, extended64
  }

  /// From 0, in its direction.
  package var index: UInt64
  package var opcode: Opcode
  package var isFinal: Bool
  /// Three bits: RSV1 is 4, RSV2 is 2, RSV3 is 1.
  package var reserved: UInt8
  /// As a big-endian number; nil where the mask bit is 0 or did not come. Without `headerReleased` it may lack bytes,
  /// which are zero then, and so is the length.
  package var maskKey: UInt32?
  /// As announced; nothing is ever allocated from it.
  package var length: UInt64
  package var lengthForm: LengthForm
  /// Two to fourteen bytes; fewer where the frame broke off inside them.
  package var head: FrameHeader
  /// The first byte of the header to the last byte that is there.
  package var span: ByteSpan
  /// The packet that completed the header; nil where none did.
  package var headerReleased: PacketRef?
  /// The packet that made the last byte readable.
  package var released: PacketRef
  /// Payload bytes that are there, and those of them in the packet that completed the header.
  package var received: UInt64
  package var firstPart: UInt64 = 0
  /// Of a control frame: its payload, unmasked, at most `controlLimit` bytes of it.
  package var control: [UInt8]

  /// What a control frame may carry (RFC 6455 §5.5).
  package static let controlLimit = 125

  package init(
    index: UInt64, opcode: Opcode, isFinal: Bool, reserved: UInt8, maskKey: UInt32?, length: UInt64,
    lengthForm: LengthForm, head: FrameHeader, span: ByteSpan, headerReleased: PacketRef?, released: PacketRef,
    received: UInt64, control: [UInt8] = []
  ) {
    self.index = index
    self.opcode = opcode
    self.isFinal = isFinal
    self.reserved = reserved
    self.maskKey = maskKey
    self.length = length
    self.lengthForm = lengthForm
    self.head = head
    self.span = span
    self.headerReleased = headerReleased
    self.released = released
    self.received = received
    self.control = control
  }

  /// As it was sent; framing, not payload.
  package var header: Excerpt { head.excerpt }
  package var isMasked: Bool { maskKey != nil }
  package var isComplete: Bool { headerReleased != nil && received == length }
  package var hasRSV1: Bool { reserved & 4 != 0 }

  /// The code of a close frame that has one.
  package var closeCode: UInt16? {
    guard opcode == .close, control.count >= 2 else { return nil }
    return UInt16(control[0]) << 8 | UInt16(control[1])
  }

  /// What stands after the code of a close frame.
  package var closeReason: ArraySlice<UInt8> { opcode == .close ? control.dropFirst(2) : [] }
}

extension Frame {
  /// A status line of HTTP/1 where a frame should begin: "HT" reads as the header of a Close of 84 bytes that is cut into
  /// fragments and has a reserved bit. No sender of frames writes that.
  package var statusLine: [UInt8]? {
    guard opcode == .close, !isFinal, reserved == 4, maskKey == nil, lengthForm == .short, length == 0x54,
      control.starts(with: "TP/1.".utf8)
    else { return nil }
    return Array("HT".utf8) + control.prefix { $0 != 0x0D && $0 != 0x0A }
  }
}

/// The bytes of a header, in their place: a frame is made for every frame, and an array would be, too.
package struct FrameHeader: Hashable, Sendable {
  private var high: UInt64 = 0
  private var low: UInt64 = 0
  private var count: UInt8 = 0

  @inline(__always)
  package init(_ bytes: Span<UInt8>) {
    let kept = min(bytes.count, 14)
    count = UInt8(kept)
    for index in 0..<kept {
      if index < 8 {
        high = high << 8 | UInt64(bytes[index])
      } else {
        low = low << 8 | UInt64(bytes[index])
      }
    }
  }

  package var bytes: [UInt8] {
    let first = min(Int(count), 8)
    return (0..<Int(count)).map { index in
      index < 8
        ? UInt8(truncatingIfNeeded: high >> UInt64(8 * (first - 1 - index)))
        : UInt8(truncatingIfNeeded: low >> UInt64(8 * (Int(count) - 1 - index)))
    }
  }

  package var excerpt: Excerpt { Excerpt(bytes.span, isPayload: false) }
}
