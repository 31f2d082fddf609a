// HTTP2Semantics is what frames, codes and settings of HTTP/2 are called, whoever reads or judges them: the vocabulary
// of RFC 9113 between the parser, the dialogue, the rules and the reports. It parses nothing.
//
//   HTTP2FrameType HTTP2ErrorCode HTTP2Setting     numbers of the wire and their names
//   HTTP2Frame                                     a frame: header, times, and what it says if it is short
//   HTTP2Fault                                     what a sender must not do, with the bytes in question

/// What a frame is (RFC 9113 §6). Every value has a place: unknown types are to be ignored.
package struct HTTP2FrameType: Hashable, Sendable, Comparable {
  package let rawValue: UInt8

  @inlinable @inline(__always)
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  @inlinable @inline(__always)
  package static var data: HTTP2FrameType { HTTP2FrameType(rawValue: 0) }
  @inlinable @inline(__always)
  package static var headers: HTTP2FrameType { HTTP2FrameType(rawValue: 1) }
  @inlinable @inline(__always)
  package static var priority: HTTP2FrameType { HTTP2FrameType(rawValue: 2) }
  @inlinable @inline(__always)
  package static var reset: HTTP2FrameType { HTTP2FrameType(rawValue: 3) }
  @inlinable @inline(__always)
  package static var settings: HTTP2FrameType { HTTP2FrameType(rawValue: 4) }
  @inlinable @inline(__always)
  package static var pushPromise: HTTP2FrameType { HTTP2FrameType(rawValue: 5) }
  @inlinable @inline(__always)
  package static var ping: HTTP2FrameType { HTTP2FrameType(rawValue: 6) }
  @inlinable @inline(__always)
  package static var goAway: HTTP2FrameType { HTTP2FrameType(rawValue: 7) }
  @inlinable @inline(__always)
  package static var windowUpdate: HTTP2FrameType { HTTP2FrameType(rawValue: 8) }
  @inlinable @inline(__always)
  package static var continuation: HTTP2FrameType { HTTP2FrameType(rawValue: 9) }
  /// RFC 7838.
  @inlinable @inline(__always)
  package static var altSvc: HTTP2FrameType { HTTP2FrameType(rawValue: 0x0A) }
  /// RFC 8336.
  @inlinable @inline(__always)
  package static var origin: HTTP2FrameType { HTTP2FrameType(rawValue: 0x0C) }
  /// RFC 9218.
  @inlinable @inline(__always)
  package static var priorityUpdate: HTTP2FrameType { HTTP2FrameType(rawValue: 0x10) }

  /// Both written out, because the synthesised comparison is a call through a table from another module, also where a
  /// `switch` asks for it.
  @inlinable @inline(__always)
  package static func == (left: HTTP2FrameType, right: HTTP2FrameType) -> Bool { left.rawValue == right.rawValue }
  package static func != (left: HTTP2FrameType, right: HTTP2FrameType) -> Bool { !(left == right) }

  @inlinable @inline(__always)
  package static func ~= (pattern: HTTP2FrameType, type: HTTP2FrameType) -> Bool { pattern.rawValue == type.rawValue }

  /// One of RFC 9113.
  @inlinable @inline(__always)
  package var isCore: Bool { rawValue <= 9 }
  @inlinable @inline(__always)
  package var isKnown: Bool { isCore || self == .altSvc || self == .origin || self == .priorityUpdate }

  /// True where the frame belongs to a stream, false where it belongs to the connection, nil where it may be either.
  @inlinable @inline(__always)
  package var wantsStream: Bool? {
    switch rawValue {
    case 0, 1, 2, 3, 5, 9: true
    case 4, 6, 7, 0x0C, 0x10: false
    default: nil
    }
  }

  package var name: String {
    switch rawValue {
    case 0: "DATA"
    case 1: "HEADERS"
    case 2: "PRIORITY"
    case 3: "RST_STREAM"
    case 4: "SETTINGS"
    case 5: "PUSH_PROMISE"
    case 6: "PING"
    case 7: "GOAWAY"
    case 8: "WINDOW_UPDATE"
    case 9: "CONTINUATION"
    default: "type\(rawValue)"
    }
  }

  package static func < (left: HTTP2FrameType, right: HTTP2FrameType) -> Bool { left.rawValue < right.rawValue }
}

/// Why a stream was reset or a connection given up (RFC 9113 §7).
package struct HTTP2ErrorCode: Hashable, Sendable {
  package let rawValue: UInt32

  @inline(__always)
  package init(_ rawValue: UInt32) { self.rawValue = rawValue }

  package static var noError: HTTP2ErrorCode { HTTP2ErrorCode(0) }
  package static var protocolError: HTTP2ErrorCode { HTTP2ErrorCode(1) }
  package static var internalError: HTTP2ErrorCode { HTTP2ErrorCode(2) }
  package static var flowControlError: HTTP2ErrorCode { HTTP2ErrorCode(3) }
  package static var settingsTimeout: HTTP2ErrorCode { HTTP2ErrorCode(4) }
  package static var streamClosed: HTTP2ErrorCode { HTTP2ErrorCode(5) }
  package static var frameSizeError: HTTP2ErrorCode { HTTP2ErrorCode(6) }
  package static var refusedStream: HTTP2ErrorCode { HTTP2ErrorCode(7) }
  package static var cancel: HTTP2ErrorCode { HTTP2ErrorCode(8) }
  package static var compressionError: HTTP2ErrorCode { HTTP2ErrorCode(9) }
  package static var connectError: HTTP2ErrorCode { HTTP2ErrorCode(10) }
  package static var enhanceYourCalm: HTTP2ErrorCode { HTTP2ErrorCode(11) }
  package static var inadequateSecurity: HTTP2ErrorCode { HTTP2ErrorCode(12) }
  package static var http11Required: HTTP2ErrorCode { HTTP2ErrorCode(13) }

  private static let names = [
    "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED",
    "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM",
    "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
  ]

  /// `PROTOCOL_ERROR`, or the number of a code that has no name.
  package var name: String { knownName ?? "code \(rawValue)" }

  package var knownName: String? { rawValue < UInt32(Self.names.count) ? Self.names[Int(rawValue)] : nil }
}

/// One setting of a SETTINGS frame (RFC 9113 §6.5.2).
package struct HTTP2Setting: Hashable, Sendable {
  package var id: UInt16
  package var value: UInt32

  package init(id: UInt16, value: UInt32) {
    self.id = id
    self.value = value
  }

  package static let headerTableSize: UInt16 = 1
  package static let enablePush: UInt16 = 2
  package static let maxConcurrentStreams: UInt16 = 3
  package static let initialWindowSize: UInt16 = 4
  package static let maxFrameSize: UInt16 = 5
  package static let maxHeaderListSize: UInt16 = 6
  /// RFC 8441.
  package static let enableConnectProtocol: UInt16 = 8

  package var name: String {
    switch id {
    case 1: "HEADER_TABLE_SIZE"
    case 2: "ENABLE_PUSH"
    case 3: "MAX_CONCURRENT_STREAMS"
    case 4: "INITIAL_WINDOW_SIZE"
    case 5: "MAX_FRAME_SIZE"
    case 6: "MAX_HEADER_LIST_SIZE"
    case 8: "ENABLE_CONNECT_PROTOCOL"
    case 9: "NO_RFC7540_PRIORITIES"
    default: "setting \(id)"
    }
  }
}
