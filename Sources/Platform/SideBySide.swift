import Dispatch
import Synchronization

/// Work on all cores at once where no task can be waited for: at the end of a report, which is written by one.
package enum SideBySide {
  /// What `make` gives of each number below `count`, in their order.
  package static func map<Value: Sendable>(_ count: Int, _ make: @Sendable (Int) -> Value) -> [Value] {
    let made = Mutex([Value?](repeating: nil, count: count))
    DispatchQueue.concurrentPerform(iterations: count) { index in
      let value = make(index)
      made.withLock { $0[index] = value }
    }
    return made.withLock { $0.compactMap { $0 } }
  }
}
