import Dispatch
import Synchronization

/// Work of several threads at once where no task can be waited for: at the end of a report, which is written by one.
package enum SideBySide {
  /// What `make` gives of each number below `count`, in their order, made by at most so many threads.
  package static func map<Value: Sendable>(
    _ count: Int, jobs: Int, _ make: @Sendable (Int) -> Value
  ) -> [Value] {
    guard jobs > 1, count > 1 else { return (0..<count).map(make) }
    let turns = Turns(count)
    let made = Mutex([Value?](repeating: nil, count: count))
    DispatchQueue.concurrentPerform(iterations: min(jobs, count)) { _ in
      while let number = turns.next() {
        let value = make(number)
        made.withLock { $0[number] = value }
      }
    }
    return made.withLock { $0.compactMap { $0 } }
  }
}
