import Citation

// Literals, lengths and distances (RFC 1951 §3.2.5), and how far the distances reach.
extension DeflateReader {
  static let lengthBase: [29 of UInt16] = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
  ]
  static let lengthBits: [29 of UInt8] = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
  ]

  mutating func readSymbols(
    _ input: Span<UInt8>, _ next: inout Int, _ output: (Span<UInt8>) -> Void
  ) -> Step {
    let (room, halt) = makeRoom(output)
    var left = room
    while true {
      let answer = isFixed ? fixedLiterals.look(bits, bitCount) : literals.look(bits, bitCount)
      guard case .symbol(let symbol, let used) = answer else {
        if case .none = answer { return fail("invalid literal code in the data") }
        return .needsInput
      }
      if symbol < 256 {
        if let halt { return .halt(halt) }
        guard left > 0 else { return .goesOn }
        window[position] = UInt8(symbol)
        advance(1)
        left -= 1
        drop(used)
      } else if symbol == 256 {
        drop(used)
        endBlock()
        return .goesOn
      } else {
        guard symbol < 286 else { return fail("invalid length") }
        let extra = Int(Self.lengthBits[symbol - 257])
        guard bitCount >= used + extra else { return .needsInput }
        state = .distance(length: Int(Self.lengthBase[symbol - 257]) + peek(extra, after: used))
        drop(used + extra)
        return .goesOn
      }
      if bitCount < 20 { fill(from: input, &next) }
    }
  }

  mutating func readDistance(_ length: Int) -> Step {
    let answer = isFixed ? fixedDistances.look(bits, bitCount) : distances.look(bits, bitCount)
    guard case .symbol(let symbol, let used) = answer else {
      if case .none = answer { return fail("invalid distance code in the data") }
      return .needsInput
    }
    guard symbol < 30 else { return fail("invalid distance") }
    let extra = max(0, symbol / 2 - 1)
    guard bitCount >= used + extra else { return .needsInput }
    let base = symbol < 4 ? symbol : (2 + symbol & 1) << extra
    let distance = base + peek(extra, after: used) + 1
    drop(used + extra)
    measure(distance)
    guard distance <= history else { return fail("a reference to before the first byte") }
    state = .copy(length: length, distance: distance)
    return .goesOn
  }

  mutating func measure(_ distance: Int) {
    guard tooFar == nil else { return }
    let isForgotten = forgets && UInt64(distance) > bytesOut
    guard isForgotten || distance > reach else { return }
    let limit = forgets ? min(UInt64(reach), bytesOut) : UInt64(reach)
    tooFar = FarReference(distance: UInt64(distance), limit: limit, isForgotten: isForgotten)
  }
}
