import Citation
import HTTPSemantics
import Platform

/// Consecutive bytes of a body, with the places where they stood on the wire.
///
/// In the stream they need not be neighbours: chunk lines stand between. Beyond `pieceLimit` pieces the packets of the
/// rest are taken for that of the last one known.
struct HeldBody: Sendable {
  private struct Piece: Sendable {
    var start: Int
    var offset: UInt64
    var packet: PacketRef
  }

  private static let pieceLimit = 1_024

  private(set) var bytes: [UInt8] = []
  /// Where the first byte stands in the body.
  private(set) var base: UInt64 = 0
  private var pieces: [Piece] = []
  private var room = ArrayRoom()
  private var pieceRoom = ArrayRoom()

  var count: Int { bytes.count }
  var heldBytes: Int { room.held(UInt8.self) + pieceRoom.held(Piece.self) }

  /// The place in the body of a byte.
  func place(_ index: Int) -> UInt64 { base &+ UInt64(truncatingIfNeeded: index) }

  mutating func append(_ input: Span<UInt8>, at offset: UInt64, in packet: PacketRef) {
    let isNext = pieces.last.map { last in
      last.packet == packet && last.offset &+ UInt64(truncatingIfNeeded: bytes.count - last.start) == offset
    }
    if isNext != true, pieces.count < Self.pieceLimit {
      pieces.append(Piece(start: bytes.count, offset: offset, packet: packet))
    }
    input.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
    room.note(bytes.count)
    pieceRoom.note(pieces.count)
  }

  mutating func dropFirst(_ count: Int) {
    guard count > 0 else { return }
    base &+= UInt64(truncatingIfNeeded: min(count, bytes.count))
    guard count < bytes.count else {
      bytes.removeAll(keepingCapacity: true)
      pieces.removeAll(keepingCapacity: true)
      return
    }
    bytes.removeFirst(count)
    let kept = piece(at: count)
    pieces.removeFirst(kept)
    for index in pieces.indices {
      if pieces[index].start < count {
        pieces[index].offset &+= UInt64(truncatingIfNeeded: count - pieces[index].start)
        pieces[index].start = 0
      } else {
        pieces[index].start -= count
      }
    }
  }

  private func piece(at index: Int) -> Int {
    var at = pieces.count - 1
    while at > 0, pieces[at].start > index { at -= 1 }
    return max(0, at)
  }

  func packet(at index: Int) -> PacketRef {
    pieces.isEmpty ? .none : pieces[piece(at: index)].packet
  }

  private func offset(at index: Int) -> UInt64 {
    guard !pieces.isEmpty else { return 0 }
    let piece = pieces[piece(at: index)]
    return piece.offset &+ UInt64(truncatingIfNeeded: max(0, index - piece.start))
  }

  /// Where a run of the bytes stood on the wire, whatever stood between.
  func span(of range: Range<Int>) -> ByteSpan {
    let range = range.clamped(to: 0..<bytes.count)
    let last = max(range.lowerBound, range.upperBound - 1)
    let lower = offset(at: range.lowerBound)
    let upper = range.isEmpty ? lower : offset(at: last) &+ 1
    return ByteSpan(lower..<max(lower, upper), first: packet(at: range.lowerBound), last: packet(at: last))
  }

  func excerpt(_ range: Range<Int>, isPayload: Bool = false) -> Excerpt {
    let range = range.clamped(to: 0..<bytes.count)
    var excerpt = Excerpt(of: range, in: range, of: bytes.span)
    excerpt.isPayload = isPayload
    return excerpt
  }

  /// A copy of the first bytes as a header.
  func block(_ end: Int, _ fields: [HeaderField], _ fieldsCut: Int) -> HeaderBlock {
    var trail = PacketTrail()
    for piece in pieces where piece.start < max(1, end) { trail.note(piece.packet, at: piece.start) }
    return HeaderBlock(
      bytes: Array(bytes.prefix(end)), fields: fields, fieldsCut: fieldsCut, offset: offset(at: 0), trail: trail)
  }

  /// The first place of a word at or behind an index.
  func place(of word: [UInt8], from start: Int) -> Int? {
    guard start >= 0, !word.isEmpty, bytes.count - start >= word.count else { return nil }
    return bytes.withUnsafeBytes { memory in
      word.withUnsafeBytes { word -> Int? in
        guard let base = memory.baseAddress, let first = word.baseAddress else { return nil }
        let end = memory.count - word.count + 1
        var index = start
        while index < end, let found = Memory.distance(to: word[0], from: base + index, count: end - index) {
          index += found
          if Memory.isEqual(base + index, first, count: word.count) { return index }
          index += 1
        }
        return nil
      }
    }
  }

  /// Whether a word stands at an index; nil when the bytes end before that is known.
  func has(_ word: [UInt8], at start: Int) -> Bool? {
    for index in word.indices {
      guard start + index < bytes.count else { return nil }
      if bytes[start + index] != word[index] { return false }
    }
    return true
  }
}
