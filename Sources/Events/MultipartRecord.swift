import Citation
import HTTPSemantics

/// What a multipart body was made of, as far as it was read. Its data are not kept.
package struct MultipartRecord: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    case formData, mixedReplace, byteRanges
    /// Any other subtype.
    case other
  }

  package struct Part: Sendable, Equatable {
    /// Of Content-Disposition.
    package var name: String?
    package var fileName: String?
    /// The value of Content-Type.
    package var type: String?
    package var bytes: UInt64 = 0
    package var firstPacket: PacketRef
    package var lastPacket: PacketRef
    package var hasLength = false

    package init(firstPacket: PacketRef, lastPacket: PacketRef) {
      self.firstPacket = firstPacket
      self.lastPacket = lastPacket
    }
  }

  /// Bytes outside of all parts.
  package struct Aside: Sendable, Equatable {
    package var bytes: UInt64
    package var first: PacketRef
    package var last: PacketRef
    package var opening: Excerpt

    package init(bytes: UInt64, first: PacketRef, last: PacketRef, opening: Excerpt) {
      self.bytes = bytes
      self.first = first
      self.last = last
      self.opening = opening
    }
  }

  package static let partLimit = 64
  /// Characters of a name that are kept.
  package static let nameLimit = 256

  package var kind: Kind
  /// The first ones.
  package var parts: [Part] = []
  package var partCount: UInt64 = 0
  /// Lines that open a part.
  package var delimiters: UInt64 = 0
  package var lastDelimiter: ByteSpan?
  package var close: ByteSpan?
  /// One of each kind, with its count.
  package var leniences: [MultipartLenience] = []
  /// More than a line end before the first delimiter, or behind the closing one.
  package var preamble: Aside?
  package var epilogue: Aside?
  /// The bytes behind the closing delimiter, line ends among them.
  package var epilogueBytes: UInt64 = 0
  /// How many bytes of the closing delimiter are missing, where the body ends inside it.
  package var closeMissing = 0
  /// How many bytes the last part lacks of the length that its own head announces.
  package var partMissing: UInt64 = 0
  /// It was read to the end of the body, which was its own.
  package var isWhole = false

  package init(kind: Kind) {
    self.kind = kind
  }

  package var partsCut: UInt64 { partCount - min(partCount, UInt64(parts.count)) }

  package func lenience(_ kind: MultipartLenience.Kind) -> MultipartLenience? { leniences.first { $0.kind == kind } }
}
