import Citation
import HTTPSemantics
import Platform

/// The place of the first LF of a range.
@inline(__always)
func lineFeed(in bytes: Span<UInt8>, _ range: Range<Int>) -> Int? { firstPlace(of: .lineFeed, in: bytes, range) }

/// The first place of a byte in a range.
@inline(__always)
func firstPlace(of byte: UInt8, in bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
  guard range.lowerBound < range.upperBound, range.upperBound <= bytes.count else { return nil }
  return bytes.withUnsafeBytes { memory -> Int? in
    guard let base = memory.baseAddress,
      let found = Memory.distance(to: byte, from: base + range.lowerBound, count: range.count)
    else { return nil }
    return range.lowerBound + found
  }
}

/// Consecutive stream bytes kept until the thing they belong to is complete, with their packets.
///
/// Whoever appends keeps it under HeaderBlock.limit.
struct HeldBytes: Sendable {
  private(set) var bytes: [UInt8] = []
  /// The stream offset of the first byte.
  private(set) var base: UInt64 = 0
  private(set) var trail = PacketTrail()
  /// How many there were before they were taken over. Of one side heads are about as long, and come line by line: room for
  /// so many is made at once.
  private var expected = 0
  private var room = ArrayRoom()

  var count: Int { bytes.count }
  /// In memory: with the room that the array has made for more, which may be as much again.
  mutating func countHeld() -> Int {
    room.note(bytes.count)
    return room.held(UInt8.self) + trail.heldBytes
  }
  var end: UInt64 { base &+ UInt64(truncatingIfNeeded: bytes.count) }

  mutating func append(_ chunk: borrowing CitedBytes, _ range: Range<Int>) {
    guard !range.isEmpty else { return }
    if bytes.isEmpty {
      base = chunk.offset &+ UInt64(truncatingIfNeeded: range.lowerBound)
      if range.count < expected {
        bytes.reserveCapacity(expected)
        room.note(expected)
      }
    }
    trail.note(chunk.packet, at: bytes.count)
    chunk.bytes.withUnsafeBufferPointer { bytes.append(contentsOf: $0[range]) }
  }

  /// Appends as much of a range as fits under a limit.
  mutating func append(_ chunk: borrowing CitedBytes, _ range: Range<Int>, limit: Int) {
    append(chunk, range.lowerBound..<range.lowerBound + min(range.count, max(0, limit - count)))
  }

  @inline(__always)
  mutating func removeAll() {
    guard !bytes.isEmpty else { return }
    room.note(bytes.count)
    bytes.removeAll(keepingCapacity: true)
  }

  /// A section has taken over the bytes: the next ones get a place of their own.
  @inline(__always)
  mutating func letGo() {
    expected = bytes.count
    bytes = []
    room.letGo()
  }

  mutating func dropFirst(_ length: Int) {
    guard length > 0 else { return }
    room.note(bytes.count)
    trail.dropFirst(length, of: bytes.count)
    bytes.removeFirst(min(length, bytes.count))
    base &+= UInt64(truncatingIfNeeded: length)
  }

  func span(of range: Range<Int>) -> ByteSpan {
    trail.span(of: range, base: base)
  }

  /// A line with its span and the part of it around `index`.
  func lenience(_ kind: Lenience.Kind, in place: Lenience.Place, line: Range<Int>, at index: Int) -> Lenience {
    let line = line.clamped(to: 0..<bytes.count)
    // A quarter of the window before the place, the rest after it.
    let latest = max(line.lowerBound, line.upperBound - Excerpt.limit)
    let start = min(latest, max(line.lowerBound, index - Excerpt.limit / 4))
    let window = start..<min(line.upperBound, start + Excerpt.limit)
    return Lenience(kind, in: place, span(of: line), Excerpt(of: window, in: line, of: bytes.span))
  }

  /// The first bytes only.
  func prefix(_ length: Int) -> HeldBytes {
    var copy = self
    copy.bytes = Array(bytes.prefix(length))
    return copy
  }

  /// A copy of the first bytes, or of all, as a block.
  func block(upTo end: Int? = nil, fields: [HeaderField] = [], fieldsCut: Int = 0) -> HeaderBlock {
    HeaderBlock(
      bytes: Array(bytes.prefix(end ?? bytes.count)), fields: fields, fieldsCut: fieldsCut, offset: base, trail: trail)
  }
}

/// Leniences of one section, one entry for each kind.
struct LenienceList {
  private(set) var items: [Lenience] = []

  mutating func note(
    _ kind: Lenience.Kind, in place: Lenience.Place, _ held: borrowing HeldBytes, line: Range<Int>, at index: Int
  ) {
    if let known = items.firstIndex(where: { $0.kind == kind }) {
      items[known].count &+= 1
    } else {
      items.append(held.lenience(kind, in: place, line: line, at: index))
    }
  }
}
