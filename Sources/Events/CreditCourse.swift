import Citation

/// What a sender could still send, over time: bytes left of a window of HTTP/2, by each frame of data and each credit.
///
/// Memory: `limit` points. When more come, neighbours are joined into one that covers both, as often as needed: so the
/// lowest and highest of any time stay known, however long it lasts.
package struct CreditCourse: Sendable, Equatable {
  /// From then on, up to the next point.
  package struct Point: Sendable, Equatable {
    package var nanoseconds: Int64
    package var low: Int64
    package var high: Int64

    package init(_ nanoseconds: Int64, low: Int64, high: Int64) {
      self.nanoseconds = nanoseconds
      self.low = low
      self.high = high
    }
  }

  package static let limit = 128

  package private(set) var points: [Point] = []
  /// Values less far apart are one point.
  private var width: Int64 = 0

  package init() {}

  package var heldBytes: Int {
    ArrayRoom.grown(to: width > 0 ? Self.limit : points.count) * MemoryLayout<Point>.stride
  }

  package mutating func note(_ left: Int64, at nanoseconds: Int64) {
    note(Point(nanoseconds, low: left, high: left))
    guard points.count == Self.limit, let first = points.first, let last = points.last else { return }
    let all = points
    // Joined, they fill half of the places.
    width = max(2 * width, (last.nanoseconds - first.nanoseconds) / Int64(Self.limit / 2), 1)
    points.removeAll(keepingCapacity: true)
    for point in all { note(point) }
  }

  private mutating func note(_ point: Point) {
    guard let last = points.last, point.nanoseconds - last.nanoseconds < width else { return points.append(point) }
    points[points.count - 1].low = min(last.low, point.low)
    points[points.count - 1].high = max(last.high, point.high)
  }
}
