import Events

/// Waits of one kind on a connection: the longest, with the sum of all.
struct Waits<Wait: Sendable>: Sendable {
  private(set) var longest: Wait?
  private(set) var nanoseconds: Int64 = 0
  private(set) var count: UInt64 = 0
  private(set) var total: Int64 = 0

  mutating func add(_ wait: Wait, _ time: Int64) {
    count &+= 1
    total &+= time
    if time > nanoseconds { (longest, nanoseconds) = (wait, time) }
  }

  mutating func add(_ other: Waits) {
    count &+= other.count
    total &+= other.total
    if other.nanoseconds > nanoseconds { (longest, nanoseconds) = (other.longest, other.nanoseconds) }
  }

  /// `3.930 s (the longest of 2 such waits, 6.364 s in all)`
  var words: String {
    let others =
      count > 1 ? " (the longest of \(Wording.number(count)) such waits, \(Wording.duration(total)) in all)" : ""
    return Wording.duration(nanoseconds) + others
  }
}
