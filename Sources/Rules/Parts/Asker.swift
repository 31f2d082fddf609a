import Citation
import Events
import HTTPSemantics

/// One client of one server name, as far as a capture can tell: behind one address there may be several.
struct Asker: MixedKey {
  var address: IPAddress
  /// Of the User-Agent.
  var agent: Int
  /// Of the authority it names, or of the server's address where there is none.
  var authority: Int

  @inline(__always)
  func mix(into mixer: inout WordMixer) {
    address.mix(into: &mixer)
    mixer.combine(agent)
    mixer.combine(authority)
  }
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
  /// Of the last segment of the path, with the query: what a proxy passes on that takes a prefix off the path.
  let tail: Int
  /// Of the server's endpoint.
  let server: Int

  init(_ head: MessageHead, _ context: FlowContext) {
    let held = head.block.bytes
    let bytes = held.span
    server = context.server.mixed
    asker = Asker(
      address: context.client.address,
      agent: head.block.first("user-agent").map { Self.hash(bytes, $0.value) } ?? 0,
      // The same host over TLS is another site: other cookies, another port unsaid.
      authority: (head.authority.map { Self.hash(bytes, $0.value) } ?? server) ^ (context.isSecure ? 1 : 0))
    guard case .request(_, let name, let target) = head.line else {
      (method, self.target, path, shape, tail) = (0, 0, 0, 0, 0)
      return
    }
    let path = head.pathRange
    method = Self.hash(bytes, name)
    self.target = Self.hash(bytes, target)
    self.path = path == target ? self.target : Self.hash(bytes, path)
    shape = Self.shape(bytes, path)
    tail = Self.tail(bytes, path, upTo: target.upperBound)
  }

  /// What a request and its repetition have in common, whatever program says it is: agents differ behind one address.
  struct Same: MixedKey {
    private let address: IPAddress
    private let authority: Int
    private let method: Int
    private let target: Int

    init(_ key: RequestKey) {
      address = key.asker.address
      authority = key.asker.authority
      method = key.method
      target = key.target
    }

    @inline(__always)
    func mix(into mixer: inout WordMixer) {
      address.mix(into: &mixer)
      mixer.combine(authority)
      mixer.combine(method)
      mixer.combine(target)
    }
  }

  /// Without the case of letters, which no host has; a path that differs in it only is as good as the same.
  @inline(__always)
  private static func hash(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int {
    var words = WordMixer()
    words.combine(lowercased: bytes.extracting(range.clamped(to: bytes.indices)))
    return words.value
  }

  private static func tail(_ bytes: Span<UInt8>, _ path: Range<Int>, upTo end: Int) -> Int {
    var start = min(path.upperBound, bytes.count)
    while start > path.lowerBound, bytes[start - 1] != UInt8(ascii: "/") { start -= 1 }
    return hash(bytes, start..<max(start, end))
  }

  private static func shape(_ bytes: Span<UInt8>, _ path: Range<Int>) -> Int {
    var words = WordMixer()
    var start = path.lowerBound
    while start <= path.upperBound {
      var end = start
      while end < path.upperBound, bytes[end] != UInt8(ascii: "/") { end += 1 }
      if isNumber(bytes, start..<end) {
        words.combine(-1)
      } else {
        words.combine(bytes.extracting(start..<end))
      }
      start = end + 1
    }
    return words.value
  }

  /// Digits alone, or a UUID.
  private static func isNumber(_ bytes: Span<UInt8>, _ segment: Range<Int>) -> Bool {
    guard !segment.isEmpty, bytes[segment.lowerBound].hexadecimalValue < 16 else { return false }
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
