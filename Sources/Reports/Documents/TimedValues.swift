import Events

/// Values of an array that are written as they come and stand there by their times, those of one moment as they came.
struct TimedValues {
  private struct Place {
    var time: Int64
    var block: Int
    var range: Range<Int>
  }

  /// One text of them all would be copied while it grows. So short, they fit where something was given up meanwhile.
  private static let blockBytes = 4 << 10

  private let depth: Int
  private var blocks: [[UInt8]] = []
  /// The next block, with room for more.
  private var open: [UInt8] = []
  private var places: [Place] = []

  /// Of an array in so many containers, itself counted.
  init(depth: Int) {
    self.depth = depth
  }

  mutating func add(at time: Int64, _ value: (inout JSONWriter) -> Void) {
    let start = open.count
    var json = JSONWriter(.indented, valueAtDepth: depth)
    swap(&json.bytes, &open)
    value(&json)
    swap(&json.bytes, &open)
    places.append(Place(time: time, block: blocks.count, range: start..<open.count))
    guard open.count >= Self.blockBytes else { return }
    blocks.append(open.fitted)
    open.removeAll(keepingCapacity: true)
  }

  /// Writes them into the array that is open.
  func write(to json: inout JSONWriter, _ output: inout some ByteSink) throws(ReportError) {
    for place in places.sorted(by: {
      ($0.time, $0.block, $0.range.lowerBound) < ($1.time, $1.block, $1.range.lowerBound)
    }) {
      json.embedded((place.block < blocks.count ? blocks[place.block] : open)[place.range])
      guard json.bytes.count > 1 << 16 else { continue }
      try output.write(json.bytes)
      json.bytes.removeAll(keepingCapacity: true)
    }
  }
}
