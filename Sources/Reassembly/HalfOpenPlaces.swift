import Decode

/// Where half-open flows stand: a place is a number that stays the same until it is released.
///
/// In pieces that never move: one array would be copied to twice its size when it is full, and beside what is taken of it
/// there would be as much that is empty, and holes where it stood before, in every lane. A piece in which nothing stands is
/// given back where there is room in others: after a flood all of them would be kept.
struct HalfOpenPlaces: Sendable {
  private static let pieceLength = 64

  private var pieces: [[HalfOpen?]] = []
  /// What is taken of each.
  private var taken: [Int] = []
  /// Places in them, and the numbers of those that were given back.
  private var free: [Int] = []
  private var missing: [Int] = []

  var count: Int { (pieces.count - missing.count) * Self.pieceLength }
  var liveCount: Int { count - free.count }

  subscript(place: Int) -> HalfOpen? {
    pieces[place / Self.pieceLength][place % Self.pieceLength]
  }

  /// The same SYN once more.
  mutating func take(_ segment: TCPSegment, _ window: Span<UInt8>, at place: Int) {
    pieces[place / Self.pieceLength][place % Self.pieceLength]?.take(segment, window)
  }

  /// Answers the place of the flow.
  mutating func insert(_ flow: HalfOpen) -> Int {
    if free.isEmpty { addPiece() }
    let place = free.removeLast()
    pieces[place / Self.pieceLength][place % Self.pieceLength] = flow
    taken[place / Self.pieceLength] += 1
    return place
  }

  private mutating func addPiece() {
    let number = missing.popLast() ?? pieces.count
    let piece = [HalfOpen?](repeating: nil, count: Self.pieceLength)
    if number == pieces.count {
      pieces.append(piece)
      taken.append(0)
    } else {
      pieces[number] = piece
    }
    let start = number * Self.pieceLength
    free.append(contentsOf: (start..<start + Self.pieceLength).reversed())
  }

  mutating func release(_ place: Int) {
    pieces[place / Self.pieceLength][place % Self.pieceLength] = nil
    free.append(place)
    taken[place / Self.pieceLength] -= 1
    if taken[place / Self.pieceLength] == 0, free.count >= 2 * Self.pieceLength {
      removePiece(place / Self.pieceLength)
    }
  }

  private mutating func removePiece(_ number: Int) {
    pieces[number] = []
    missing.append(number)
    free.removeAll { $0 / Self.pieceLength == number }
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
