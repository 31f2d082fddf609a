import Citation
import Events

/// Which items are shown.
package struct ItemSelection: Sendable {
  /// Prefixes of rule ids; empty selects all.
  package var select: [String] = []
  package var ignore: [String] = []
  package var connection: Int?
  package var condition: Condition?
  package var range = TimeRange()
  /// For exchanges that wait until it is known whether they are shown.
  package var heldBytes = 4 << 20

  package init() {}

  package func accepts(_ rule: RuleID) -> Bool {
    (select.isEmpty || select.contains { rule.text.hasPrefix($0) }) && !ignore.contains { rule.text.hasPrefix($0) }
  }

  /// Items have to be looked at before they are shown.
  package var isSifted: Bool { condition != nil || !range.isEmpty }
}

/// A part of a capture, both ends included; what has no end goes on.
package struct TimeRange: Sendable {
  /// With the words that were meant so.
  package var from: (point: TimePoint, text: String)?
  package var to: (point: TimePoint, text: String)?

  package init() {}

  package var isEmpty: Bool { from == nil && to == nil }

  func resolved(from origin: Timestamp) -> ClosedRange<Timestamp>? {
    let lower = from.map { $0.point.resolved(from: origin) } ?? Timestamp(nanoseconds: .min)
    let upper = to.map { $0.point.resolved(from: origin) } ?? .distantFuture
    return lower <= upper ? lower...upper : nil
  }
}
