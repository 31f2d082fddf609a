import Citation
import HTTP1
import HTTPSemantics
import Support
import Testing

/// Segments that are one chunk each, which a dialogue takes by a short way.
@Suite("A chunk in one piece")
struct WholeChunkTests {
  private static let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

  /// How many of the segments were taken as one chunk. What is told of them is the same as without.
  private func taken(_ segments: [String]) -> Int {
    let pieces = [Self.head] + segments
    let bytes = wire(pieces.joined())
    var cuts: [Int] = []
    for piece in pieces { cuts.append((cuts.last ?? 0) + wire(piece).count) }
    var parser = HTTP1Parser(.response)
    let expected = parser.tokens(of: bytes, cutAt: cuts, numbersPackets: true)
    var short = ShortWay(parser: HTTP1Parser(.response))
    #expect(short.tokens(of: bytes, cutAt: cuts, numbersPackets: true) == expected)
    return short.wholeChunks
  }

  @Test("is told as it is in parts, and so is what comes behind it.")
  func whole() {
    #expect(taken(["5\r\nhello\r\n", "B\r\ndata: one\n\n\r\n", "1\r\nx\r\n", "0\r\n\r\n"]) == 3)
    #expect(taken(["a\r\n0123456789\r\n", "3\r\n\r\n\n\r\n", "2\r\nab", "\r\n", "1\r\nx\r\n"]) == 3)
  }

  @Test(
    "is not what ends early, goes on, or has a size line of another kind.",
    arguments: [
      "5\r\nhello", "5\r\nhello\r", "5\r\nhello\r\n0", "5\r\nhello\r\n5\r\nhello\r\n", "05\r\nhello\r\n", "0\r\n\r\n",
      "0\r\n",
      "5;a=b\r\nhello\r\n", "5 \r\nhello\r\n", "5\nhello\r\n", "5\r\nhello\n\n", "5\r\nhell\r\n", "4\r\nhello\r\n",
      "\r\n", "5",
      "5\r", "5\r\n", "ffffffffffffffff\r\nhello\r\n", "FFFFFFFFFFFFFF\r\nhello\r\n", "x\r\n", "5\r\nhello\r\r",
    ])
  func parts(_ segment: String) {
    #expect(taken([segment, "1\r\nx\r\n"]) <= 1)
    #expect(taken([segment]) == 0)
  }

  @Test("is nothing where another line was begun, or in a body that is not chunked.")
  func elsewhere() {
    #expect(taken(["1", "5\r\nhello\r\n"]) == 0)
    #expect(taken(["5\r\nhe", "1\r\nx\r\n"]) == 0)
    var parser = HTTP1Parser(.response)
    let text = wire("HTTP/1.1 200 OK\r\nContent-Length: 30\r\n\r\n")
    var tokens: [HTTP1Token] = []
    parser.consume(CitedBytes(text.span, at: 0, in: .numbered(1), released: .numbered(1)), into: &tokens)
    let chunk = wire("1\r\nx\r\n")
    #expect(
      parser.takeWholeChunk(
        CitedBytes(chunk.span, at: UInt64(text.count), in: .numbered(2), released: .numbered(2))) == nil)
  }
}
