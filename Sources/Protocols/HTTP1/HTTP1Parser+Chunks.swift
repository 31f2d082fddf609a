import Citation
import HTTPSemantics

/// The chunked coding (RFC 9112 §7.1).
extension HTTP1Parser {
  mutating func beginChunk() {
    sizeLine = ChunkSizeReader()
    held.removeAll()
    state = .chunkSize
  }

  mutating func readChunks(_ input: borrowing CitedBytes, _ start: Int, into tokens: inout [HTTP1Token]) -> Int {
    var position = start
    let count = input.bytes.count
    while position < count {
      switch state {
      case .chunkSize: position = readChunkSize(input, position, into: &tokens)
      case .chunkData(let remaining):
        if remaining == chunk.size { chunk.dataFirst = input.packet }
        chunk.dataLast = input.packet
        let taken = takeBody(input, position, remaining, into: &tokens)
        position += taken
        let left = remaining - UInt64(taken)
        chunk.dataEnd = input.offset &+ UInt64(truncatingIfNeeded: position)
        state = left == 0 ? .chunkTail(.nothing) : .chunkData(left)
      case .chunkTail(let tail): position = readChunkTail(input, position, tail, into: &tokens)
      default: return position
      }
    }
    return position
  }

  // MARK: The size line

  @inline(__always)
  private mutating func readChunkSize(
    _ input: borrowing CitedBytes, _ position: Int, into tokens: inout [HTTP1Token]
  ) -> Int {
    if sizeLine.length == 0 {
      chunk.start = input.offset &+ UInt64(truncatingIfNeeded: position)
      chunk.first = input.packet
      if let (size, digits, notes) = Self.plainSize(input.bytes, from: position) {
        let end = position + digits + 2
        offset = input.offset &+ UInt64(truncatingIfNeeded: end)
        takeSizeLine(size, notes, nil, last: input.packet, into: &tokens)
        return end
      }
    }
    return readChunkSizeSlowly(input, position, into: &tokens)
  }

  private mutating func readChunkSizeSlowly(
    _ input: borrowing CitedBytes, _ position: Int, into tokens: inout [HTTP1Token]
  ) -> Int {
    var index = position
    while index < input.bytes.count {
      switch sizeLine.take(input.bytes[index]) {
      case .more:
        index += 1
      case .done:
        index += 1
        held.append(input, position..<index, limit: Excerpt.limit)
        offset = input.offset &+ UInt64(truncatingIfNeeded: index)
        takeSizeLine(last: input.packet, into: &tokens)
        return index
      case .doneBefore:
        held.append(input, position..<index, limit: Excerpt.limit)
        offset = input.offset &+ UInt64(truncatingIfNeeded: index)
        takeSizeLine(last: index > position ? input.packet : held.trail.last, into: &tokens)
        return index
      case .failed(let kind):
        index += 1
        held.append(input, position..<index, limit: Excerpt.limit)
        offset = input.offset &+ UInt64(truncatingIfNeeded: index)
        fail(kind, endsLine: input.bytes[index - 1] == .lineFeed, isWhole: sizeLine.length == held.count, into: &tokens)
        return index
      }
    }
    held.append(input, position..<index, limit: Excerpt.limit)
    return index
  }

  /// The line in `sizeLine` and `held` is whole.
  mutating func takeSizeLine(last: PacketRef, into tokens: inout [HTTP1Token]) {
    var quoted: Excerpt?
    if let start = sizeLine.extensionStart, start < held.count {
      quoted = Excerpt(held.bytes.span.extracting(start..<held.count), isPayload: false)
    }
    let notes = sizeLine.notes
    if notes.rawValue & ~ChunkSizeLine.Notes.uppercase.rawValue != 0 { tellNotes(notes, last, into: &tokens) }
    takeSizeLine(sizeLine.size, notes, quoted, last: last, into: &tokens)
  }

  private mutating func takeSizeLine(
    _ size: UInt64, _ notes: ChunkSizeLine.Notes, _ quoted: Excerpt?, last: PacketRef,
    into tokens: inout [HTTP1Token]
  ) {
    let line = ChunkSizeLine(
      index: message.chunkCount, size: size, notes: notes, chunkExtension: quoted,
      span: ByteSpan(chunk.start..<max(chunk.start, offset), first: chunk.first, last: last), released: released)
    chunk.size = size
    chunk.sizeLineLast = last
    sizeLine = ChunkSizeReader()
    held.removeAll()
    if size == 0 {
      tokens.append(.lastChunk(line))
      lineEnds.removeAll(keepingCapacity: true)
      state = .trailers
    } else {
      tokens.append(.chunkSize(line))
      state = .chunkData(size)
    }
  }

