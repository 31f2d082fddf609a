import Citation

// A line that a load balancer writes before what its client said.
//
// https://www.haproxy.org/download/2.9/doc/proxy-protocol.txt §2.1
extension ProbeDialogue {
  /// With its line end.
  private static let lineLimit = 107
  private static let families = ["PROXY TCP4 ", "PROXY TCP6 ", "PROXY UNKNOWN"].map { Array($0.utf8) }

  /// How long the line is at the beginning of a stream; nil where there is none that is whole, and has bytes behind it.
  private static func lineLength(_ bytes: [UInt8]) -> Int? {
    guard families.contains(where: bytes.starts) else { return nil }
    guard let end = bytes.prefix(lineLimit).firstIndex(of: 0x0A), bytes[end - 1] == 0x0D, end + 1 < bytes.count else {
      return nil
    }
    return end + 1
  }

  /// Forgets the line where its first client bytes came in the same segment: what is behind it is looked at as if it were
  /// the first. A line that came alone is ruled out, and the next write looked at for itself.
  mutating func dropProxyLine(_ direction: Direction) {
    guard head[direction].first == UInt8(ascii: "P"), !hasHole[direction], unbroken[direction].index == 0,
      var rest = Self.lineLength(head[direction])
    else { return }
    head[direction].removeFirst(rest)
    unbroken[direction].offset &+= UInt64(rest)
    for index in held.indices where held[index].direction == direction {
      guard rest > 0, case .bytes(let chunk) = held[index].content else { break }
      let cut = min(rest, chunk.count)
      held[index].content = .bytes(HeldChunk(chunk.chunk, from: cut))
      rest -= cut
    }
    held.removeAll { piece in if case .bytes(let chunk) = piece.content { chunk.count == 0 } else { false } }
  }
}
