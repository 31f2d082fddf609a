import Citation

/// The entries of one direction, newest first (RFC 7541 §2.3.2, §4).
///
/// It is open-ended while entries may stand behind the last one that is held: the capture began late, bytes are
/// missing, or the table is larger than what is kept here. The held entries are always the newest ones, so their indices
/// are right; all that an index behind them says is that the entry is not known.
///
/// Memory: `storageLimit` bytes of names and values, counted as the RFC counts, and as much again that is to be dropped.
///
/// Invariant: `size` is at most what the encoder counts for the held entries.
struct DynamicTable: Sendable {
  static let storageLimit: UInt64 = 64 << 10
  private static let overhead: UInt64 = 32

  struct Entry: Sendable {
    /// Counted from the first byte that was ever stored.
    var start: Int
    var nameCount: Int
    var valueCount: Int
    /// The name is a word of ours.
    var isNameUnknown: Bool
    /// As counted.
    var size: UInt64
  }

  /// What the encoder may fill.
  private(set) var capacity: UInt64
  private(set) var isOpenEnded: Bool
  private(set) var size: UInt64 = 0
  private(set) var bytes: [UInt8] = []
  private var entries: [Entry] = []
  /// Entries that were evicted and are still in `entries`, and bytes that are not in `bytes` any more.
  private var evicted = 0
  private var dropped = 0

  init(capacity: UInt64, isOpenEnded: Bool) {
    self.capacity = capacity
    self.isOpenEnded = isOpenEnded
  }

  var count: Int { entries.count - evicted }
  var heldBytes: Int { bytes.count + entries.count * MemoryLayout<Entry>.stride }

  /// `index` counts from 0, the newest.
  @inline(__always)
  func entry(_ index: Int) -> Entry? { index < count ? entries[entries.count - 1 - index] : nil }

  func name(of entry: Entry) -> Range<Int> {
    let start = entry.start - dropped
    return start..<start + entry.nameCount
  }

  func value(of entry: Entry) -> Range<Int> {
    let start = entry.start - dropped + entry.nameCount
    return start..<start + entry.valueCount
  }

  mutating func insert(name: Span<UInt8>, value: Span<UInt8>, isNameUnknown: Bool) {
    // A name that is not known may be empty.
    let nameSize = isNameUnknown ? 0 : UInt64(name.count)
    let added = nameSize + UInt64(value.count) + Self.overhead
    evict(to: capacity - min(capacity, added))
    // What does not fit empties the table, and is no error.
    guard added <= capacity else { return }
    if size + added > Self.storageLimit {
      evict(to: Self.storageLimit - min(Self.storageLimit, added), isOurs: true)
      isOpenEnded = true
      guard added <= Self.storageLimit else { return }
    }
    entries.append(
      Entry(
        start: dropped + bytes.count, nameCount: name.count, valueCount: value.count, isNameUnknown: isNameUnknown,
        size: added))
    name.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
    value.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
    size += added
    if isOpenEnded { closeIfFull() }
    compact()
  }

  mutating func resize(to capacity: UInt64) {
    self.capacity = capacity
    if capacity == 0 { isOpenEnded = false }
    evict(to: capacity)
    if isOpenEnded { closeIfFull() }
    compact()
  }

  /// What it holds is not what the encoder's holds any more, as far as anybody knows.
  mutating func lose() {
    evict(to: 0, isOurs: true)
    isOpenEnded = true
    compact()
  }

  /// Drops the oldest until no more than `limit` is left. An encoder that had to drop one that is held has dropped all
  /// before it.
  private mutating func evict(to limit: UInt64, isOurs: Bool = false) {
    while size > limit, evicted < entries.count {
      size -= entries[evicted].size
      evicted += 1
      if !isOurs { isOpenEnded = false }
    }
    if evicted == entries.count {
      dropped += bytes.count
      entries.removeAll(keepingCapacity: true)
      bytes.removeAll(keepingCapacity: true)
      evicted = 0
    }
  }

  /// No other entry fits beside those that are held.
  private mutating func closeIfFull() {
    if size <= capacity, capacity - size < Self.overhead { isOpenEnded = false }
  }

  /// Once more is dropped than held: each byte is moved less than twice.
  private mutating func compact() {
    guard evicted > 0, evicted < entries.count else { return }
    let live = entries[evicted].start
    guard evicted > max(64, count) || live - dropped > max(4_096, bytes.count / 2) else { return }
    bytes.removeFirst(live - dropped)
    dropped = live
    entries.removeFirst(evicted)
    evicted = 0
  }
}
