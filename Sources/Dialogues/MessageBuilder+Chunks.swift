import Citation
import Events
import HTTPSemantics

// How the body of a message of HTTP/1 was cut into chunks, and how those were written to the wire.
extension MessageBuilder {
  /// A size line was read, and data follows.
  @inline(__always)
  mutating func beginChunk(_ index: Int, size: UInt64) {
    if isOpen { readers.beginChunk(index, size: size) }
  }

  /// A segment of the message waited for an acknowledgement.
  mutating func take(_ write: HeldWrite) {
    if message.heldWrites.count < MessageRecord.heldWriteLimit { message.heldWrites.append(write) }
  }

  mutating func take(_ chunk: Chunk) {
    guard isOpen, isChunked else { return }
    message.changeChunks { $0.add(chunk) }
    readers.end(chunk)
    if isMetered { meter.add(chunk.span.count &- min(chunk.span.count, chunk.size), in: chunk.released) }
    message.last = chunk.span.last
  }

  /// The line of size zero.
  mutating func take(last line: ChunkSizeLine) {
    guard isOpen else { return }
    if isChunked {
      message.changeChunks { chunks in
        chunks.terminator = line.span
        chunks.noteNext(line.span.first)
      }
    }
    message.last = line.span.last
  }

  /// The data of a chunk was longer or shorter than its size line says.
  mutating func take(mismatch error: FramingError) {
    if isOpen { readers.mismatch(error) }
  }

  /// Behind such a chunk reading goes on, and `skipped` bytes belong to nothing.
  mutating func resume(_ skipped: UInt64) {
    guard isOpen, message.chunks?.mismatch != nil, message.chunks?.mismatch?.surplus == nil else { return }
    readers.resume(skipped, &message.chunks)
  }
}

extension ChunkRecord {
  /// What was held before 10 ms is how networks are.
  private static let holdFrom: Int64 = 10_000_000

  fileprivate mutating func add(_ chunk: Chunk) {
    if openEnd != nil { noteNext(chunk.span.first) }
    if chunk.endApart, chunk.ending == .crlf, chunk.span.last.time.since(chunk.dataLast.time) >= Self.holdFrom {
      openEnd = MessageRecord.Pause(from: chunk.dataLast, to: chunk.span.last)
    }
    count += 1
    smallest = min(smallest, chunk.size)
    largest = max(largest, chunk.size)
    if chunk.size < 32 { tiny += 1 }
    if chunk.sizeLineApart || chunk.endApart {
      split += 1
      if firstSplit == nil {
        firstSplit = SplitChunk(sizeLine: chunk.span.first, data: chunk.dataFirst, end: chunk.span.last)
      }
    }
    framing &+= chunk.span.count &- min(chunk.span.count, chunk.size)
    if first == nil { first = chunk.dataFirst }
    last = chunk.dataLast
    if case .mismatch = chunk.ending, mismatch == nil {
      mismatch = ChunkMismatch(index: chunk.index, declared: chunk.size, sizeLine: chunk.span.first)
    }
  }

  /// The next size line begins: whether the line end of the chunk before came only with it.
  fileprivate mutating func noteNext(_ packet: PacketRef) {
    guard let held = openEnd else { return }
    openEnd = nil
    guard packet.sharesMoment(with: held.to) else { return }
    heldEnds += 1
    if held.nanoseconds > heldEnd?.nanoseconds ?? 0 { heldEnd = held }
  }
}
