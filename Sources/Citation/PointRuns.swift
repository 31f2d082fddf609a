/// Packets of several points in one order: how many of one came, then how many of another.
///
/// Four bytes a run, and every so many runs the counts until there, so that a place is found without reading all.
struct PointRuns {
  private static let blockLength = 1_024
  /// At four bytes. Packets after these are cited without their file.
  private static let limit = 8 << 20
  private static let longest: UInt32 = 1 << 24 - 1

  private struct Block {
    /// Packets before it: of all points, and of each.
    var before: UInt64
    var each: [UInt64]
  }

  /// The point in the upper eight bits, and how many packets.
  private var runs: [UInt32] = []
  private var blocks: [Block] = []
  private var total: UInt64 = 0
  private var each: [UInt64]

  init(count: Int) {
    each = [UInt64](repeating: 0, count: count)
  }

  mutating func add(_ packets: UInt64, of point: Int) {
    var left = packets
    while left > 0 {
      let more = UInt32(clamping: min(left, UInt64(Self.longest)))
      if let last = runs.last, Int(last >> 24) == point, last & Self.longest + more <= Self.longest {
        runs[runs.count - 1] += more
      } else {
        guard runs.count < Self.limit else { return }
        if runs.count % Self.blockLength == 0 { blocks.append(Block(before: total, each: each)) }
        runs.append(UInt32(truncatingIfNeeded: point) << 24 | more)
      }
      each[point] &+= UInt64(more)
      total &+= UInt64(more)
      left -= UInt64(more)
    }
  }

  func place(of packet: UInt64) -> (point: Int, number: UInt64)? {
    guard packet > 0, packet <= total else { return nil }
    var low = 0
    var high = blocks.count
    while low < high {
      let middle = (low + high) / 2
      if blocks[middle].before < packet { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return nil }
    var before = blocks[low - 1].before
    var each = blocks[low - 1].each
    for run in runs[((low - 1) * Self.blockLength)...] {
      let (point, count) = (Int(run >> 24), UInt64(run & Self.longest))
      if packet <= before + count { return (point, each[point] + packet - before) }
      before += count
      each[point] += count
    }
    return nil
  }
}
