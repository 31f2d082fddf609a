import Citation

// What a load balancer writes before what its client said, as a line or in binary.
//
// https://www.haproxy.org/download/2.9/doc/proxy-protocol.txt
extension ProbeDialogue {
  /// With its line end (§2.1).
  private static let lineLimit = 107
  private static let families = ["PROXY TCP4 ", "PROXY TCP6 ", "PROXY UNKNOWN"].map { Array($0.utf8) }
  /// Followed by version and command, families, and the length of the rest (§2.2).
  private static let signature = Array("\r\n\r\n\0\r\nQUIT\n".utf8)
  private static let fixedLength = 16
  /// Addresses and certificates take less.
  private static let binaryLimit = 4_096

  private enum ProxyHeader {
    case none
    case length(Int)
    /// More of it is to come.
    case unfinished
  }

  /// What stands at the beginning of a stream. A line is taken where it is whole and has bytes behind it.
  private static func proxyHeader(_ bytes: [UInt8]) -> ProxyHeader {
    switch bytes.first {
    case UInt8(ascii: "P"):
      guard families.contains(where: bytes.starts), let end = bytes.prefix(lineLimit).firstIndex(of: 0x0A),
        bytes[end - 1] == 0x0D, end + 1 < bytes.count
      else { return .none }
      return .length(end + 1)
    case 0x0D:
      let shown = bytes.prefix(signature.count)
      guard signature.starts(with: shown) else { return .none }
      guard bytes.count >= fixedLength else { return .unfinished }
      let length = fixedLength + Int(bytes[14]) << 8 + Int(bytes[15])
      guard bytes[12] >> 4 == 2, length <= binaryLimit else { return .none }
      return length <= bytes.count ? .length(length) : .unfinished
    default: return .none
    }
  }

  /// Forgets the header where the client's first bytes came with it: what is behind it is looked at as if it were the
  /// first. A line that came alone is ruled out, and the next write looked at for itself. Answers false where nothing is to
  /// be looked at yet.
  mutating func dropProxyHeader(_ direction: Direction) -> Bool {
    guard !hasHole[direction], unbroken[direction].index == 0 else { return true }
    switch Self.proxyHeader(head[direction]) {
    case .none: return true
    case .unfinished: return isMidstream
    case .length(let length):
      drop(length, direction)
      return !head[direction].isEmpty
    }
  }

  private mutating func drop(_ length: Int, _ direction: Direction) {
    var rest = length
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
