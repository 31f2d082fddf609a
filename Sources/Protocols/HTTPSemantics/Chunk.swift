import Citation

/// The line that announces a chunk.
package struct ChunkSizeLine: Hashable, Sendable {
  /// Counts from zero within the message.
  package var index: Int
  package var size: UInt64
  package var notes: Notes
  /// The extension from its semicolon on, where there is one.
  package var chunkExtension: Excerpt?
  /// With its line end.
  package var span: ByteSpan
  package var released: PacketRef

  @inlinable
  package init(
    index: Int, size: UInt64, notes: Notes, chunkExtension: Excerpt?, span: ByteSpan, released: PacketRef
  ) {
    self.index = index
    self.size = size
    self.notes = notes
    self.chunkExtension = chunkExtension
    self.span = span
    self.released = released
  }

  /// How the line was written. All but `uppercase`, which is as usual as the other case, come as a Lenience too.
  package struct Notes: OptionSet, Hashable, Sendable {
    package let rawValue: UInt16
    @inlinable package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// An empty set literal goes through an unspecialised initialiser: measured, half the time of a small chunk.
    @inlinable package static var plain: Notes { Notes(rawValue: 0) }
    @inlinable package static var uppercase: Notes { Notes(rawValue: 1) }
    @inlinable package static var leadingZeros: Notes { Notes(rawValue: 2) }
    @inlinable package static var leadingSpace: Notes { Notes(rawValue: 4) }
    @inlinable package static var trailingSpace: Notes { Notes(rawValue: 8) }
    /// `0x`
    @inlinable package static var prefix: Notes { Notes(rawValue: 16) }
    /// `+`
    @inlinable package static var sign: Notes { Notes(rawValue: 32) }
    @inlinable package static var hasExtension: Notes { Notes(rawValue: 64) }
    @inlinable package static var extensionMalformed: Notes { Notes(rawValue: 128) }
    @inlinable package static var bareLF: Notes { Notes(rawValue: 256) }
    @inlinable package static var bareCR: Notes { Notes(rawValue: 512) }
    /// More than 2^63 - 1.
    @inlinable package static var huge: Notes { Notes(rawValue: 1024) }
  }
}

/// A chunk whose data and line end are there.
package struct Chunk: Hashable, Sendable {
  package var index: Int
  package var size: UInt64
  /// The first byte of the size line to the last of the line end after the data.
  package var span: ByteSpan
  /// The packets of the first and last byte of the data.
  package var dataFirst: PacketRef
  package var dataLast: PacketRef
  /// The packet that made the whole chunk readable.
  package var released: PacketRef
  package var ending: Ending
  /// The size line ended in another packet than the data began in.
  package var sizeLineApart: Bool
  /// The data ended in another packet than the line end after it.
  package var endApart: Bool

  @inlinable
  package init(
    index: Int, size: UInt64, span: ByteSpan, dataFirst: PacketRef, dataLast: PacketRef, released: PacketRef,
    ending: Ending, sizeLineApart: Bool, endApart: Bool
  ) {
    self.index = index
    self.size = size
    self.span = span
    self.dataFirst = dataFirst
    self.dataLast = dataLast
    self.released = released
    self.ending = ending
    self.sizeLineApart = sizeLineApart
    self.endApart = endApart
  }

  /// What stood after the data.
  package enum Ending: UInt8, Hashable, Sendable {
    case crlf, lf, cr
    /// The next size line, without a line end before it.
    case missing
    /// Anything else: the size was wrong.
    case mismatch
  }
}

/// The end of a message.
package struct MessageEnd: Hashable, Sendable {
  package var outcome: Outcome
  /// The capture has a hole in which more of it may have been; how much is not known.
  package var hasHole = false
  /// One past the last byte of the message.
  package var offset: UInt64
  /// The packet of its last byte.
  package var packet: PacketRef
  package var released: PacketRef
  /// After chunk decoding. Includes `missingBytes`.
  package var bodyBytes: UInt64
  /// Body bytes that the capture lacks.
  package var missingBytes: UInt64

  package init(
    _ outcome: Outcome, offset: UInt64, packet: PacketRef, released: PacketRef, bodyBytes: UInt64, missingBytes: UInt64
  ) {
    self.outcome = outcome
    self.offset = offset
    self.packet = packet
    self.released = released
    self.bodyBytes = bodyBytes
    self.missingBytes = missingBytes
  }

  package enum Outcome: Hashable, Sendable {
    case complete
    case incomplete(Incomplete)
  }

  package var isComplete: Bool { outcome == .complete }
  /// The capture has all of it, up to where it ended.
  package var isCaptured: Bool { missingBytes == 0 && !hasHole }
}

/// Why a message has no end, and where it stopped.
package struct Incomplete: Hashable, Sendable {
  package var cause: Cause
  package var place: Place
  /// How many bytes of the body, or of its current chunk, were still to come, where that was announced.
  package var outstanding: UInt64?

  package init(_ cause: Cause, in place: Place, outstanding: UInt64? = nil) {
    self.cause = cause
    self.place = place
    self.outstanding = outstanding
  }

  package enum Cause: UInt8, Hashable, Sendable {
    case fin, reset, evicted, captureEnded
    /// Bytes that the capture lacks made its end unreadable.
    case gap
    case framingError
  }

  package enum Place: UInt8, Hashable, Sendable {
    case startLine, fields, body, chunkSize, chunkData
    /// The line end after a chunk's data.
    case chunkEnd
    /// After the last chunk.
    case trailers
  }
}
