/// Content and arrival times of a body, as far as kept, for comparing two captures. For a decoded body, its decoded
/// content.
///
/// Bounded: the first `openingLimit` bytes; the hash of everything up to each multiple of `stride`, which doubles when
/// there are more than `markLimit` of them; and `arrivalLimit` arrivals, of which every second one is dropped when
/// there are too many.
package struct BodyTrail: Sendable, Equatable {
  package static let openingLimit = 4 << 10
  package static let markLimit = 64
  package static let arrivalLimit = 1_024
  package static let firstStride: UInt64 = 1 << 10

  package var bytes: UInt64 = 0
  /// Payload.
  package var opening: [UInt8] = []
  /// Hash of all bytes.
  package var hash: UInt64 = ContentHash.start
  package var marks: [UInt64] = []
  package var stride = firstStride
  /// Body bytes up to and including each packet.
  package var arrivals: [MessageRecord.Milestone] = []
  /// Some arrivals were left out.
  package var isThinned = false
  /// No bytes are missing in between.
  package var isWhole = true
  /// It covers the decoded content, not the bytes on the wire.
  package var isDecoded: Bool

  package init(isDecoded: Bool) {
    self.isDecoded = isDecoded
  }
}

/// FNV-1a of 64 bits: distinguishes contents that were not crafted to collide. Not a protection against forgery.
package enum ContentHash {
  package static let start: UInt64 = 0xCBF2_9CE4_8422_2325

  @inline(__always)
  package static func extend(_ hash: inout UInt64, _ byte: UInt8) {
    hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
  }

  package static func extend(_ hash: inout UInt64, _ bytes: Span<UInt8>) {
    for index in bytes.indices { extend(&hash, bytes[index]) }
  }

  package static func of(_ bytes: [UInt8]) -> UInt64 {
    var hash = start
    extend(&hash, bytes.span)
    return hash
  }
}
