import Citation
import HTTP2Semantics

/// Whether bytes are HTTP/2, recognised by content and never by a port.
package enum HTTP2Probe {
  /// `PRI * HTTP/2.0`, two line ends, `SM`, two line ends (RFC 9113 §3.4).
  package static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

  package enum Answer: Hashable, Sendable { case yes, unsure, no }

  package static func isPreface(_ bytes: Span<UInt8>) -> Answer {
    let count = min(bytes.count, preface.count)
    for index in 0..<count where bytes[index] != preface[index] { return .no }
    return count == preface.count ? .yes : .unsure
  }

  /// A server's first frame: SETTINGS that acknowledge nothing.
  package static func isServerStart(_ bytes: Span<UInt8>) -> Answer {
    let expected: [(index: Int, value: UInt8)] = [(0, 0), (3, 4), (4, 0), (5, 0), (6, 0), (7, 0), (8, 0)]
    for (index, value) in expected where index < bytes.count && bytes[index] != value { return .no }
    guard bytes.count >= HTTP2Frame.headerLength else { return .unsure }
    let length = Int(bytes[1]) << 8 | Int(bytes[2])
    return length % 6 == 0 && length <= 600 ? .yes : .no
  }

  /// Frames that must land on each other for bytes from the middle of a stream to be HTTP/2.
  package static let chain = 3

  /// What looking for frames from an index on found.
  package enum Search: Hashable, Sendable {
    case found(Int)
    /// More bytes may show one that begins here; none begins before.
    case unsure(Int)
  }

  /// The first place from which `chain` frames follow each other.
  package static func search(_ bytes: Span<UInt8>, from start: Int = 0, largest: UInt32 = 16_384) -> Search {
    var first = start
    while first < bytes.count {
      switch follow(bytes, first, largest) {
      case .yes: return .found(first)
      case .unsure: return .unsure(first)
      case .no: first += 1
      }
    }
    return .unsure(first)
  }

  /// Whether frames that begin at `start` are a client's, by the first field of a header block: a request begins with one
  /// of its pseudo-fields, a response with its status. Of indices only those of the static table are known.
  package static func areClients(_ bytes: Span<UInt8>, from start: Int) -> Bool? {
    var position = start
    while position + HTTP2Frame.headerLength < bytes.count {
      let length = Int(bytes[position]) << 16 | Int(bytes[position + 1]) << 8 | Int(bytes[position + 2])
      let (type, flags) = (HTTP2FrameType(rawValue: bytes[position + 3]), bytes[position + 4])
      position += HTTP2Frame.headerLength
      if type == .pushPromise { return false }
      if type == .headers {
        var block = position + (flags & 0x08 != 0 ? 1 : 0) + (flags & 0x20 != 0 ? 5 : 0)
        // Before the fields the size of the table may be told.
        while block < bytes.count, bytes[block] & 0xE0 == 0x20 { block += 1 }
        let end = min(bytes.count, position + length)
        if block < end, let isRequest = beginsRequest(bytes.extracting(block..<end)) { return isRequest }
      }
      position += length
    }
    return nil
  }

  private static func beginsRequest(_ block: Span<UInt8>) -> Bool? {
    let byte = block[0]
    let index = byte & 0x80 != 0 ? byte & 0x7F : byte & 0x40 != 0 ? byte & 0x3F : byte & 0x0F
    switch index {
    case 1...7: return true
    case 8...14: return false
    case 0 where block.count > 4: return namesRequest(block)
    default: return nil
    }
  }

  /// The same of a name that is spelled out: `:status`, or another one that begins with a colon, as it is or in the codes of
  /// Huffman.
  private static func namesRequest(_ block: Span<UInt8>) -> Bool? {
    if block[1] & 0x80 == 0 {
      guard block[2] == UInt8(ascii: ":") else { return nil }
      return block[3] != UInt8(ascii: "s") || block[4] != UInt8(ascii: "t")
    }
    guard block[2] & 0xFE == 0xB8 else { return nil }
    return block[2] != 0xB8 || block[3] != 0x84
  }

  private static func follow(_ bytes: Span<UInt8>, _ start: Int, _ largest: UInt32) -> Answer {
    var position = start
    for _ in 0..<chain {
      guard position < bytes.count else { return .unsure }
      let rest = bytes.extracting(position..<min(bytes.count, position + HTTP2Frame.headerLength))
      guard let length = plausibleLength(rest, largest) else { return .no }
      guard rest.count == HTTP2Frame.headerLength else { return .unsure }
      position += HTTP2Frame.headerLength + length
    }
    return .yes
  }

  /// What these bytes, the beginning of a header, say of the length; nil if they are none that anybody sends.
  private static func plausibleLength(_ bytes: Span<UInt8>, _ largest: UInt32) -> Int? {
    guard bytes.count >= 4 else { return bytes[0] <= UInt8(truncatingIfNeeded: largest >> 16) ? 0 : nil }
    let length = UInt32(bytes[0]) << 16 | UInt32(bytes[1]) << 8 | UInt32(bytes[2])
    guard length <= largest, fits(bytes[3], length) else { return nil }
    guard bytes.count >= 5 else { return 0 }
    guard bytes[4] & ~flags(bytes[3]) == 0 else { return nil }
    guard bytes.count >= 6 else { return 0 }
    guard bytes[5] & 0x80 == 0 else { return nil }
    guard bytes.count == HTTP2Frame.headerLength else { return 0 }
    let isZero = bytes[5] | bytes[6] | bytes[7] | bytes[8] == 0
    if let wantsStream = HTTP2FrameType(rawValue: bytes[3]).wantsStream, wantsStream == isZero { return nil }
    return Int(length)
  }

  private static func fits(_ type: UInt8, _ length: UInt32) -> Bool {
    switch type {
    case 0, 1, 9, 0x0A, 0x0C: true
    case 2: length == 5
    case 3, 8: length == 4
    case 4: length % 6 == 0
    case 5, 0x10: length >= 4
    case 6: length == 8
    case 7: length >= 8
    default: false
    }
  }

  private static func flags(_ type: UInt8) -> UInt8 {
    switch type {
    case 0: 0x09
    case 1: 0x2D
    case 4, 6: 0x01
    case 5: 0x0C
    case 9: 0x04
    default: 0
    }
  }
}
