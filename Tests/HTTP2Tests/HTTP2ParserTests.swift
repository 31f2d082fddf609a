import Citation
import HTTP2
import HTTP2Semantics
import Support
import Testing

@Suite("Frames of one direction of HTTP/2")
struct HTTP2ParserTests {
  private func tokens(_ row: FrameRow, cutAt cuts: [Int] = []) -> [HTTP2Token] {
    var parser = HTTP2Parser(row.start)
    return parser.tokens(of: row.bytes, cutAt: cuts).joined
  }

  @Test("What is reported of a direction.", arguments: FrameRow.all)
  func rows(_ row: FrameRow) {
    #expect(tokens(row).words == row.words)
  }

  @Test("The same at every cut.", arguments: FrameRow.all)
  func cuts(_ row: FrameRow) {
    let whole = tokens(row)
    let places = row.bytes.count <= 200 ? Array(0...row.bytes.count) : Array(0...40) + [row.bytes.count - 1]
    for place in places { #expect(tokens(row, cutAt: [place]) == whole) }
    if row.bytes.count <= 2_000 { #expect(tokens(row, cutAt: Array(0..<row.bytes.count)) == whole) }
  }

  @Test("The same in any segments.")
  func segments() {
    var random = SplitMix64(seed: 91)
    for _ in 0..<10_000 {
      let bytes = Self.random(&random)
      let cuts = (0..<Int.random(in: 0...8, using: &random)).map { _ in Int.random(in: 0...bytes.count, using: &random)
      }
      var (whole, cut) = (HTTP2Parser(.frame), HTTP2Parser(.frame))
      #expect(cut.tokens(of: bytes, cutAt: cuts.sorted()).joined == whole.tokens(of: bytes).joined)
    }
  }

  static func random(_ random: inout SplitMix64) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      let type = UInt8.random(in: 0...10, using: &random)
      let stream = UInt32.random(in: 0...3, using: &random)
      let length = [0, 1, 4, 5, 6, 8, 30].randomElement(using: &random) ?? 0
      bytes += frame(type, UInt8.random(in: 0...255, using: &random), stream, random.bytes(length))
    }
    return bytes
  }

  @Test("A frame has the packets of its first and last byte, and a block those of its parts.")
  func packets() {
    let bytes = frame(1, 0, 1, [0x82, 0x86]) + frame(9, 4, 1, [0x84, 0x41])
    var parser = HTTP2Parser(.frame)
    let tokens = parser.tokens(of: bytes, cutAt: [5, 10, 20], numbersPackets: true)
    #expect(tokens.frames.map(\.span.first.number) == [1, 3])
    #expect(tokens.frames.map(\.span.last.number) == [3, 4])
    #expect(tokens.frames.map(\.span.range) == [0..<11, 11..<22])
    let block = tokens.blocks[0]
    #expect(block.citation(0..<1) == ByteSpan(9..<10, first: .numbered(2), last: .numbered(2)))
    #expect(block.citation(1..<3) == ByteSpan(10..<21, first: .numbered(3), last: .numbered(4)))
    #expect(block.span.range == 0..<22 && block.released.number == 4)
  }

  @Test("The header of a frame as it stood.")
  func header() {
    var parser = HTTP2Parser(.frame)
    let bytes = frame(0, 9, 0x0102_0304, [0, 1])
    #expect(parser.tokens(of: bytes).frames.map(\.header.bytes) == [Array(bytes.prefix(9))])
  }

