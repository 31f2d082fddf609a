import Citation
import HTTP1
import HTTPSemantics
import Support
import Testing

/// Every row, in one piece and however its stream is cut.
struct RowTests {
  @Test("the tokens of a stream are these", arguments: Rows.all)
  func whole(_ row: Row) {
    #expect(row.feeding.tokens(row.wire).summary == row.expected)
  }

  @Test("the same tokens at every cut", arguments: Rows.all)
  func everyCut(_ row: Row) {
    let bytes = wire(row.wire)
    let expected = row.feeding.tokens(bytes)
    for cut in 1..<bytes.count {
      let isSame = row.feeding.tokens(bytes, cutAt: [cut]) == expected
      #expect(isSame, "cut at \(cut)")
    }
    let isSame = row.feeding.tokens(bytes, cutAt: Array(1..<bytes.count)) == expected
    #expect(isSame, "byte by byte")
  }

  /// Rows one after another in one stream: also what one leaves behind for the next must not depend on the cuts.
  @Test("the same tokens for ten thousand random segmentations of neighbouring rows", arguments: HTTP1Role.allCases)
  func randomCuts(role: HTTP1Role) {
    var generator = SplitMix64(seed: 0x5EED)
    let rows = Rows.all.filter { $0.role == role && !$0.endsHTTP }
    for window in 0..<100 {
      let some = (0..<6).map { rows[(window + $0) % rows.count] }
      var feeding = Feeding(role: role)
      feeding.requests = some.flatMap(\.requests)
      let bytes = some.flatMap { wire($0.wire) }
      let expected = feeding.tokens(bytes)
      for _ in 0..<50 {
        let pieces = Int(generator.next() % 30)
        let cuts = (0..<pieces).map { _ in Int(generator.next() % UInt64(bytes.count)) }.sorted()
        let isSame = feeding.tokens(bytes, cutAt: cuts) == expected
        #expect(isSame, "rows from '\(some[0].name)' cut at \(cuts)")
      }
    }
  }

  @Test("spans cite the packets of their first and last byte", arguments: Rows.all)
  func provenance(_ row: Row) {
    let bytes = wire(row.wire)
    var generator = SplitMix64(seed: 7)
    var feeding = row.feeding
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
          #expect(span.first.number == first, "\(token.summary) cut at \(cuts)")
          #expect(span.last.number == last, "\(token.summary) cut at \(cuts)")
        }
      }
    }
  }
}

extension Row {
  /// What follows it in one stream would be read differently for all that comes after.
  fileprivate var endsHTTP: Bool {
    expected.contains { $0.hasPrefix("tunnel") || $0.hasPrefix("opaque") || $0.contains(" close ") }
      || expected.contains { $0.contains("length 18446744073709551615") || $0.contains("size 18446744073709551615") }
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
