import Citation

/// The open-addressing index of a flow table: 64-bit hash → slot, or `~slot` for a half-open flow.
///
/// Linear probing over a power of two, at most half full, deletion by shifting back: no tombstones to rot.
struct FlowIndex: Sendable {
  private struct Entry: Sendable {
    var hash: UInt64
    var slot: Int
  }

  private static let empty = Entry(hash: 0, slot: .min)

  private let seed: UInt64
  private var entries: [Entry] = Array(repeating: FlowIndex.empty, count: 64)
  private var count = 0

  init(seed: UInt64) {
    self.seed = seed
  }

  @inline(__always)
  func hash(_ key: FlowKey) -> UInt64 { key.hash(seed: seed) }

  /// The slot of an established connection.
  @inline(__always)
  func find(_ key: FlowKey, _ hash: UInt64, _ connections: [Connection]) -> Int? {
    let mask = entries.count - 1
    var at = Int(truncatingIfNeeded: hash) & mask
    while entries[at].slot != .min {
      let entry = entries[at]
      if entry.hash == hash, entry.slot >= 0, connections[entry.slot].key == key { return entry.slot }
      at = (at + 1) & mask
    }
    return nil
  }

  func findHalfOpen(_ key: FlowKey, _ hash: UInt64, _ flows: HalfOpenPlaces) -> Int? {
    let mask = entries.count - 1
    var at = Int(truncatingIfNeeded: hash) & mask
    while entries[at].slot != .min {
      let entry = entries[at]
      if entry.hash == hash, entry.slot < 0, flows[~entry.slot]?.first.key == key { return ~entry.slot }
      at = (at + 1) & mask
    }
    return nil
  }

  mutating func insert(_ hash: UInt64, _ slot: Int) {
    if count * 2 >= entries.count { grow() }
    place(Entry(hash: hash, slot: slot))
    count += 1
  }

  mutating func remove(_ key: FlowKey, _ hash: UInt64, _ connections: [Connection], _ flows: HalfOpenPlaces) {
    let mask = entries.count - 1
    var at = Int(truncatingIfNeeded: hash) & mask
    while entries[at].slot != .min {
      let entry = entries[at]
      let isIt = entry.slot >= 0 ? connections[entry.slot].key == key : flows[~entry.slot]?.first.key == key
      if entry.hash == hash, isIt {
        close(at)
        count -= 1
        return
      }
      at = (at + 1) & mask
    }
  }

  /// Empties a place and moves back what probing had pushed past it.
  private mutating func close(_ place: Int) {
    let mask = entries.count - 1
    var hole = place
    var at = place
    while true {
      at = (at + 1) & mask
      guard entries[at].slot != .min else { break }
      let home = Int(truncatingIfNeeded: entries[at].hash) & mask
      if (at &- home) & mask >= (at &- hole) & mask {
        entries[hole] = entries[at]
        hole = at
      }
    }
    entries[hole] = FlowIndex.empty
  }

  /// Connections moved: `places` has the new slot of each old one.
  mutating func move(to places: [Int]) {
    for at in entries.indices where entries[at].slot >= 0 { entries[at].slot = places[entries[at].slot] }
  }

  private mutating func place(_ entry: Entry) {
    let mask = entries.count - 1
    var at = Int(truncatingIfNeeded: entry.hash) & mask
    while entries[at].slot != .min { at = (at + 1) & mask }
    entries[at] = entry
  }

  private mutating func grow() {
    let old = entries
    entries = Array(repeating: FlowIndex.empty, count: old.count * 2)
    for entry in old where entry.slot != .min { place(entry) }
  }
}
