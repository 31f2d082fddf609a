import Citation
import HTTP1
import HTTPSemantics
import Support

/// A stream of one direction, fed to a parser in segments.
struct Feeding {
  var role: HTTP1Role = .response
  var start: HTTP1Parser.Start = .atMessage
  var requests: [RequestContext] = []
  var end: DirectionEnd? = .fin
  /// Every segment is a packet of its own, numbered from 1; else all bytes are in packet 1.
  var numbersPackets = false
  var takesShortWay = false

  /// The tokens of a stream cut before the given offsets, adjacent body tokens joined.
  func tokens(_ bytes: [UInt8], cutAt cuts: [Int] = []) -> [HTTP1Token] {
    var parser = HTTP1Parser(role, start: start)
    for request in requests { parser.expect(request) }
    guard takesShortWay else {
      return parser.tokens(of: bytes, cutAt: cuts, numbersPackets: numbersPackets, end: end).joined
    }
    var short = ShortWay(parser: parser)
    return short.tokens(of: bytes, cutAt: cuts, numbersPackets: numbersPackets, end: end).joined
  }

  func tokens(_ text: String, cutAt cuts: [Int] = []) -> [HTTP1Token] { tokens(wire(text), cutAt: cuts) }

}

/// A parser by the short ways that a dialogue takes for bytes inside a body and for whole chunks: they must show what
/// `consume` tells.
struct ShortWay: IncrementalParser {
  var parser: HTTP1Parser
  private(set) var wholeChunks = 0

  init(parser: HTTP1Parser) { self.parser = parser }

  mutating func consume(_ chunk: borrowing CitedBytes, into tokens: inout [HTTP1Token]) {
    if let place = parser.takeInside(chunk) {
      let end = chunk.offset + UInt64(chunk.bytes.count)
      tokens.append(.body(range: chunk.offset..<end, bodyOffset: place))
    } else if let whole = parser.takeWholeChunk(chunk) {
      wholeChunks += 1
      let digits = Int(whole.data.lowerBound - chunk.offset) - 2
      tokens += [
        .chunkSize(whole.line(chunk.bytes.extracting(first: digits))),
        .body(range: whole.data, bodyOffset: whole.place), .chunkEnd(whole.chunk),
      ]
    } else {
      parser.consume(chunk, into: &tokens)
    }
  }

  mutating func skip(gap range: Range<UInt64>, into tokens: inout [HTTP1Token]) {
    parser.skip(gap: range, into: &tokens)
  }

  mutating func finish(_ end: DirectionEnd, into tokens: inout [HTTP1Token]) {
    parser.finish(end, into: &tokens)
  }
}

/// The bytes of a text whose characters are all below U+0100.
func wire(_ text: String) -> [UInt8] {
  text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
}

extension WholeChunk {
  /// Of its size line, which begins with these digits.
  fileprivate func line(_ digits: Span<UInt8>) -> ChunkSizeLine {
    let isUppercase = digits.indices.contains { UInt8(ascii: "A")...UInt8(ascii: "F") ~= digits[$0] }
    return ChunkSizeLine(
      index: chunk.index, size: chunk.size, notes: isUppercase ? .uppercase : .plain, chunkExtension: nil,
      span: ByteSpan(
        chunk.span.range.lowerBound..<data.lowerBound, first: chunk.span.first, last: chunk.span.first),
      released: chunk.released)
  }
}

extension [HTTP1Token] {
  var joined: [HTTP1Token] {
    var result: [HTTP1Token] = []
    for token in self {
      if case .body(let next, _) = token, case .body(let range, let offset)? = result.last,
        range.upperBound == next.lowerBound
      {
        result[result.count - 1] = .body(range: range.lowerBound..<next.upperBound, bodyOffset: offset)
      } else {
        result.append(token)
      }
    }
    return result
  }

  var heads: [MessageHead] { compactMap { if case .head(let head) = $0 { head } else { nil } } }
  var ends: [MessageEnd] { compactMap { if case .messageEnd(let end) = $0 { end } else { nil } } }
  var chunks: [Chunk] { compactMap { if case .chunkEnd(let chunk) = $0 { chunk } else { nil } } }
  var sizes: [UInt64] {
    compactMap {
      switch $0 {
      case .chunkSize(let line), .lastChunk(let line): line.size
      default: nil
      }
    }
  }
  var leniences: [Lenience] { compactMap { if case .lenience(let lenience) = $0 { lenience } else { nil } } }
  var kinds: [Lenience.Kind] { leniences.map(\.kind) }
  var errors: [FramingError] { compactMap { if case .framingError(let error) = $0 { error } else { nil } } }
  var trailers: [HeaderBlock] { compactMap { if case .trailers(let block) = $0 { block } else { nil } } }
  var resyncs: [UInt64] { compactMap { if case .resync(let offset, _) = $0 { offset } else { nil } } }
  var tunnel: UInt64? {
    for case .tunnel(let offset, _) in self { return offset }
    return nil
  }

  /// The body bytes of all messages.
  func body(of bytes: [UInt8]) -> [UInt8] {
    flatMap { token -> [UInt8] in
      guard case .body(let range, _) = token else { return [] }
      return [UInt8](bytes[Int(range.lowerBound)..<Int(range.upperBound)])
    }
  }
}
