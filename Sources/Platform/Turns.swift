import Synchronization

/// Deals numbers to whoever is free, each once.
package final class Turns: Sendable {
  private let dealt = Atomic(0)
  private let count: Int

  package init(_ count: Int) {
    self.count = count
  }

  package func next() -> Int? {
    let number = dealt.wrappingAdd(1, ordering: .relaxed).oldValue
    return number < count ? number : nil
  }
}
