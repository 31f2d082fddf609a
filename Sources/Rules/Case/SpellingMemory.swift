import Citation
import HTTPSemantics

/// How one side of a connection has written the names of its fields so far: each spelling once, with the packet in which
/// it was first seen.
///
/// Bounded: `limit` spellings of `byteLimit` bytes together; further ones are judged by themselves only. A side that
/// sends the same names in the same order, as nearly all do, costs one comparison of bytes a name.
struct SpellingMemory: Sendable {
  private static let limit = 48
  private static let byteLimit = 1024

  struct Entry: Sendable {
    fileprivate var start: UInt16
    fileprivate var end: UInt16
    var packet: PacketRef
  }

  private var bytes: [UInt8] = []
  private var entries: [Entry] = []
  /// Where the next name is expected.
  private var cursor = 0

  init() {}

  enum Meeting {
    /// Spelled so before.
    case known
    /// Never seen in any spelling.
    case new
    /// Seen in another spelling.
    case otherwise(Entry)
  }

  mutating func beginMessage() {
    cursor = 0
  }

  /// Whether a name is the one that is expected, which it is nearly always.
  @inline(__always)
  mutating func meetsNext(_ text: Span<UInt8>, _ name: Range<Int>) -> Bool {
    guard cursor < entries.count, name.upperBound <= text.count else { return false }
    let start = Int(entries[cursor].start)
    guard Int(entries[cursor].end) - start == name.count else { return false }
    for index in 0..<name.count where bytes[start + index] != text[name.lowerBound + index] { return false }
    cursor += 1
    return true
  }

  mutating func meet(_ name: ArraySlice<UInt8>, in packet: @autoclosure () -> PacketRef) -> Meeting {
    if cursor < entries.count, matches(entries[cursor], name) {
      cursor += 1
      return .known
    }
    var other: Entry?
    for index in entries.indices where Int(entries[index].end - entries[index].start) == name.count {
      // Most of one length differ in their first letter.
      if let first = name.first, bytes[Int(entries[index].start)].lowercased != first.lowercased { continue }
      if matches(entries[index], name) {
        cursor = index + 1
        return .known
      }
      if other == nil, matchesWithoutCase(entries[index], name) { other = entries[index] }
    }
    if entries.isEmpty {
      // About what a head has.
      bytes.reserveCapacity(128)
      entries.reserveCapacity(12)
    }
    if entries.count < Self.limit, bytes.count + name.count <= Self.byteLimit {
      let start = UInt16(truncatingIfNeeded: bytes.count)
      bytes.append(contentsOf: name)
      entries.append(Entry(start: start, end: UInt16(truncatingIfNeeded: bytes.count), packet: packet()))
    }
    return other.map { .otherwise($0) } ?? .new
  }

  func spelling(_ entry: Entry) -> String { text(of: bytes[Int(entry.start)..<Int(entry.end)]) }

  private func matches(_ entry: Entry, _ name: ArraySlice<UInt8>) -> Bool {
    bytes[Int(entry.start)..<Int(entry.end)] == name
  }

  private func matchesWithoutCase(_ entry: Entry, _ name: ArraySlice<UInt8>) -> Bool {
    zip(bytes[Int(entry.start)..<Int(entry.end)], name).allSatisfy { $0.lowercased == $1.lowercased }
  }
}
