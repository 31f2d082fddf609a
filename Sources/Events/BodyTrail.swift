/// A body byte by byte, as far as that is kept, and when each part of it was there: so that two captures of it can be
/// held against each other. Of a coded body that can be read, its content.
///
/// Bounded: the first `openingLimit` bytes; the hash of everything up to each multiple of `stride`, which doubles when
/// there are more than `markLimit` of them; and `arrivalLimit` arrivals, of which every second one goes when they are
/// too many.
package struct BodyTrail: Sendable, Equatable {
  package static let openingLimit = 4 << 10
  package static let markLimit = 64
  package static let arrivalLimit = 1_024
  package static let firstStride: UInt64 = 1 << 10

  package var bytes: UInt64 = 0
  /// Payload.
  package var opening: [UInt8] = []
  /// Of all bytes.
  package var hash: UInt64 = ContentHash.start
  package var marks: [UInt64] = []
  package var stride = firstStride
  /// How far it was with each packet that brought some of it.
  package var arrivals: [MessageRecord.Milestone] = []
  /// Some were left out: what arrived is known, and not each time.
  package var isThinned = false
  /// Nothing of it is missing before its end, as far as it goes.
  package var isWhole = true
  /// Of the content, not of what was sent.
  package var isDecoded: Bool

  package init(isDecoded: Bool) {
    self.isDecoded = isDecoded
  }
}

/// FNV-1a of 64 bits: tells contents apart that nobody made to be mistaken. Not for what somebody may have forged.
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
