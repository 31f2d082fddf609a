import Citation

/// What waits for so long of the capture's time until more is known, in the order in which it came.
///
/// Bounded: where `limit` wait already, no more are taken.
struct HeldBack<Element: Sendable>: Sendable {
  private var waiting: [(element: Element, until: Timestamp)] = []
  private let patience: Int64
  private let limit: Int

  init(nanoseconds: Int64, limit: Int) {
    patience = nanoseconds
    self.limit = limit
  }

  var isEmpty: Bool { waiting.isEmpty }

  func hasNone(dueAt clock: Timestamp) -> Bool { waiting.first.map { clock < $0.until } ?? true }

  func contains(where isWanted: (Element) -> Bool) -> Bool { waiting.contains { isWanted($0.element) } }

  /// Whether it is taken.
  mutating func hold(_ element: Element, at clock: Timestamp) -> Bool {
    guard waiting.count < limit else { return false }
    waiting.append((element, clock.advanced(by: patience)))
    return true
  }

  /// Those whose time is up, or without a time all of them.
  mutating func taken(at clock: Timestamp?) -> [Element] {
    guard !waiting.isEmpty else { return [] }
    let count = clock.flatMap { clock in waiting.firstIndex { clock < $0.until } } ?? waiting.count
    defer { waiting.removeFirst(count) }
    return waiting.prefix(count).map(\.element)
  }
}
