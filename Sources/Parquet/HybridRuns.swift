/// RLE and bit-packing in turn, each where it is shorter: levels, and places in a dictionary.
/// https://parquet.apache.org/docs/file-format/data-pages/encodings/#RLE
struct HybridRuns {
  private let width: Int
  private var bytes: [UInt8] = []
  /// Values that are no run: packed in eights.
  private var loose: [UInt32] = []
  private var last: UInt32 = 0
  private var lastCount = 0

  init(width: Int) {
    self.width = width
  }

  mutating func append(_ value: UInt32, count: Int = 1) {
    guard count > 0 else { return }
    if lastCount > 0, value != last { settle() }
    last = value
    lastCount += count
  }

  mutating func finish() -> [UInt8] {
    settle()
    flushLoose()
    return bytes
  }

  /// The run so far is over.
  private mutating func settle() {
    // Packed values come in eights; what is missing of them is taken from the run.
    let missing = loose.count % 8 == 0 ? 0 : 8 - loose.count % 8
    let left = lastCount - missing
    guard left >= 8 else {
      loose.append(contentsOf: repeatElement(last, count: lastCount))
      lastCount = 0
      return
    }
    loose.append(contentsOf: repeatElement(last, count: missing))
    flushLoose()
    bytes.appendVariable(UInt64(left) << 1)
    var rest = last
    for _ in 0..<(width + 7) / 8 {
      bytes.append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
    lastCount = 0
  }

  private mutating func flushLoose() {
    guard !loose.isEmpty else { return }
    let groups = (loose.count + 7) / 8
    bytes.appendVariable(UInt64(groups) << 1 | 1)
    var packer = BitPacker()
    for value in loose { packer.append(UInt64(value), width: width) }
    for _ in loose.count..<8 * groups { packer.append(0, width: width) }
    bytes += packer.finish()
    loose.removeAll(keepingCapacity: true)
  }
}
