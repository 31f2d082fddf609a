import Citation

// The headers of blocks, and the codes that those of the dynamic kind bring along (RFC 1951 §3.2.3 to §3.2.7).
extension DeflateReader {
  mutating func readHeader() -> Step {
    guard bitCount >= 3 else { return .needsInput }
    isFinal = peek(1) == 1
    let kind = peek(2, after: 1)
    guard kind != 3 else { return fail("invalid block type") }
    drop(3)
    switch kind {
    case 0:
      drop(bitCount & 7)
      state = .storedLength
    case 1:
      isFixed = true
      state = .symbols
    default:
      isFixed = false
      state = .codeCounts
    }
    return .goesOn
  }

  mutating func endBlock() {
    state = .header
    guard isFinal else { return }
    // What follows begins anew at the next byte.
    finalBlocks &+= 1
    drop(bitCount & 7)
  }

  mutating func readStoredLength() -> Step {
    guard bitCount >= 32 else { return .needsInput }
    let length = peek(16)
    guard length == ~peek(16, after: 16) & 0xFFFF else {
      return fail("the length of a stored block does not match its complement")
    }
    drop(32)
    if length == 0 { endBlock() } else { state = .stored(length) }
    return .goesOn
  }

  mutating func readStored(
    _ count: Int, _ input: Span<UInt8>, _ next: inout Int, _ output: (Span<UInt8>) -> Void
  ) -> Step {
    guard bitCount >= 8 || next < input.count else { return .needsInput }
    let (room, halt) = makeRoom(output)
    if let halt { return .halt(halt) }
    var taken = 0
    while taken < min(count, room), bitCount >= 8 {
      window[position] = UInt8(truncatingIfNeeded: bits)
      drop(8)
      advance(1)
      taken += 1
    }
    let whole = min(count - taken, room - taken, input.count - next)
    if whole > 0, bitCount == 0 {
      for index in 0..<whole { window[position + index] = input[next + index] }
      advance(whole)
      next += whole
      bytesTaken &+= UInt64(whole)
      taken += whole
    }
    if taken == count { endBlock() } else { state = .stored(count - taken) }
    return .goesOn
  }

  // MARK: Codes

  static let order: [Int] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

  mutating func readCodeCounts() -> Step {
    guard bitCount >= 14 else { return .needsInput }
    literalCount = peek(5) + 257
    distanceCount = peek(5, after: 5) + 1
    let count = peek(4, after: 10) + 4
    guard literalCount <= 286, distanceCount <= 30 else { return fail("too many codes") }
    drop(14)
    for index in 0..<19 { lengths[index] = 0 }
    have = 0
    state = .codeLengths(count)
    return .goesOn
  }

  mutating func readCodeLengths(_ count: Int) -> Step {
    while have < count {
      guard bitCount >= 3 else { return .needsInput }
      lengths[Self.order[have]] = UInt8(peek(3))
      drop(3)
      have += 1
    }
    guard distances.set(lengths[..<19]) == .complete else { return fail("invalid code of code lengths") }
    for index in 0..<19 { lengths[index] = 0 }
    have = 0
    state = .lengths
    return .goesOn
  }

  /// The lengths of both codes, one list (§3.2.7). Until it is whole, `distances` is the code they are written in.
  mutating func readLengths() -> Step {
    let total = literalCount + distanceCount
    while have < total {
      guard case .symbol(let symbol, let used) = distances.look(bits, bitCount) else { return .needsInput }
      if symbol < 16 {
        lengths[have] = UInt8(symbol)
        have += 1
        drop(used)
      } else {
        let (base, extra) = symbol == 16 ? (3, 2) : symbol == 17 ? (3, 3) : (11, 7)
        guard bitCount >= used + extra else { return .needsInput }
        let count = base + peek(extra, after: used)
        guard symbol != 16 || have > 0, have + count <= total else {
          return fail("invalid repeat of code lengths")
        }
        let repeated = symbol == 16 ? lengths[have - 1] : 0
        for index in have..<have + count { lengths[index] = repeated }
        have += count
        drop(used + extra)
      }
      // Refilled by whoever called; without more input the bits at hand are still looked at.
      if bitCount < 14 { return have < total ? .goesOn : readCodes() }
    }
    return readCodes()
  }

  mutating func readCodes() -> Step {
    guard lengths[256] > 0 else { return fail("no end-of-block code") }
    let isWhole = Self.isUsable(literals.set(lengths[..<literalCount]), literals)
    guard isWhole else { return fail("invalid literal code") }
    let isAlso = Self.isUsable(distances.set(lengths[literalCount..<literalCount + distanceCount]), distances)
    guard isAlso else { return fail("invalid distance code") }
    state = .symbols
    return .goesOn
  }

  /// A code of one symbol or none may leave bits without a meaning, as compressors write it.
  static func isUsable(_ shape: PrefixCode.Shape, _ code: PrefixCode) -> Bool {
    switch shape {
    case .complete: true
    case .incomplete: code.longest <= 1
    case .oversubscribed: false
    }
  }
}
