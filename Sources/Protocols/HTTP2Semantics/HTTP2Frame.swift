import Citation

/// A frame whose last byte is there (RFC 9113 §4.1). What DATA carries is told while it comes, and the fields of a
/// header block when the block is whole; all else is small and here.
package struct HTTP2Frame: Hashable, Sendable {
  package var type: HTTP2FrameType
  package var flags: UInt8
  package var stream: UInt32
  /// Of the payload, as announced.
  package var length: UInt32
  /// The first byte of the header to the last of the payload.
  package var span: ByteSpan
  /// The packet that made the last byte readable: this is when the frame was complete.
  package var released: PacketRef
  package var payload = Payload.none
  /// Payload bytes that the capture lacks.
  package var missing: UInt32 = 0

  package enum Payload: Hashable, Sendable {
    /// It has none, or none that means anything here.
    case none
    /// Its length is not one that its type can have.
    case malformed
    /// `padding` with the byte that says how long it is.
    case data(bytes: UInt32, padding: UInt32)
    case priority(dependsOn: UInt32)
    case reset(HTTP2ErrorCode)
    case settings([HTTP2Setting])
    case pushPromise(UInt32)
    case ping(UInt64)
    /// `debug` holds at most `debugLimit` of `debugBytes`.
    case goAway(lastStream: UInt32, HTTP2ErrorCode, debug: [UInt8], debugBytes: UInt32)
    case windowUpdate(UInt32)
  }

  /// Bytes of GOAWAY's debug data that are kept.
  package static let debugLimit = 64
  @inlinable @inline(__always)
  package static var headerLength: Int { 9 }

  package init(
    type: HTTP2FrameType, flags: UInt8, stream: UInt32, length: UInt32, span: ByteSpan, released: PacketRef
  ) {
    self.type = type
    self.flags = flags
    self.stream = stream
    self.length = length
    self.span = span
    self.released = released
  }

  /// The last frame of its direction of a stream: of DATA and HEADERS.
  @inline(__always)
  package var endsStream: Bool { flags & 0x1 != 0 && (type == .data || type == .headers) }
  /// Of SETTINGS and PING.
  @inline(__always)
  package var isAcknowledgement: Bool { flags & 0x1 != 0 && (type == .settings || type == .ping) }

  /// The header as it stood on the wire.
  package var header: Excerpt {
    let words: [UInt32] = [length >> 16, length >> 8, length]
    var bytes = words.map { UInt8(truncatingIfNeeded: $0) }
    bytes += [type.rawValue, flags]
    for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: stream >> UInt32(shift))) }
    return Excerpt(bytes.span, isPayload: false)
  }
}

/// A frame of DATA as it is counted: nearly all frames are one, and all of it is numbers.
package struct HTTP2DataFrame: Sendable {
  package var stream: UInt32
  package var flags: UInt8
  /// Of the payload, as announced, and the parts of it.
  package var length: UInt32
  package var content: UInt32
  package var padding: UInt32
  package var span: ByteSpan
  package var released: PacketRef

  @inline(__always)
  package init(
    stream: UInt32, flags: UInt8, length: UInt32, content: UInt32, padding: UInt32, span: ByteSpan, released: PacketRef
  ) {
    self.stream = stream
    self.flags = flags
    self.length = length
    self.content = content
    self.padding = padding
    self.span = span
    self.released = released
  }

  /// nil for a frame of another type, and for one without a length that it can have.
  package init?(_ frame: HTTP2Frame) {
    guard frame.type == .data, case .data(let content, let padding) = frame.payload else { return nil }
    self.init(
      stream: frame.stream, flags: frame.flags, length: frame.length, content: content, padding: padding,
      span: frame.span, released: frame.released)
  }

  @inline(__always)
  package var endsStream: Bool { flags & 0x1 != 0 }

  /// The same as any frame is, for what is told of it.
  package var frame: HTTP2Frame {
    var frame = HTTP2Frame(
      type: .data, flags: flags, stream: stream, length: length, span: span, released: released)
    frame.payload = .data(bytes: content, padding: padding)
    return frame
  }
}