  @Test("Behind a hole inside of a frame reading goes on.")
  func holeInside() {
    for (hole, words) in [
      (11..<13, ["body 1 9-11", "body 1 lost 2", "body 1 13-14", "DATA 1 lacks 2 5", "DATA 3 end 0"]),
      (11..<14, ["body 1 9-11", "body 1 lost 3", "DATA 1 lacks 3 5", "DATA 3 end 0"]),
      (11..<15, ["body 1 9-11", "lost 11-15"]),
    ] {
      let bytes = frame(0, 0, 1, text("hello")) + frame(0, 1, 3)
      var parser = HTTP2Parser(.frame)
      var tokens: [HTTP2Token] = []
      feed(bytes, ..<hole.lowerBound, &parser, &tokens)
      parser.skip(gap: UInt64(hole.lowerBound)..<UInt64(hole.upperBound), into: &tokens)
      feed(bytes, hole.upperBound..., &parser, &tokens)
      parser.finish(.fin, into: &tokens)
      #expect(tokens.joined.words == words)
      #expect(parser.isDone)
    }
  }

  @Test("A hole in a block is told with it, and where frames are found again reading goes on.")
  func holeInBlock() {
    let bytes = frame(1, 5, 1, [1, 2, 3, 4]) + frame(0, 1, 3)
    var parser = HTTP2Parser(.frame)
    var tokens: [HTTP2Token] = []
    feed(bytes, ..<10, &parser, &tokens)
    parser.skip(gap: 10..<12, into: &tokens)
    feed(bytes, 12..<14, &parser, &tokens)
    parser.skip(gap: 14..<20, into: &tokens)
    let isLost = parser.isLost
    #expect(isLost)
    feed(bytes, 20..., &parser, &tokens)
    parser.resume()
    feed(frame(0, 1, 5), 0..., &parser, &tokens)
    #expect(tokens.words == ["HEADERS 1 end lacks 2", "block 1 end 1 cut", "lost 14-20", "DATA 5 end 0"])
  }

  private func feed(
    _ bytes: [UInt8], _ range: some RangeExpression<Int>, _ parser: inout HTTP2Parser, _ tokens: inout [HTTP2Token]
  ) {
    let range = range.relative(to: bytes.indices)
    let packet = PacketRef.numbered(1)
    parser.consume(
      CitedBytes(bytes.span.extracting(range), at: UInt64(range.lowerBound), in: packet, released: packet),
      into: &tokens)
  }

  @Test("Offsets near the end of the number range do not trap.")
  func greatOffsets() {
    var parser = HTTP2Parser(.frame)
    var tokens: [HTTP2Token] = []
    let packet = PacketRef.numbered(1)
    let bytes = frame(0, 0, 1, text("hello")) + frame(1, 4, 1, [0x82]) + frame(1, 0, 1, [0x82])
    parser.consume(CitedBytes(bytes.span, at: UInt64.max - 12, in: packet, released: packet), into: &tokens)
    parser.skip(gap: 1..<UInt64.max, into: &tokens)
    parser.finish(.fin, into: &tokens)
    #expect(tokens.frames.count == 3)
    #expect(tokens.blocks.allSatisfy { $0.citation(0..<1).range.lowerBound <= $0.citation(0..<1).range.upperBound })
  }

  @Test(
    "Fifty times the frames take fifty times as long, in one segment or byte by byte.", arguments: [1, 7, 1460, .max])
  func linear(by step: Int) {
    func time(_ count: Int) -> Duration {
      let bytes = Array(repeatElement(frame(9, 0, 1), count: count).joined())
      var least = Duration.seconds(60)
      for _ in 0..<3 {
        var parser = HTTP2Parser(.frame)
        let clock = ContinuousClock.now
        let cuts = Array(stride(from: step, to: bytes.count, by: step))
        let tokens = parser.tokens(of: frame(1, 0, 1) + bytes, cutAt: cuts)
        #expect(tokens.frames.count == count + 1)
        least = min(least, clock.duration(to: .now))
      }
      return least
    }
    #expect(time(50_000) < time(1_000) * 500)
  }
}

@Suite("What is HTTP/2")
struct HTTP2ProbeTests {
  @Test("The preface, at every length.")
  func preface() {
    let preface = HTTP2Probe.preface
    for count in 0..<preface.count {
      #expect(HTTP2Probe.isPreface(Array(preface.prefix(count)).span) == .unsure)
      var other = preface
      other[count] ^= 1
      #expect(HTTP2Probe.isPreface(other.span) == .no)
    }
    #expect(HTTP2Probe.isPreface((preface + frame(4)).span) == .yes)
  }

