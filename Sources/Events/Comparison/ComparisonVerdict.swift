import Citation

/// The verdict of a comparison on an exchange.
package struct ComparisonVerdict: Sendable, Equatable {
  package enum Word: String, Sendable, CaseIterable {
    case identical
    /// The same content with another framing.
    case reframed = "re-framed"
    /// The content differs.
    case altered
    case slower
    /// It began later, and then arrived in fewer and larger bursts.
    case buffered
    /// One capture has less of it.
    case truncated
    /// It was answered in one capture, and refused or not answered in the other.
    case failed
  }

  package var word: Word
  /// Of an upload or a download, where it is about one of them.
  package var direction: Direction?
  /// The capture in which it is worse; nil if neither.
  package var side: CompareSide?
  package var cost = Cost.none

  package init(_ word: Word, _ direction: Direction? = nil, side: CompareSide? = nil, cost: Cost = .none) {
    self.word = word
    self.direction = direction
    self.side = side
    self.cost = cost
  }
}

extension ComparisonVerdict.Word: Comparable {
  /// The worse is the larger.
  package static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
