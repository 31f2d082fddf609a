/// Levels and values of a column in the row group that is being filled.
struct ColumnBuffer {
  let leaf: Schema.Leaf
  private(set) var definition = LevelRuns()
  private(set) var repetition = LevelRuns()
  private(set) var strings = StringStore()
  /// Also numbers with a fraction, as their bits, and truths, as 0 and 1.
  private(set) var integers: [Int64] = []
  /// Records that it has levels of.
  private var records = 0

  init(_ leaf: Schema.Leaf) {
    self.leaf = leaf
  }

  /// A record that touches this column comes; those before it that did not had nothing there.
  mutating func begin(record: Int) {
    absent(records: record)
    records = record + 1
  }

  /// Nothing in any record up to this one.
  mutating func absent(records count: Int) {
    guard count > records else { return }
    definition.append(0, count: count - records)
    repetition.append(0, count: count - records)
    records = count
  }

  /// Nothing from some level on.
  mutating func absent(_ level: UInt8, _ repeated: UInt8) {
    definition.append(level)
    repetition.append(repeated)
  }

  /// Answers the bytes that it takes.
  mutating func append(_ text: String, _ repeated: UInt8) -> Int {
    definition.append(leaf.maximumDefinition)
    repetition.append(repeated)
    return strings.append(text)
  }

  mutating func append(_ value: Int64, _ repeated: UInt8) -> Int {
    definition.append(leaf.maximumDefinition)
    repetition.append(repeated)
    integers.append(value)
    return 8
  }

  var valueCount: Int { leaf.type == .byteArray ? strings.places.count : integers.count }

  mutating func removeAll() {
    definition = LevelRuns()
    repetition = LevelRuns()
    strings.removeAll()
    integers.removeAll(keepingCapacity: true)
    records = 0
  }
}

/// Levels in the order of the values. Most are the same as the one before.
struct LevelRuns {
  /// How often, and the level in the lowest byte.
  private var runs: [UInt32] = []
  private(set) var count = 0
  private static let limit = 1 << 23

  mutating func append(_ level: UInt8, count added: Int = 1) {
    count += added
    var added = added
    while added > 0 {
      let taken = min(added, Self.limit)
      let at = runs.count - 1
      if at >= 0, UInt8(truncatingIfNeeded: runs[at]) == level, Int(runs[at] >> 8) + taken < 2 * Self.limit {
        runs[at] += UInt32(taken) << 8
      } else {
        runs.append(UInt32(taken) << 8 | UInt32(level))
      }
      added -= taken
    }
  }

  /// As a page has them: their length, and runs. Where there is one level there are none.
  func encoded(maximum: UInt8) -> [UInt8] {
    guard maximum > 0 else { return [] }
    var encoder = HybridRuns(width: BitPacker.width(of: UInt64(maximum)))
    for run in runs { encoder.append(run & 0xFF, count: Int(run >> 8)) }
    let encoded = encoder.finish()
    var bytes: [UInt8] = []
    bytes.appendLittle(UInt32(encoded.count))
    return bytes + encoded
  }
}
