import Citation

/// Values by key, at most `limit` of them: the one that came first goes first.
///
/// It is never iterated by hash: `inOrder` is the order of arrival, the same in every run. The values stand in an
/// array, where they are changed without being moved. Hashes are kept beside them: a full table removes one value for
/// each it takes, and the library's dictionary hashes the neighbours of what it removes again.
///
/// Invariant: once full, the slots are a ring whose oldest is at `oldest`; until then `oldest` is 0. A place in `places`
/// is that of a slot plus one, or 0; from where a slot's hash wants it up to where it is, no place is 0.
struct BoundedTable<Key: MixedKey, Value: Sendable>: Sendable {
  private struct Slot: Sendable {
    var hash: Int
    var key: Key
    var value: Value
  }

  private var slots: [Slot] = []
  /// A power of two of them, at least twice as many as slots.
  private var places: [UInt32] = []
  private var oldest = 0
  private let limit: Int

  init(limit: Int) {
    self.limit = limit
  }

  subscript(_ key: Key) -> Value? { slot(of: key, key.mixed).map { slots[$0].value } }

  func has(_ key: Key) -> Bool { slot(of: key, key.mixed) != nil }

  /// The value of a key, which is made when there is none; then changed in its place.
  mutating func update(_ key: Key, orMake make: @autoclosure () -> Value, _ change: (inout Value) -> Void) {
    let hash = key.mixed
    if let slot = slot(of: key, hash) { return change(&slots[slot].value) }
    let slot: Int
    if slots.count < limit {
      slot = slots.count
      slots.append(Slot(hash: hash, key: key, value: make()))
      if slots.count * 2 > places.count { grow() } else { enter(slot) }
    } else {
      slot = oldest
      remove(slot)
      slots[slot] = Slot(hash: hash, key: key, value: make())
      enter(slot)
      oldest = oldest + 1 == limit ? 0 : oldest + 1
    }
    change(&slots[slot].value)
  }

  var inOrder: [Value] {
    var values: [Value] = []
    values.reserveCapacity(slots.count)
    for slot in oldest..<slots.count { values.append(slots[slot].value) }
    for slot in 0..<oldest { values.append(slots[slot].value) }
    return values
  }

  // MARK: Places

  private func slot(of key: Key, _ hash: Int) -> Int? {
    guard !places.isEmpty else { return nil }
    let mask = places.count - 1
    var at = hash & mask
    while places[at] != 0 {
      let slot = Int(places[at]) - 1
      if slots[slot].hash == hash, slots[slot].key == key { return slot }
      at = (at + 1) & mask
    }
    return nil
  }

  private mutating func grow() {
    places = Array(repeating: 0, count: max(8, places.count * 2))
    for slot in slots.indices { enter(slot) }
  }

  private mutating func enter(_ slot: Int) {
    let mask = places.count - 1
    var at = slots[slot].hash & mask
    while places[at] != 0 { at = (at + 1) & mask }
    places[at] = UInt32(slot + 1)
  }

  /// Fills the gap with those behind it that it would cut off from where they are looked for.
  private mutating func remove(_ slot: Int) {
    let mask = places.count - 1
    var gap = slots[slot].hash & mask
    while places[gap] != slot + 1 { gap = (gap + 1) & mask }
    var next = (gap + 1) & mask
    while places[next] != 0 {
      let wanted = slots[Int(places[next]) - 1].hash & mask
      if (next - wanted) & mask >= (next - gap) & mask {
        places[gap] = places[next]
        gap = next
      }
      next = (next + 1) & mask
    }
    places[gap] = 0
  }
}