  @Test("A server's first frame.")
  func serverStart() {
    let settings = frame(4, 0, 0, [0, 3, 0, 0, 0, 100])
    #expect(HTTP2Probe.isServerStart(settings.span) == .yes)
    #expect(HTTP2Probe.isServerStart(Array(settings.prefix(8)).span) == .unsure)
    for other in [frame(4, 1), frame(4, 0, 1), frame(6, 0, 0, [0, 0, 0, 0, 0, 0, 0, 0]), text("HTTP/1.1 ")] {
      #expect(HTTP2Probe.isServerStart(other.span) == .no)
    }
  }

  @Test("Three frames that follow each other are found, wherever the bytes begin.")
  func search() {
    let frames = frame(0, 0, 1, text("hello")) + frame(8, 0, 0, [0, 0, 1, 0]) + frame(0, 1, 1)
    #expect(HTTP2Probe.search(frames.span) == .found(0))
    // Without its first byte the first header announces 1,280 bytes, and only what stands there tells.
    let more = Array(repeatElement(frame(4, 1), count: 200).joined())
    for start in 1..<14 {
      #expect(HTTP2Probe.search(Array(frames[start...] + more).span) == .found(14 - start))
    }
    for count in 0..<frames.count - 1 where count < 24 {
      if case .found = HTTP2Probe.search(Array(frames.prefix(count)).span) { Issue.record("found in \(count) bytes") }
    }
  }

  @Test(
    "Whose frames they are, by the first field of a block.",
    arguments: [
      (0x04, [0x83, 0x86], true), (0x04, [0x20, 0x3F, 0x44, 0x01, 0x2F], true), (0x04, [0x88], false),
      (0x04, [0x48, 0x03, 0x32, 0x30, 0x36], false), (0x04, [0xBE, 0x83], nil), (0x24, [0, 0, 0, 0, 9, 0x8D], false),
      // Spelled out, as they are and in codes of Huffman.
      (0x04, [0x40, 0x05] + text(":path"), true), (0x04, [0x40, 0x07] + text(":status"), false),
      (0x04, [0x00, 0x07] + text(":scheme"), true), (0x04, [0x40, 0x85, 0xB8, 0x84, 0x8D, 0x36, 0xA3], false),
      (0x04, [0x40, 0x84, 0xB9, 0x58, 0xD3, 0x3F], true), (0x04, [0x40, 0x04] + text("host"), nil), (0x04, [0x40], nil),
    ] as [(UInt8, [UInt8], Bool?)])
  func sides(flags: UInt8, block: [UInt8], expected: Bool?) {
    let bytes = frame(0, 0, 1, text("hello")) + frame(1, flags, 1, block) + frame(4, 1)
    #expect(HTTP2Probe.areClients(bytes.span, from: 0) == expected)
    for count in 0..<bytes.count { _ = HTTP2Probe.areClients(Array(bytes.prefix(count)).span, from: 0) }
  }

  @Test("Only a server promises.")
  func promise() { #expect(HTTP2Probe.areClients(frame(5, 4, 1, [0, 0, 0, 2, 0x82]).span, from: 0) == false) }

  @Test("Other protocols are not.")
  func others() {
    var random = SplitMix64(seed: 5)
    let streams: [[UInt8]] = [
      text(String(repeating: "GET / HTTP/1.1\r\nHost: a\r\n\r\n", count: 100)), [UInt8](repeating: 0, count: 4_000),
      [UInt8](repeating: 0xFF, count: 4_000), random.bytes(60_000), Array((0..<4_000).map { UInt8($0 & 0xFF) }),
      Array(repeatElement([0x16, 3, 3, 0, 40] + random.bytes(40), count: 50).joined()),
    ]
    for stream in streams {
      if case .found(let at) = HTTP2Probe.search(stream.span) { Issue.record("frames at \(at)") }
    }
  }
}
