/// Values by key, at most `limit` of them: the one that came first goes first.
///
/// The dictionary is only used to look places up, and is never iterated: `inOrder` is the order of arrival, the same in
/// every run. The values stand in an array, where they are changed without being moved.
///
/// Invariant: once full, the slots are a ring whose oldest is at `oldest`; until then `oldest` is 0.
struct BoundedTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private var places: [Key: Int] = [:]
  private var slots: [(key: Key, value: Value)] = []
  private var oldest = 0
  private let limit: Int

  init(limit: Int) {
    self.limit = limit
  }

  subscript(_ key: Key) -> Value? { places[key].map { slots[$0].value } }

  func has(_ key: Key) -> Bool { places[key] != nil }

  /// The value of a key, which is made when there is none; then changed in its place.
  mutating func update(_ key: Key, orMake make: @autoclosure () -> Value, _ change: (inout Value) -> Void) {
    if let place = places[key] { return change(&slots[place].value) }
    let place: Int
    if slots.count < limit {
      place = slots.count
      slots.append((key, make()))
    } else {
      place = oldest
      places[slots[place].key] = nil
      slots[place] = (key, make())
      oldest = oldest + 1 == limit ? 0 : oldest + 1
    }
    places[key] = place
    change(&slots[place].value)
  }

  var inOrder: [Value] { (slots[oldest...] + slots[..<oldest]).map(\.value) }
}