/// Something in the framing that a sender must not do; reading goes on where it can.
package struct HTTP2Fault: Hashable, Sendable {
  package enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    /// The client's first bytes are not the preface, or the server's first frame is not SETTINGS.
    case prefaceMissing
    /// `value` is the length, `limit` what the receiver allows.
    case frameTooLarge
    /// A length that the type cannot have.
    case frameSize
    /// On a stream although its type belongs to the connection, or the other way round.
    case frameStream
    /// CONTINUATION continues nothing, or a block of another stream.
    case continuationUnexpected
    /// Another frame stands inside a header block.
    case blockInterrupted
    /// A header block in very many frames, or very long: the rest is not kept. `value` counts frames.
    case continuationFlood
    /// `value` is the padding, `limit` the payload.
    case paddingInvalid
    case windowUpdateZero
    /// SETTINGS with ACK and a payload.
    case settingsAckPayload
    case typeUnknown

    // What only both directions together show.

    /// On a stream that nobody opened.
    case streamIdle
    /// Data before the head of its message.
    case dataBeforeHead
    /// DATA or HEADERS behind the sender's own end of the stream.
    case afterEnd
    /// Such HEADERS hold pseudo-header fields, which trailers never do.
    case pseudoAfterEnd
    /// A stream of the wrong parity, or behind a later one. `limit` is the highest one used before.
    case streamNumber
    /// `value` streams are open, and the receiver allows `limit`.
    case tooManyStreams
    /// Fields behind a head that do not end the message, or an interim response that does.
    case trailersUnended
    /// `value` of the setting `limit`.
    case settingValue
    case pushForbidden
    /// More data than the receiver gave credit for: `value` bytes where `limit` were left.
    case windowExceeded
    /// `value` is what the window would be.
    case windowOverflow
    /// A PING that acknowledges none.
    case pingUnasked
  }

  package var kind: Kind
  package var frame: HTTP2Frame
  package var value: UInt64
  package var limit: UInt64
  /// Of `prefaceMissing`: the first bytes.
  package var bytes: [UInt8] = []

  package init(_ kind: Kind, _ frame: HTTP2Frame, value: UInt64 = 0, limit: UInt64 = 0, bytes: [UInt8] = []) {
    self.kind = kind
    self.frame = frame
    self.value = value
    self.limit = limit
    self.bytes = bytes
  }
}

/// What an encoder of header blocks must not do (RFC 7541).
package enum HPACKFaultKind: UInt8, Hashable, Sendable, CaseIterable {
  case indexZero
  /// Beyond the static and the dynamic table; `value` is the index, `limit` the last one that there is.
  case indexTooLarge
  /// `value` is above the `limit` that the receiver set.
  case sizeUpdateTooLarge
  /// Behind the first field of its block.
  case sizeUpdateLate
  /// The limit was lowered below the table's size, and the next block does not begin with an update.
  case sizeUpdateMissing
  /// More than 32 bits, or more than six octets.
  case integerTooLarge
  /// The block ends inside an integer or a string.
  case truncated
  /// A string holds the symbol that ends strings.
  case huffmanEnd
  /// A string ends with more than seven bits that are no symbol, or with bits that are not ones.
  case huffmanPadding
}

/// A fault in a header block, and where it stood on the wire.
package struct HTTP2BlockFault: Hashable, Sendable {
  package var kind: HPACKFaultKind
  package var stream: UInt32
  package var span: ByteSpan
  package var value: UInt64
  package var limit: UInt64

  package init(_ kind: HPACKFaultKind, stream: UInt32, _ span: ByteSpan, value: UInt64, limit: UInt64) {
    self.kind = kind
    self.stream = stream
    self.span = span
    self.value = value
    self.limit = limit
  }
}

extension HTTP2Fault.Kind {
  /// What the other side said may have allowed it.
  package var dependsOnOther: Bool {
    switch self {
    case .streamIdle, .windowExceeded, .windowOverflow, .tooManyStreams, .pingUnasked: true
    default: false
    }
  }
}
