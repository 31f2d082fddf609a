import Events

/// Exchanges that are going on, in the order of their requests: new ones come at the end, and those that are over mostly
/// go from the front, however many wait behind them.
///
/// Invariant: what is in front of `start` is over, and no more than what is not.
struct ExchangeQueue: Sendable, RandomAccessCollection, MutableCollection {
  private var slots: [ExchangeRecord] = []
  private var start = 0

  var startIndex: Int { 0 }
  var endIndex: Int { slots.count - start }

  subscript(_ index: Int) -> ExchangeRecord {
    _read { yield slots[start + index] }
    _modify { yield &slots[start + index] }
  }

  mutating func append(_ exchange: ExchangeRecord) { slots.append(exchange) }

  mutating func insert(_ exchange: ExchangeRecord, at index: Int) { slots.insert(exchange, at: start + index) }

  mutating func removeFirst() -> ExchangeRecord {
    let first = self[0]
    start += 1
    if start * 2 >= slots.count {
      slots.removeFirst(start)
      start = 0
    }
    return first
  }

  mutating func removeAll(where isOver: (ExchangeRecord) -> Bool) {
    slots = filter { !isOver($0) }
    start = 0
  }

  mutating func removeAll() {
    slots = []
    start = 0
  }
}
