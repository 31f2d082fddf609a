/// Which bytes of one direction were seen, by their sequence numbers, which begin again at zero.
struct SequenceCoverage {
  /// Further holes count as seen.
  private static let holeLimit = 32

  /// Behind the last byte.
  private var end: UInt32?
  private var start: UInt32 = 0
  /// Not seen, in order.
  private var holes: [(from: UInt32, to: UInt32)] = []

  /// Notes bytes; whether any of them is new. `length` is not zero.
  mutating func add(_ sequence: UInt32, _ length: UInt32) -> Bool {
    let to = sequence &+ length
    guard let end else {
      (start, self.end) = (sequence, to)
      return true
    }
    var isNew = false
    if !holes.isEmpty { isNew = fill(sequence, to) }
    let ahead = Int32(bitPattern: to &- end)
    if ahead > 0 {
      if Int32(bitPattern: sequence &- end) > 0, holes.count < Self.holeLimit { holes.append((end, sequence)) }
      self.end = to
      isNew = true
    } else if Int32(bitPattern: sequence &- start) < 0 {
      // Before what was seen first; what lies between counts as seen.
      start = sequence
      isNew = true
    }
    return isNew
  }

  func covers(_ sequence: UInt32, _ length: UInt32) -> Bool {
    var copy = self
    return !copy.add(sequence, length)
  }

  /// Takes bytes out of the holes.
  private mutating func fill(_ from: UInt32, _ to: UInt32) -> Bool {
    var isNew = false
    var left: [(from: UInt32, to: UInt32)] = []
    for hole in holes {
      let begins = Int32(bitPattern: from &- hole.from)
      let ends = Int32(bitPattern: hole.to &- to)
      let touches = Int32(bitPattern: to &- hole.from) > 0 && Int32(bitPattern: hole.to &- from) > 0
      guard touches else {
        left.append(hole)
        continue
      }
      isNew = true
      if begins > 0 { left.append((hole.from, from)) }
      if ends > 0 { left.append((to, hole.to)) }
    }
    holes = left
    return isNew
  }
}
