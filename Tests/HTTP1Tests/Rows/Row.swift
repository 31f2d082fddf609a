import Citation
import HTTP1
import HTTPSemantics
import Support
import Testing

/// A stream and the tokens it must give, whole and however it is cut. Each topic is a suite of rows beside this file.
struct Row: Sendable, CustomTestStringConvertible {
  var name: String
  var role: HTTP1Role
  var requests: [RequestContext] = []
  var wire: String
  var expected: [String] = []

  var testDescription: String { name }
  var feeding: Feeding { Feeding(role: role, requests: requests) }

  static let get = [RequestContext(method: .get)]
  static let chunkedHead = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
}

extension Row {
  func expectTokens(at location: SourceLocation = #_sourceLocation) {
    #expect(feeding.tokens(wire).summary == expected, sourceLocation: location)
  }

  func expectSameAtEveryCut(at location: SourceLocation = #_sourceLocation) {
    let bytes = HTTP1Tests.wire(wire)
    let expected = feeding.tokens(bytes)
    for takesShortWay in [false, true] {
      var feeding = feeding
      feeding.takesShortWay = takesShortWay
      for cut in 1..<bytes.count {
        let isSame = feeding.tokens(bytes, cutAt: [cut]) == expected
        #expect(isSame, "cut at \(cut)", sourceLocation: location)
      }
      let isSame = feeding.tokens(bytes, cutAt: Array(1..<bytes.count)) == expected
      #expect(isSame, "byte by byte", sourceLocation: location)
    }
  }

  func expectProvenance(at location: SourceLocation = #_sourceLocation) {
    let bytes = HTTP1Tests.wire(wire)
    var generator = SplitMix64(seed: 7)
    var feeding = feeding
    feeding.numbersPackets = true
    for round in 0..<8 {
      let cuts =
        round == 0
        ? Array(1..<bytes.count)
        : Set((0..<8).map { _ in Int(generator.next() % UInt64(bytes.count - 1)) + 1 }).sorted()
      for token in feeding.tokens(bytes, cutAt: cuts) {
        for span in token.spans where span.count > 0 {
          let first = UInt64(cuts.count { $0 <= span.range.lowerBound }) + 1
          let last = UInt64(cuts.count { $0 <= span.range.upperBound - 1 }) + 1
          #expect(span.first.number == first, "\(token.summary) cut at \(cuts)", sourceLocation: location)
          #expect(span.last.number == last, "\(token.summary) cut at \(cuts)", sourceLocation: location)
        }
      }
    }
  }
}

extension HTTP1Token {
  fileprivate var spans: [ByteSpan] {
    switch self {
    case .messageStart(let offset, let packet): [ByteSpan(offset..<offset + 1, first: packet, last: packet)]
    case .head(let head), .partialHead(let head):
      [head.span] + head.block.fields.flatMap { [head.block.span(of: $0.name), head.block.span(of: $0.value)] }
    case .chunkSize(let line), .lastChunk(let line): [line.span]
    case .chunkEnd(let chunk): [chunk.span]
    case .trailers(let block): block.fields.map { block.span(of: $0.value) }
    case .lenience(let lenience): [lenience.span]
    case .framingError(let error): [error.span]
    case .body, .messageEnd, .tunnel, .resync, .opaque, .gap: []
    }
  }
}
