import Citation
import Events
import Reassembly

/// A connection's story as it happens, bounded: the beginning, the end, and of what lies between the longest silence
/// and a count.
///
/// Data that follows data of the same direction without a pause is one entry, so a bulk transfer is a line or two.
struct TimelineRecorder: Sendable {
  /// A pause longer than this begins a new entry.
  fileprivate static let pause: Int64 = 5_000_000

  private let headLimit: Int
  private let tailLimit: Int
  private var head: [TimelineEntry] = []
  private var tail: [TimelineEntry] = []
  private var tailStart = 0
  private var middle = TimelineMiddle()

  var isKept: Bool { headLimit > 0 }
  var count: Int { head.count + tail.count + middle.kept.count }

  init(limit: Int) {
    headLimit = limit * 3 / 4
    tailLimit = limit - headLimit
  }

  /// In the order of the packets, without what was cut. Data that waited behind a hole was recorded when it was released.
  var entries: [TimelineEntry] {
    let recorded = head + middle.kept + tail[tailStart...] + tail[..<tailStart]
    return recorded.enumerated().sorted { ($0.1.first.number, $0.0) < ($1.1.first.number, $1.0) }.map(\.element)
  }

  var cuts: [TimelineCut] { tail.isEmpty ? [] : middle.cuts(before: tail[tailStart]) }

  @inline(__always)
  mutating func data(_ delivery: Delivery) {
    guard headLimit > 0 else { return }
    let count = UInt64(delivery.count)
    if tail.isEmpty {
      if let last = head.indices.last, head[last].absorbs(delivery, count) { return }
    } else {
      let last = tailStart == 0 ? tail.count - 1 : tailStart - 1
      if tail[last].absorbs(delivery, count) { return }
    }
    add(TimelineEntry(.data, delivery.direction, delivery.packet, bytes: count))
  }

  /// A part of a message. More of the same without a pause is one entry.
  mutating func moment(_ entry: TimelineEntry) {
    guard headLimit > 0 else { return }
    if tail.isEmpty {
      if let last = head.indices.last, head[last].absorbs(entry) { return }
    } else {
      let last = tailStart == 0 ? tail.count - 1 : tailStart - 1
      if tail[last].absorbs(entry) { return }
    }
    add(entry)
  }

  /// Forgets runs of data, because their bytes are reported in another way.
  mutating func dropData() {
    guard tail.isEmpty else { return }
    head.removeAll { $0.kind == .data }
  }

  /// Client and server change places.
  mutating func turnRound() {
    for index in head.indices { head[index].direction = head[index].direction?.opposite }
    for index in tail.indices { tail[index].direction = tail[index].direction?.opposite }
    middle.turnRound()
  }

  mutating func observation(_ seen: TCPObservation) {
    // Their holes are reported as such.
    if seen.kind == .ackOfUnseen || seen.kind == .snaplenCut || seen.kind.isForRules { return }
    var entry = TimelineEntry(
      .observation(seen.kind), seen.direction, seen.packet, bytes: seen.range.upperBound - seen.range.lowerBound)
    entry.value = seen.value
    entry.earlier = seen.earlier
    add(entry)
  }

  mutating func gap(_ gap: SequenceGap, _ direction: Direction) {
    add(
      TimelineEntry(.gap(gap.cause), direction, gap.packet, bytes: gap.range.upperBound - gap.range.lowerBound))
  }

  mutating func conflict(_ conflict: OverlapConflict, _ direction: Direction) {
    var entry = TimelineEntry(.conflict, direction, conflict.second, bytes: conflict.differing)
    entry.earlier = conflict.first
    add(entry)
  }

  private mutating func add(_ entry: TimelineEntry) {
    guard headLimit > 0 else { return }
    if head.count < headLimit {
      head.append(entry)
    } else if tail.count < tailLimit {
      tail.append(entry)
    } else {
      let next = tailStart + 1 == tail.count ? 0 : tailStart + 1
      middle.add(tail[tailStart], after: head[headLimit - 1].last, before: next == tailStart ? entry : tail[next])
      tail[tailStart] = entry
      tailStart = next
    }
  }
}

extension TimelineEntry {
  /// Takes a part of the same message that follows without a pause.
  fileprivate mutating func absorbs(_ entry: TimelineEntry) -> Bool {
    guard let run = kind.run, run == entry.kind.run, run != .messages || label == entry.label,
      direction == entry.direction,
      exchange == entry.exchange, entry.first.number >= last.number,
      entry.first.time.since(last.time) <= TimelineRecorder.pause
    else { return false }
    if entry.first.number != last.number { packets &+= 1 }
    last = entry.last
    bytes &+= entry.bytes
    value &+= entry.value
    return true
  }

  /// Takes data that continues this entry without a pause.
  @inline(__always)
  fileprivate mutating func absorbs(_ delivery: Delivery, _ count: UInt64) -> Bool {
    guard case .data = kind, direction == delivery.direction, delivery.packet.number >= last.number,
      delivery.packet.time.since(last.time) <= TimelineRecorder.pause
    else { return false }
    if delivery.packet.number != last.number { packets &+= 1 }
    last = delivery.packet
    bytes &+= count
    return true
  }
}

extension TimelineEntry.Kind {
  fileprivate enum Run { case body, chunks, records, messages }

  /// Of what entries one may be made of several. Asked of every part of a message, where kinds themselves are compared with all
  /// that they hold.
  fileprivate var run: Run? {
    switch self {
    case .body: .body
    case .chunks: .chunks
    case .records: .records
    case .message: .messages
    default: nil
    }
  }
}
