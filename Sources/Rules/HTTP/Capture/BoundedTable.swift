/// Values by key, at most `limit` of them: the one that came first goes first.
///
/// Nothing walks through the dictionary; `inOrder` is the order of arrival, the same in every run.
struct BoundedTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private var values: [Key: Value] = [:]
  private var order: [Key] = []
  private var start = 0
  private let limit: Int

  init(limit: Int) {
    self.limit = limit
  }

  subscript(_ key: Key) -> Value? { values[key] }

  /// The value of a key, which is made when there is none; then changed in its place.
  mutating func update(_ key: Key, orMake make: @autoclosure () -> Value, _ change: (inout Value) -> Void) {
    if values[key] == nil {
      if order.count - start == limit { dropFirst() }
      order.append(key)
      values[key] = make()
    }
    if values[key] != nil { change(&values[key, default: make()]) }
  }

  var inOrder: [Value] { order[start...].compactMap { values[$0] } }

  private mutating func dropFirst() {
    values[order[start]] = nil
    start += 1
    if start >= limit {
      order.removeFirst(start)
      start = 0
    }
  }
}
