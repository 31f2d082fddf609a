import Citation

// Facts that only the bytes and acknowledgements of a body show, found while it is read, so that it need not be kept.

/// The packets of a chunk whose pieces were written separately.
package struct SplitChunk: Sendable, Equatable {
  package var sizeLine: PacketRef
  package var data: PacketRef
  package var end: PacketRef

  package init(sizeLine: PacketRef, data: PacketRef, end: PacketRef) {
    self.sizeLine = sizeLine
    self.data = data
    self.end = end
  }
}

/// A chunk whose announced size was wrong; the first one of its message.
package struct ChunkMismatch: Sendable, Equatable {
  /// Counts from zero.
  package var index: Int
  package var declared: UInt64
  package var sizeLine: PacketRef
  /// Bytes between where the data should have ended and the line end before the next size line, where one was found.
  package var surplus: UInt64?
  /// UTF-8 continuation bytes from the chunk's first byte to the end of the surplus, where they were counted: what a
  /// sender that counts characters leaves out.
  package var continuationBytes: UInt64?

  package init(index: Int, declared: UInt64, sizeLine: PacketRef) {
    self.index = index
    self.declared = declared
    self.sizeLine = sizeLine
  }
}

/// A body that parses as chunks again.
package struct InnerChunks: Sendable, Equatable {
  /// Of those with data.
  package var count: UInt64
  /// Their data.
  package var bytes: UInt64
  /// The line of size zero and its empty line end the body.
  package var isWhole: Bool

  package init(count: UInt64, bytes: UInt64, isWhole: Bool) {
    self.count = count
    self.bytes = bytes
    self.isWhole = isWhole
  }
}

/// A small segment of a message that came only after the acknowledgement of the small one before it.
package struct HeldWrite: Sendable, Equatable {
  package var before: PacketRef
  package var acknowledgement: PacketRef
  package var packet: PacketRef

  package init(before: PacketRef, acknowledgement: PacketRef, packet: PacketRef) {
    self.before = before
    self.acknowledgement = acknowledgement
    self.packet = packet
  }

  package var nanoseconds: Int64 { packet.time.since(before.time) }
  /// How long after the acknowledgement it came.
  package var lag: Int64 { packet.time.since(acknowledgement.time) }
}
