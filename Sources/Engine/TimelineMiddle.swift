import Citation
import Events

/// What a timeline leaves out between its beginning and its end, but for the two entries around its longest silence.
struct TimelineMiddle: Sendable {
  /// A shorter silence is left out like everything else.
  private static let least: Int64 = 500_000_000

  /// The entries around the longest silence, without those that are a part of the beginning or of the end.
  private(set) var kept: [TimelineEntry] = []
  private var longest = Self.least - 1
  /// The silence is behind the kept entry, and the next entry is its end.
  private var isSilent = false
  private var isFirst = true
  private var before = TimelineCut()
  private var after = TimelineCut()

  /// Adds the entry that follows those added; `beginning` is the last packet before all of them.
  @inline(__always)
  mutating func add(_ entry: TimelineEntry, after beginning: PacketRef, before next: TimelineEntry) {
    let silence = next.first.time.since(entry.last.time)
    guard !isFirst, silence <= longest, !isSilent else {
      return add(entry, followedBy: silence, after: beginning)
    }
    if kept.isEmpty { before.add(entry) } else { after.add(entry) }
  }

  @inline(never)
  private mutating func add(_ entry: TimelineEntry, followedBy silence: Int64, after beginning: PacketRef) {
    let leading = isFirst ? entry.first.time.since(beginning.time) : 0
    isFirst = false
    if max(silence, leading) > longest {
      longest = max(silence, leading)
      for other in kept { before.add(other) }
      before.add(after)
      after = TimelineCut()
      kept = [entry]
      isSilent = silence >= leading
    } else if isSilent {
      kept.append(entry)
      isSilent = false
    } else {
      before.add(entry)
    }
  }

  mutating func turnRound() {
    for index in kept.indices { kept[index].direction = kept[index].direction?.opposite }
    before.direction = before.direction?.opposite
    after.direction = after.direction?.opposite
  }

  /// Where entries are left out; `end` is the first entry behind all of them.
  func cuts(before end: TimelineEntry) -> [TimelineCut] {
    var cuts = [before, after]
    cuts[0].packet = (kept.first ?? end).first.number
    cuts[1].packet = end.first.number
    return cuts.filter { $0.entries > 0 }
  }
}

extension TimelineCut {
  fileprivate mutating func add(_ entry: TimelineEntry) {
    entries &+= 1
    guard entry.kind == .body || entry.kind == .chunks else { return }
    addBody(entry.bytes, entry.exchange, entry.direction)
  }

  fileprivate mutating func add(_ other: TimelineCut) {
    entries &+= other.entries
    if other.bytes > 0 { addBody(other.bytes, other.exchange, other.direction) }
  }

  private mutating func addBody(_ count: UInt64, _ exchange: Int, _ direction: Direction?) {
    if self.exchange != exchange || self.direction != direction { bytes = 0 }
    self.exchange = exchange
    self.direction = direction
    bytes &+= count
  }
}
