import Citation

/// What a comparison makes of an exchange, in a word.
package struct ComparisonVerdict: Sendable, Equatable {
  package enum Word: String, Sendable, CaseIterable {
    case identical
    /// The same content, carried in another way.
    case reframed = "re-framed"
    /// Something else was said.
    case altered
    case slower
    /// It began later, and then came in fewer and larger bursts.
    case buffered
    /// One capture has less of it.
    case truncated
    /// It was answered in one capture, and refused or not answered in the other.
    case failed
  }

  package var word: Word
  /// Of an upload or a download, where it is about one of them.
  package var direction: Direction?
  /// The capture in which it is the worse; nil where none is.
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
