import Citation
import Decode

/// Where the last delivered bytes of a lane stand, so that a later copy of them can be compared.
///
/// Nothing is copied: the windows of the capture that were read last are kept, and an entry points into one of them. A
/// direction owns nothing but the number of its newest entry; its entries are chained from newest to oldest, in falling
/// offset order, because delivery is in order. What is further back than `reach` can no longer be compared, and the
/// answer says so. Sources fill their windows so far that all within it is in them; then what is compared does not depend
/// on where windows end.
package struct DeliveredHistory: Sendable {
  /// Number of an entry; zero is none.
  package typealias Entry = UInt64

  /// Windows kept, the current one included.
  package static let windowCount = 5
  /// Captured bytes between a copy and its original, at most.
  package static let reach: UInt32 = 1_280 << 10

  private struct Record {
    var number: Entry = 0
    var previous: Entry = 0
    var offset: UInt64 = 0
    var packet = PacketRef.none
    /// The serial number of the window, and the place in it.
    var window: UInt32 = 0
    var place: UInt32 = 0
    var position: UInt32 = 0
    var count: UInt32 = 0
    var linkSource: UInt32 = 0
    var identification: UInt16?
    var timeToLive: UInt8 = 0

    var end: UInt64 { offset &+ UInt64(count) }
  }

  package enum Comparison: Equatable {
    case equal
    /// The offsets of the first and last byte that differ, how many do, and the packet that carried the first copy.
    case differs(Range<UInt64>, count: UInt64, first: PacketRef)
    /// Not all of it is remembered; what is remembered is equal.
    case unknown
  }

  /// Bytes of the windows, by serial number modulo their count.
  private var windows: [[UInt8]]
  package private(set) var serial: UInt32 = 0
  /// Of the segment that is taken.
  private var place: UInt32 = 0
  /// Made with the first: a small capture leaves most lanes empty.
  private var records: [Record] = []
  private let entries: Int
  private var newest: Entry = 0

  package init(windows: Int = DeliveredHistory.windowCount, entries: Int = 1_024) {
    self.windows = [[UInt8]](repeating: [], count: windows)
    self.entries = entries
  }

  /// Segments from now on point into these bytes. The window of `windowCount` before is let go.
  package mutating func enter(_ window: [UInt8]) {
    serial &+= 1
    windows[Int(serial) % windows.count] = window
  }

  /// The newest window goes on: these are its bytes and more.
  package mutating func extend(_ window: [UInt8]) {
    windows[Int(serial) % windows.count] = window
  }

  /// What follows is asked for this segment.
  @inline(__always)
  package mutating func move(to segment: TCPSegment) { place = segment.place }

  /// Remembers a delivery from the window of that serial number and answers its entry.
  @inline(__always)
  package mutating func record(
    _ range: Range<Int>, of window: UInt32, at offset: UInt64, by segment: TCPSegment, after previous: Entry
  ) -> Entry {
    newest &+= 1
    if records.isEmpty { records = [Record](repeating: Record(), count: entries) }
    let at = Int(newest & UInt64(records.count - 1))
    records[at].number = newest
    records[at].previous = previous
    records[at].offset = offset
    records[at].packet = segment.packet
    records[at].window = window
    records[at].place = segment.place
    records[at].position = UInt32(truncatingIfNeeded: range.lowerBound)
    records[at].count = UInt32(truncatingIfNeeded: range.count)
    records[at].linkSource = segment.linkSource
    records[at].identification = segment.identification
    records[at].timeToLive = segment.timeToLive
    return newest
  }

  /// How many bytes came in the delivery of an entry, where it is remembered.
  package func count(of entry: Entry) -> Int? { record(entry).map { Int($0.count) } }

  /// Compares a copy of already delivered bytes with the chain that starts at `entry`.
  package func compare(_ copy: Span<UInt8>, at offset: UInt64, from entry: Entry) -> Comparison {
    let range = offset..<(offset &+ UInt64(copy.count))
    var covered = 0
    var differing: UInt64 = 0
    var low = UInt64.max
    var high: UInt64 = 0
    var first = PacketRef.none
    var next = entry
    while let record = self.record(next), record.end > range.lowerBound {
      next = record.previous
      let overlap = range.clamped(to: record.offset..<record.end)
      guard !overlap.isEmpty, isKept(record) else { continue }
      covered += overlap.count
      for at in overlap where byte(of: record, at: at) != copy[Int(at - range.lowerBound)] {
        differing += 1
        high = max(high, at)
        if at < low {
          low = at
          first = record.packet
        }
      }
    }
    if differing > 0 { return .differs(low..<(high + 1), count: differing, first: first) }
    return covered == copy.count ? .equal : .unknown
  }

  /// What was delivered in `range`, as far as it is remembered.
  package func excerpt(_ range: Range<UInt64>, from entry: Entry) -> [UInt8] {
    var result: [UInt8] = []
    var next = entry
    while let record = self.record(next), record.end > range.lowerBound {
      next = record.previous
      let overlap = range.clamped(to: record.offset..<record.end)
      guard isKept(record) else { continue }
      result.insert(contentsOf: overlap.map { byte(of: record, at: $0) }, at: 0)
    }
    return result
  }

  /// Whether `segment` is a second recording of a delivered packet, or of a part of one, or of several: same bytes of the
  /// stream, and as far as its other fields can show, the same packet (two interfaces of one host, two capture points in
  /// one file). Network cards join segments on one side of a host and split them on the other.
  package func holds(_ segment: TCPSegment, at offset: UInt64, from entry: Entry) -> Bool {
    var next = entry
    while let record = self.record(next), record.end > offset {
      next = record.previous
      guard record.offset <= offset else { continue }
      let isWhole = record.offset == offset && record.count == segment.payloadCaptured
      let isElsewhere = record.linkSource != segment.linkSource || record.timeToLive != segment.timeToLive
      if let identification = segment.identification {
        guard let first = record.identification else { return false }
        if isWhole { return first == identification }
        return isElsewhere && Self.isPart(identification &- first, offset &- record.offset, segment.payloadLength)
      }
      if isWhole, record.identification == nil, segment.isStamped(noLaterThan: record.packet.time) { return true }
      let elapsed = segment.packet.time.since(record.packet.time)
      guard record.identification == nil, isElsewhere || isWhole else { return false }
      return elapsed <= (isElsewhere ? RecentPackets.close : RecentPackets.closest)
    }
    return false
  }

  /// Whether a segment so far behind the beginning of another one is one of those that it was split into: each is as long,
  /// and has the next identification. A retransmission has one of its own.
  private static func isPart(_ number: UInt16, _ distance: UInt64, _ length: Int) -> Bool {
    guard number > 0 else { return distance == 0 }
    let (size, rest) = distance.quotientAndRemainder(dividingBy: UInt64(number))
    return rest == 0 && segmentSizes.contains(size) && length <= size
  }

  /// Up to what fits into a jumbo frame.
  private static let segmentSizes: ClosedRange<UInt64> = 500...9_000

  private func record(_ entry: Entry) -> Record? {
    guard entry > 0 else { return nil }
    let record = records[Int(entry & UInt64(records.count - 1))]
    return record.number == entry ? record : nil
  }

  private func isKept(_ record: Record) -> Bool {
    record.window > 0 && serial &- record.window < UInt32(windows.count) && place &- record.place <= Self.reach
  }

  private func byte(of record: Record, at offset: UInt64) -> UInt8 {
    windows[Int(record.window) % windows.count][Int(record.position) + Int(offset - record.offset)]
  }
}
