import Citation
import Events
import HTTPSemantics

/// One client of one server name, as far as a capture can tell: behind one address there may be several.
struct Asker: Hashable, Sendable {
  var address: IPAddress
  /// Of the User-Agent.
  var agent: Int
  /// Of the authority it names, or of the server's address where there is none.
  var authority: Int
}

/// The target of a request, as hashes of its bytes: made for every exchange of a capture, where strings would cost more
/// than all the rules. They live for one run, and two that are equal by chance are not to be expected.
struct RequestKey: Sendable {
  let asker: Asker
  let method: Int
  let target: Int
  let path: Int
  /// Of the path with its numbers and UUIDs left out.
  let shape: Int
  /// Of the server's endpoint.
  let server: Int

  init(_ head: MessageHead, _ context: FlowContext) {
    let block = head.block
    server = context.server.hashValue
    asker = Asker(
      address: context.client.address,
      agent: block.first("user-agent").map { Self.hash(block.bytes, $0.value) } ?? 0,
      // The same host over TLS is another site: other cookies, another port unsaid.
      authority: (head.authority.map { Self.hash(block.bytes, $0.value) } ?? context.server.hashValue)
        ^ (context.isSecure ? 1 : 0))
    guard case .request(_, let name, let target) = head.line else {
      (method, self.target, path, shape) = (0, 0, 0, 0)
      return
    }
    let path = head.pathRange
    method = Self.hash(block.bytes, name)
    self.target = Self.hash(block.bytes, target)
    self.path = Self.hash(block.bytes, path)
    shape = Self.shape(block.bytes, path)
  }

  /// Without the case of letters, which no host has; a path that differs in it only is as good as the same.
  private static func hash(_ bytes: [UInt8], _ range: Range<Int>) -> Int {
    var words = WordHasher()
    for index in range.clamped(to: bytes.indices) { words.combine(bytes[index].lowercased) }
    return words.finalize()
  }

  private static func shape(_ bytes: [UInt8], _ path: Range<Int>) -> Int {
    var words = WordHasher()
    var start = path.lowerBound
    while start <= path.upperBound {
      let end = bytes[start..<path.upperBound].firstIndex(of: UInt8(ascii: "/")) ?? path.upperBound
      if isNumber(bytes, start..<end) {
        words.combine(UInt8(ascii: "*"))
      } else {
        for index in start..<end { words.combine(bytes[index]) }
      }
      words.combine(UInt8(ascii: "/"))
      start = end + 1
    }
    return words.finalize()
  }

  /// Digits alone, or a UUID.
  private static func isNumber(_ bytes: [UInt8], _ segment: Range<Int>) -> Bool {
    if segment.isEmpty { return false }
    if segment.allSatisfy({ bytes[$0].isDigit }) { return true }
    guard segment.count == 36 else { return false }
    return segment.allSatisfy { index in
      switch index - segment.lowerBound {
      case 8, 13, 18, 23: bytes[index] == UInt8(ascii: "-")
      default: bytes[index].hexadecimalValue < 16
      }
    }
  }
}

/// Hashes bytes eight at a time: one by one the library's hasher took most of what all rules over a capture take.
private struct WordHasher {
  private var hasher = Hasher()
  private var word: UInt64 = 0
  private var count: UInt64 = 0

  @inline(__always)
  mutating func combine(_ byte: UInt8) {
    word = word &<< 8 | UInt64(byte)
    count &+= 1
    if count & 7 == 0 { hasher.combine(word) }
  }

  mutating func finalize() -> Int {
    if count & 7 != 0 { hasher.combine(word) }
    hasher.combine(count)
    return hasher.finalize()
  }
}

extension MessageHead {
  /// The target's path, without query.
  var path: String { block.text(of: pathRange) }

  fileprivate var pathRange: Range<Int> {
    guard case .request(_, _, let target) = line else { return 0..<0 }
    let bytes = block.bytes
    let range = target.clamped(to: bytes.indices)
    var start = range.lowerBound
    if targetForm == .absolute, let colon = bytes[range].firstIndex(of: .colon) {
      // Behind `://` and the authority.
      let authority = min(colon + 3, range.upperBound)
      start = bytes[authority..<range.upperBound].firstIndex(of: UInt8(ascii: "/")) ?? range.upperBound
    }
    let end = bytes[start..<range.upperBound].firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
    return start..<(end ?? range.upperBound)
  }
}

extension Finding {
  /// A finding of the whole capture, reported on the connection that shows it.
  func on(_ connection: Int) -> Finding {
    var finding = self
    finding.connection = connection
    return finding
  }
}