  @inline(never)
  private func tellNotes(_ notes: ChunkSizeLine.Notes, _ last: PacketRef, into tokens: inout [HTTP1Token]) {
    let span = ByteSpan(chunk.start..<max(chunk.start, offset), first: chunk.first, last: last)
    let excerpt = Excerpt(held.bytes.span, isPayload: false)
    let kinds: [(ChunkSizeLine.Notes, Lenience.Kind)] = [
      (.leadingZeros, .chunkSizeLeadingZeros), (.leadingSpace, .chunkSizeLeadingSpace),
      (.trailingSpace, .chunkSizeTrailingSpace), (.prefix, .chunkSizePrefix), (.sign, .chunkSizeSign),
      (.hasExtension, .chunkExtension), (.extensionMalformed, .chunkExtensionMalformed), (.bareLF, .bareLF),
      (.bareCR, .bareCR), (.huge, .chunkSizeHuge),
    ]
    for (note, kind) in kinds where notes.contains(note) {
      tokens.append(.lenience(Lenience(kind, in: .chunkSize, span, excerpt)))
    }
  }

  // MARK: The line end after the data

  @inline(__always)
  private mutating func readChunkTail(
    _ input: borrowing CitedBytes, _ position: Int, _ tail: ChunkTail, into tokens: inout [HTTP1Token]
  ) -> Int {
    if case .nothing = tail, position + 1 < input.bytes.count, input.bytes[position] == .carriageReturn,
      input.bytes[position + 1] == .lineFeed
    {
      endChunk(
        .crlf, at: input.offset &+ UInt64(truncatingIfNeeded: position + 2), last: input.packet, into: &tokens)
      beginChunk()
      return position + 2
    }
    return readChunkTailSlowly(input, position, tail, into: &tokens)
  }

  /// A lone LF or CR is taken for the line end only where a size follows it.
  private mutating func readChunkTailSlowly(
    _ input: borrowing CitedBytes, _ position: Int, _ tail: ChunkTail, into tokens: inout [HTTP1Token]
  ) -> Int {
    let byte = input.bytes[position]
    switch tail {
    case .nothing where byte == .carriageReturn:
      held.append(input, position..<position + 1)
      state = .chunkTail(.carriageReturn)
      return position + 1
    case .nothing where byte == .lineFeed:
      held.append(input, position..<position + 1)
      state = .chunkTail(.lineFeed)
      return position + 1
    case .carriageReturn where byte == .lineFeed:
      endChunk(
        .crlf, at: input.offset &+ UInt64(truncatingIfNeeded: position + 1), last: input.packet, into: &tokens)
      beginChunk()
      return position + 1
    case .carriageReturn where byte.hexadecimalValue < 16, .lineFeed where byte.hexadecimalValue < 16:
      endChunk(byHeldByte: tail, into: &tokens)
      beginChunk()
      return position
    default:
      held.append(input, position..<position + 1)
      offset = held.end
      fail(.chunkDataMismatch, into: &tokens)
      return position + 1
    }
  }

  /// The chunk ends with the one byte in `held`.
  mutating func endChunk(byHeldByte tail: ChunkTail, into tokens: inout [HTTP1Token]) {
    let isLF = if case .lineFeed = tail { true } else { false }
    let excerpt = Excerpt(held.bytes.span, isPayload: false)
    let span = held.span(of: 0..<held.count)
    tokens.append(.lenience(Lenience(isLF ? .bareLF : .bareCR, in: .chunkEnd, span, excerpt)))
    endChunk(isLF ? .lf : .cr, at: held.end, last: span.last, into: &tokens)
  }

  @inline(__always)
  mutating func endChunk(
    _ ending: Chunk.Ending, at end: UInt64, last: PacketRef, into tokens: inout [HTTP1Token]
  ) {
    tokens.append(
      .chunkEnd(
        Chunk(
          index: message.chunkCount, size: chunk.size,
          span: ByteSpan(chunk.start..<max(chunk.start, end), first: chunk.first, last: last),
          dataFirst: chunk.dataFirst, dataLast: chunk.dataLast, released: released, ending: ending,
          sizeLineApart: chunk.sizeLineLast.number != chunk.dataFirst.number,
          endApart: chunk.dataLast.number != last.number)))
    message.chunkCount += 1
  }
}
