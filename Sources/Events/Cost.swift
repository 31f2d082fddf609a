/// error: something failed or was lost; warning: it had a cost or will have; note: worth knowing.
package enum Severity: UInt8, Sendable, Comparable, CaseIterable {
  case note, warning, error
  package static func < (left: Severity, right: Severity) -> Bool { left.rawValue < right.rawValue }

  package var name: String {
    switch self {
    case .note: "note"
    case .warning: "warning"
    case .error: "error"
    }
  }
}

package enum Confidence: UInt8, Sendable, Comparable, CaseIterable {
  case low, medium, high
  package static func < (left: Confidence, right: Confidence) -> Bool { left.rawValue < right.rawValue }

  package var name: String {
    switch self {
    case .low: "low"
    case .medium: "medium"
    case .high: "high"
    }
  }
}

/// What a finding cost. With a cost it is a diagnosis, without one lint.
package enum Cost: Sendable, Equatable {
  case none
  case delay(nanoseconds: Int64)
  case lost(bytes: UInt64)
  case failed(Failure)

  package enum Failure: String, Sendable { case connection, exchange }

  /// The cost of two occurrences together; all findings of a rule have the same kind of cost.
  package func adding(_ other: Cost) -> Cost {
    switch (self, other) {
    case (.delay(let a), .delay(let b)): .delay(nanoseconds: a &+ b)
    case (.lost(let a), .lost(let b)): .lost(bytes: a &+ b)
    case (.none, let cost): cost
    default: self
    }
  }

  /// Delays shorter than this are nobody's, and no more than a capture's clock is off by.
  private static let shortest: Int64 = 1_000_000

  /// Itself, or none where it is too small to be one.
  var felt: Cost {
    switch self {
    case .delay(let nanoseconds) where nanoseconds < Self.shortest: .none
    case .lost(bytes: 0): .none
    default: self
    }
  }

  /// Failures first, then losses, then delays, the larger first; this orders findings in reports.
  package var weight: (UInt8, UInt64) {
    switch self {
    case .failed(.connection): (4, 0)
    case .failed(.exchange): (3, 0)
    case .lost(let bytes): (2, bytes)
    case .delay(let nanoseconds): (1, UInt64(max(0, nanoseconds)))
    case .none: (0, 0)
    }
  }
}
