import Citation
import HTTP1
import HTTPSemantics

/// A body that was being sent when the capture began, found by what it is made of: chunks that land on each other, events,
/// lines of JSON, parts.
struct JoinedBody: Sendable {
  /// Chunked, or else `.close`: then nobody knows what ends it.
  let framing: Framing
  /// Where it can be read from: the first size line, the first delimiter, or else the first byte.
  let start: Int
  /// Its items say that a server sends them. All others may come from either side.
  let isServers: Bool
  /// Of its parts, where it has some.
  let boundary: [UInt8]?

  /// A body begins with one of its first size lines, or what looks like them is something else.
  private static let chainLimit = 64

  /// `isAlone` while the other side says nothing. It is asked of a body that nothing but its content shows to be one:
  /// other protocols send lines of JSON, too, and mostly both ways.
  init?(in bytes: Span<UInt8>, isAlone: Bool) {
    var mayBeChunked = false
    var chains = 0
    var line: Int? = 0
    while let at = line, chains < Self.chainLimit {
      if let chain = ChunkChain(bytes, at: at) {
        chains += 1
        if let body = Self(bytes, chain, at: at) {
          self = body
          return
        }
        mayBeChunked = true
      }
      line = ChunkChain.nextLine(in: bytes, from: at)
    }
    // While a size line waits for its data, that may be events and the line not one of them.
    guard isAlone, !mayBeChunked else { return nil }
    if case .items(let type, _) = OpenItems.look(at: bytes, isFramed: false) {
      self.init(framing: .close, start: 0, isServers: type == .events)
    } else if let parts = OpenParts(in: bytes) {
      self.init(framing: .close, start: parts.start, isServers: false, boundary: parts.boundary)
    } else {
      return nil
    }
  }

  /// Two chunks, or one of items.
  private init?(_ bytes: Span<UInt8>, _ chain: ChunkChain, at start: Int) {
    guard chain.whole > 0 else { return nil }
    let data = bytes.extracting(chain.first)
    if case .items(let type, _) = OpenItems.look(at: data, isFramed: true) {
      self.init(framing: .chunked, start: start, isServers: type == .events)
    } else if let parts = OpenParts(in: data) {
      self.init(framing: .chunked, start: start, isServers: false, boundary: parts.boundary)
    } else if chain.isCertain {
      self.init(framing: .chunked, start: start, isServers: false)
    } else {
      return nil
    }
  }

  private init(framing: Framing, start: Int, isServers: Bool, boundary: [UInt8]? = nil) {
    self.framing = framing
    self.start = start
    self.isServers = isServers
    self.boundary = boundary
  }
}
