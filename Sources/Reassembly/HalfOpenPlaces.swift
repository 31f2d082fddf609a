import Decode

/// Where half-open flows stand: a place is a number that stays the same until it is released.
///
/// In pieces that never move: one array would be copied to twice its size when it is full, and beside what is taken of it
/// there would be as much that is empty, and holes where it stood before, in every lane.
struct HalfOpenPlaces: Sendable {
  private static let pieceLength = 64

  private var pieces: [[HalfOpen?]] = []
  private var free: [Int] = []

  var liveCount: Int { pieces.count * Self.pieceLength - free.count }

  subscript(place: Int) -> HalfOpen? {
    pieces[place / Self.pieceLength][place % Self.pieceLength]
  }

  /// The same SYN once more.
  mutating func take(_ segment: TCPSegment, at place: Int) {
    pieces[place / Self.pieceLength][place % Self.pieceLength]?.take(segment)
  }

  /// Answers the place of the flow.
  mutating func insert(_ flow: HalfOpen) -> Int {
    if free.isEmpty {
      let start = pieces.count * Self.pieceLength
      pieces.append([HalfOpen?](repeating: nil, count: Self.pieceLength))
      free.append(contentsOf: (start..<start + Self.pieceLength).reversed())
    }
    let place = free.removeLast()
    pieces[place / Self.pieceLength][place % Self.pieceLength] = flow
    return place
  }

  mutating func release(_ place: Int) {
    pieces[place / Self.pieceLength][place % Self.pieceLength] = nil
    free.append(place)
  }

  /// Those that are taken, in no order that means anything.
  var live: [Int] {
    var live: [Int] = []
    for (number, piece) in pieces.enumerated() {
      for at in piece.indices where piece[at] != nil { live.append(number * Self.pieceLength + at) }
    }
    return live
  }
}
