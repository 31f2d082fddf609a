/// The strings of a column, each kept once, and which of them the values are.
///
/// The bytes are compared, not the characters: what only looks the same, or is the same to Unicode, stays apart. Hashes are
/// those of the process, so that nobody can choose strings that collide; places follow the order of appearance.
struct StringStore {
  private(set) var bytes: [UInt8] = []
  /// Where each string ends.
  private var ends: [Int] = []
  private(set) var places: [UInt32] = []
  /// Bytes of all values, with their lengths, as PLAIN has them.
  private(set) var plainSize = 0
  /// One more than the place; 0 is free.
  private var table: [UInt32] = []

  var count: Int { ends.count }

  /// Answers the bytes by which the store has grown.
  mutating func append(_ text: String) -> Int {
    var text = text
    let before = bytes.count
    let place = text.withUTF8 { source -> UInt32 in
      if let last = places.last, isEqual(last, source) { return last }
      return self.place(of: source)
    }
    plainSize += 4 + string(place).count
    places.append(place)
    return bytes.count - before + 4
  }

  func string(_ place: UInt32) -> Range<Int> {
    let place = Int(place)
    return (place == 0 ? 0 : ends[place - 1])..<ends[place]
  }

  private func isEqual(_ place: UInt32, _ source: UnsafeBufferPointer<UInt8>) -> Bool {
    let range = string(place)
    return range.count == source.count && bytes[range].elementsEqual(source)
  }

  private mutating func place(of source: UnsafeBufferPointer<UInt8>) -> UInt32 {
    if 2 * (ends.count + 1) > table.count { grow() }
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(source))
    var slot = hasher.finalize() & (table.count - 1)
    while table[slot] != 0 {
      let place = table[slot] - 1
      if isEqual(place, source) { return place }
      slot = (slot + 1) & (table.count - 1)
    }
    let place = UInt32(ends.count)
    bytes.append(contentsOf: source)
    ends.append(bytes.count)
    table[slot] = place + 1
    return place
  }

  private mutating func grow() {
    table = [UInt32](repeating: 0, count: max(16, 2 * table.count))
    for place in ends.indices {
      var hasher = Hasher()
      bytes[string(UInt32(place))].withUnsafeBytes { hasher.combine(bytes: $0) }
      var slot = hasher.finalize() & (table.count - 1)
      while table[slot] != 0 { slot = (slot + 1) & (table.count - 1) }
      table[slot] = UInt32(place) + 1
    }
  }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
    table.removeAll()
    plainSize = 0
  }

  // MARK: As pages hold them

  /// All strings once, each after its length.
  var dictionary: [UInt8] {
    var page: [UInt8] = []
    page.reserveCapacity(bytes.count + 4 * ends.count)
    for place in ends.indices { append(UInt32(place), to: &page) }
    return page
  }

  /// The values, each after its length.
  var plain: [UInt8] {
    var page: [UInt8] = []
    page.reserveCapacity(plainSize)
    for place in places { append(place, to: &page) }
    return page
  }

  private func append(_ place: UInt32, to page: inout [UInt8]) {
    let range = string(place)
    page.appendLittle(UInt32(range.count))
    page.append(contentsOf: bytes[range])
  }

  /// The first and the last in the order of their bytes, unless they are long.
  func bounds(limit: Int) -> (least: [UInt8], most: [UInt8])? {
    guard !ends.isEmpty else { return nil }
    var least = string(0)
    var most = least
    for place in 1..<max(1, ends.count) {
      let range = string(UInt32(place))
      if bytes[range].lexicographicallyPrecedes(bytes[least]) { least = range }
      if bytes[most].lexicographicallyPrecedes(bytes[range]) { most = range }
    }
    guard least.count <= limit, most.count <= limit else { return nil }
    return (Array(bytes[least]), Array(bytes[most]))
  }
}
