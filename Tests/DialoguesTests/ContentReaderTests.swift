import Citation
import HTTPSemantics
import Testing

@testable import Dialogues

@Suite("Readers of coded bodies")
struct ContentReaderTests {
  private static let gzip: [UInt8] = [
    0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0x02, 0xff, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x57, 0xc8, 0x40, 0x90, 0x00, 0x80,
    0x88, 0xf9, 0xe5, 0x11, 0, 0, 0,
  ]

  private static func reader() throws -> ContentReader {
    let packet = PacketRef(number: 1, time: .zero)
    let span = ByteSpan(0..<1, first: packet, last: packet)
    let block = HeaderBlock(decoded: [
      HeaderBlock.DecodedField(name: Array("content-encoding".utf8), value: Array("gzip".utf8), citation: span)
    ])
    return try #require(
      ContentReader(
        MessageHead(
          line: .response(status: Status(200), reason: 0..<0), version: .http11, block: block, span: span,
          released: packet, framing: .length)))
  }

  @Test("A reader that is copied and read on does not feed the other's decoder.")
  func copies() throws {
    let half = Self.gzip.count / 2
    let packet = PacketRef(number: 1, time: .zero)
    var alone = try Self.reader()
    alone.read(Self.gzip.span.extracting(0..<half), in: packet) { _ in }
    alone.read(Self.gzip.span.extracting(half..<Self.gzip.count), in: packet) { _ in }
    #expect(alone.finish(isWhole: true).outcome == .decoded)

    var one = try Self.reader()
    one.read(Self.gzip.span.extracting(0..<half), in: packet) { _ in }
    var other = one
    other.read(Self.gzip.span.extracting(half..<Self.gzip.count), in: packet) { _ in }
    #expect(other.finish(isWhole: true).outcome == .undecided)
    one.read(Self.gzip.span.extracting(half..<Self.gzip.count), in: packet) { _ in }
    #expect(one.finish(isWhole: true).outcome == .undecided)
  }
}
