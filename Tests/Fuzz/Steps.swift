/// What happens on a connection that is fuzzed, one after the other: a byte that says what, and the piece behind it, of the
/// length that a second byte says. An input may be cut anywhere.
struct Steps: Sequence, IteratorProtocol {
  private var rest: ArraySlice<UInt8>

  init(_ input: ArraySlice<UInt8>) { rest = input }

  mutating func next() -> (what: UInt8, piece: [UInt8])? {
    guard rest.count > 1, let what = rest.popFirst(), let length = rest.popFirst() else { return nil }
    let piece = Array(rest.prefix(Int(length)))
    rest = rest.dropFirst(piece.count)
    return (what, piece)
  }
}
