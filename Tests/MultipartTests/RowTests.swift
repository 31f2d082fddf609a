import Citation
// Tests of Multipart: bodies and their tokens, whole, at every cut, in random segments, with their packets.
import HTTPSemantics
import Multipart
import Support
import Testing

struct RowTests {
  @Test("the tokens of a body are these", arguments: Rows.all)
  func whole(_ row: Row) {
    #expect(tokens(wire(row.wire), row.boundary, isFormData: row.isFormData).map(\.summary) == row.expected)
  }

  @Test("the same tokens at every cut", arguments: Rows.all)
  func everyCut(_ row: Row) {
    let bytes = wire(row.wire)
    guard bytes.count > 1 else { return }
    let expected = tokens(bytes, row.boundary, isFormData: row.isFormData)
    for cut in 1..<bytes.count {
      let isSame = tokens(bytes, row.boundary, isFormData: row.isFormData, cutAt: [cut]) == expected
      #expect(isSame, "cut at \(cut)")
    }
    let isSame = tokens(bytes, row.boundary, isFormData: row.isFormData, cutAt: Array(1..<bytes.count)) == expected
    #expect(isSame, "byte by byte")
  }

  @Test("the same tokens for random segmentations", arguments: Rows.all)
  func randomCuts(_ row: Row) {
    let bytes = wire(row.wire)
    guard bytes.count > 1 else { return }
    var generator = SplitMix64(seed: 0x5EED)
    let expected = tokens(bytes, row.boundary, isFormData: row.isFormData)
    for _ in 0..<200 {
      let pieces = Int(generator.next() % 30)
      let cuts = (0..<pieces).map { _ in Int(generator.next() % UInt64(bytes.count)) }.sorted()
      let isSame = tokens(bytes, row.boundary, isFormData: row.isFormData, cutAt: cuts) == expected
      #expect(isSame, "cut at \(cuts)")
    }
  }

  /// Pieces of rows in any order, so that every state meets every input.
  @Test("the same tokens for five thousand random bodies, however they are cut")
  func randomBodies() {
    var generator = SplitMix64(seed: 77)
    let words = [
      "--b0undary", "b0undary", "\r\n", "\n", "\r", "--", "-", "Content-Disposition: form-data; name=\"a\"", "\"", ": ",
      "; filename=\"x", " ", "data", "\u{0}", "\u{FF}", "\r\n\r\n", "b0und", "X:",
    ]
    for _ in 0..<5_000 {
      let count = Int(generator.next() % 24) + 2
      let bytes = (0..<count).flatMap { _ in wire(words[Int(generator.next() % UInt64(words.count))]) }
      let expected = tokens(bytes, "b0undary")
      let cuts = (0..<Int(generator.next() % 12)).map { _ in Int(generator.next() % UInt64(bytes.count)) }.sorted()
      let isSame = tokens(bytes, "b0undary", cutAt: cuts) == expected
      #expect(isSame, "\(bytes) cut at \(cuts)")
      let isSameByByte = tokens(bytes, "b0undary", cutAt: Array(1..<bytes.count)) == expected
      #expect(isSameByByte, "\(bytes) byte by byte")
    }
  }

  @Test("spans cite the packets of their first and last byte", arguments: Rows.all)
  func provenance(_ row: Row) {
    let bytes = wire(row.wire)
    guard bytes.count > 1, bytes.count < 1_000 else { return }
    var generator = SplitMix64(seed: 7)
    for round in 0..<8 {
      let cuts =
        round == 0
        ? Array(1..<bytes.count)
        : Set((0..<8).map { _ in Int(generator.next() % UInt64(bytes.count - 1)) + 1 }).sorted()
      for token in tokens(bytes, row.boundary, isFormData: row.isFormData, cutAt: cuts, isNumbered: true) {
        for span in token.spans where span.count > 0 {
          let first = UInt64(cuts.count { $0 <= span.range.lowerBound }) + 1
          let last = UInt64(cuts.count { $0 <= span.range.upperBound - 1 }) + 1
          #expect(span.first.number == first, "\(token.summary) cut at \(cuts)")
          #expect(span.last.number == last, "\(token.summary) cut at \(cuts)")
        }
      }
    }
  }

  @Test("data know their packets")
  func data() throws {
    let bytes = wire("--b0undary\r\nX: y\r\n\r\n0123456789\r\n--b0undary--")
    let all = tokens(bytes, "b0undary", isFormData: false, cutAt: Array(1..<bytes.count), isNumbered: true)
    let end = try #require(all.compactMap { if case .partEnd(let end) = $0 { end } else { nil } }.first)
    #expect(end.bytes == 10)
    #expect(end.first?.number == 21)
    #expect(end.last?.number == 30)
  }

  @Test("places are those on the wire, whatever stands between the pieces")
  func places() throws {
    let bytes = wire("--b0undary\r\nX: y\r\n\r\nab\r\n--b0undary--")
    var parser = try #require(MultipartParser(boundary: Array("b0undary".utf8), isFormData: false))
    var tokens: [MultipartToken] = []
    let packet = PacketRef(number: 1, time: .zero)
    parser.consume(bytes.span.extracting(0..<5), at: 100, in: packet, into: &tokens)
    parser.consume(bytes.span.extracting(5..<bytes.count), at: 200, in: packet, into: &tokens)
    parser.finish(isWhole: true, into: &tokens)
    #expect(
      tokens.map(\.summary) == ["delimiter 100-205", "part 1 [X]", "data 1 2", "close 219-231", "end"])
  }

  @Test("a boundary that cannot be looked for has no parser")
  func boundaries() {
    #expect(MultipartParser(boundary: [], isFormData: true) == nil)
    #expect(MultipartParser(boundary: Array(repeating: 65, count: 257), isFormData: true) == nil)
    #expect(MultipartParser(boundary: Array(repeating: 65, count: 256), isFormData: true) != nil)
  }
}
