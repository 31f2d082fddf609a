import Citation
import Support
import TLS
import TLSSemantics
import Testing

@Suite("Records of one direction")
struct RecordParserTests {
  private func tokens(_ bytes: [UInt8], cutAt cuts: [Int] = [], numbersPackets: Bool = false) -> [RecordToken] {
    var parser = RecordParser()
    return parser.tokens(of: bytes, cutAt: cuts, numbersPackets: numbersPackets)
  }

  private func told(_ bytes: [UInt8], cutAt cuts: [Int] = []) -> [Told] {
    var parser = ReleasingParser()
    return parser.tokens(of: bytes, cutAt: cuts)
  }

  @Test("What is reported of a stream.", arguments: RecordRow.all)
  func rows(_ row: RecordRow) {
    #expect(tokens(row.bytes).map(\.words) == row.words)
  }

  @Test("The same at every cut, and at every two.", arguments: RecordRow.all)
  func cuts(_ row: RecordRow) {
    let whole = tokens(row.bytes)
    let all = told(row.bytes)
    for first in 0...row.bytes.count {
      #expect(told(row.bytes, cutAt: [first]) == all)
      for second in stride(from: first, through: row.bytes.count, by: row.bytes.count > 80 ? 7 : 1) {
        #expect(tokens(row.bytes, cutAt: [first, second]) == whole)
      }
    }
    #expect(told(row.bytes, cutAt: Array(0..<row.bytes.count)) == all)
  }

  @Test("At every end of the input each start has its end.", arguments: RecordRow.all)
  func prefixes(_ row: RecordRow) {
    for count in 0...row.bytes.count {
      let told = tokens(Array(row.bytes.prefix(count)))
      var open: UInt64?
      var offset: UInt64 = 0
      for token in told {
        switch token {
        case .recordStart(let record):
          #expect(open == nil && record.span.range.lowerBound == offset)
          open = record.index
        case .recordEnd(let record, _):
          #expect(open == (record.headerReleased == nil ? nil : record.index))
          #expect(record.span.range.lowerBound == offset)
          offset = record.span.range.upperBound
          open = nil
        case .opaque(let start):
          #expect(open == nil && start.span.range.lowerBound == offset)
          offset = UInt64(count)
        case .lost, .resumed: Issue.record("nothing is missing")
        }
      }
      #expect(open == nil && offset == UInt64(count))
    }
  }

  @Test("The same in any segments.")
  func segments() {
    var random = SplitMix64(seed: 6)
    for _ in 0..<10_000 {
      let bytes = Wire.random(&random)
      let cuts = (0..<Int.random(in: 0...8, using: &random)).map { _ in
        Int.random(in: 0...bytes.count, using: &random)
      }
      #expect(told(bytes, cutAt: cuts.sorted()) == told(bytes))
    }
  }

  @Test("A record knows the packets of its first and last byte, and that which completed its header.")
  func packets() {
    let bytes = Wire.record(23, [1, 2, 3]) + Wire.record(21, [1, 0]) + Wire.record(23, [])
    let told = tokens(bytes, cutAt: [2, 6, 9, 14, 17], numbersPackets: true)
    let ends = told.compactMap { if case .recordEnd(let record, _) = $0 { record } else { nil } }
    #expect(ends.map(\.span.first.number) == [1, 3, 5])
    #expect(ends.map(\.span.last.number) == [3, 5, 6])
    #expect(ends.map(\.headerReleased?.number) == [2, 4, 6])
    #expect(ends.map(\.released.number) == [3, 5, 6])
    #expect(ends.map(\.span.range) == [0..<8, 8..<15, 15..<20])
    #expect(ends.map(\.index) == [0, 1, 2])
  }

  @Test("Contents of what is open stay when those before are released.")
  func release() {
    var parser = RecordParser()
    var tokens: [RecordToken] = []
    let bytes = Wire.record(22, [1, 2]) + Wire.record(22, [3, 4, 5])
    let packet = PacketRef.numbered(1)
    parser.consume(CitedBytes(bytes.span.extracting(0..<13), at: 0, in: packet, released: packet), into: &tokens)
    #expect(parser.contents == [1, 2, 3] && parser.isInside)
    parser.releaseContents()
    parser.releaseContents()
    #expect(parser.contents == [3])
    parser.consume(CitedBytes(bytes.span.extracting(13..<15), at: 13, in: packet, released: packet), into: &tokens)
    guard case .recordEnd(_, let range)? = tokens.last else { return #expect(Bool(false)) }
    #expect(Array(parser.contents[range]) == [3, 4, 5])
    parser.releaseContents()
    #expect(parser.contents.isEmpty && !parser.isInside)
  }

  @Test("Application data is kept from the record on that begins when it is asked for.")
  func keeping() {
    let bytes = Wire.record(23, [1, 2]) + Wire.record(23, [3, 4])
    var parser = ReleasingParser(keepsApplicationData: false)
    var told: [Told] = []
    let packet = PacketRef.numbered(1)
    parser.consume(CitedBytes(bytes.span.extracting(0..<6), at: 0, in: packet, released: packet), into: &told)
    parser.parser.keepsApplicationData = true
    parser.consume(CitedBytes(bytes.span.extracting(6..<14), at: 6, in: packet, released: packet), into: &told)
    #expect(told.contains(.contents([3, 4])) && !told.contains(.contents([1, 2])))
  }

  // MARK: Holes

  /// Bytes from `hole` on are missing up to its end.
  private func tokens(_ bytes: [UInt8], without hole: Range<Int>, by step: Int = .max) -> [String] {
    var parser = RecordParser()
    var tokens: [RecordToken] = []
    let packet = PacketRef.numbered(1)
    for part in [0..<hole.lowerBound, hole.upperBound..<bytes.count] {
      if part.lowerBound == hole.upperBound {
        parser.skip(gap: UInt64(hole.lowerBound)..<UInt64(hole.upperBound), into: &tokens)
      }
      var position = part.lowerBound
      while position < part.upperBound {
        let end = min(part.upperBound, position + min(step, 1 << 20))
        parser.consume(
          CitedBytes(bytes.span.extracting(position..<end), at: UInt64(position), in: packet, released: packet),
          into: &tokens)
        position = end
      }
    }
    parser.finish(.fin, into: &tokens)
    return tokens.map(\.words)
  }

  private static let three =
    Wire.record(22, [1, 2, 3, 4]) + Wire.record(23, [5, 6, 7]) + Wire.record(23, [8]) + Wire.record(21, [1, 0])

  @Test("Reading goes on behind a hole in a body, up to its last byte.", arguments: [1, 3, .max])
  func holeInBody(by step: Int) {
    let rest = [
      "start application_data 3", "end application_data 3", "start application_data 1", "end application_data 1",
      "start alert 2", "end alert 2 kept",
    ]
    #expect(
      tokens(Self.three, without: 6..<8, by: step)
        == ["start handshake 4", "lost 6-8", "end handshake 2/4 lost 2"] + rest)
    #expect(
      tokens(Self.three, without: 6..<9, by: step)
        == ["start handshake 4", "lost 6-9", "end handshake 1/4 lost 3"] + rest)
  }

  @Test("Behind any other hole two headers are looked for.", arguments: [1, 3, .max])
  func holeElsewhere(by step: Int) {
    let start = ["start handshake 4", "end handshake 4 kept"]
    let rest = ["resumed 23", "start alert 2", "end alert 2 kept"]
    // In front of a header: the next is found by the one behind it.
    #expect(
      tokens(Self.three, without: 9..<11, by: step) == start + ["lost 9-11", "opaque hole 11-11 \"\""] + rest)
    #expect(
      tokens(Self.three, without: 11..<12, by: step)
        == start + ["lost 11-12", "end application_data version 0x0000 header 2", "opaque hole 12-12 \"\""] + rest)
    #expect(
      tokens(Self.three, without: 7..<10, by: step)
        == ["start handshake 4", "lost 7-10", "end handshake 2/4 lost 2", "opaque hole 10-10 \"\""] + rest)
    // What is no record is none because of a hole.
    let text = Array("GET / HTTP/1.1\r\n".utf8)
    #expect(tokens(text, without: 3..<5, by: step) == ["lost 3-5", "opaque notTLS 0-3 \"GET\""])
    // Only one is left, and nothing vouches for it.
    #expect(
      tokens(Self.three, without: 9..<20, by: step) == start + ["lost 9-20", "opaque hole 20-20 \"\""])
  }

  @Test("What looks like a header and leads nowhere is none.", arguments: [1, 2, .max])
  func search(by step: Int) {
    let bytes =
      Wire.record(21, [1, 0]) + [9, 9, 9] + [23, 3, 3, 0, 2, 0x55, 0x55] + Wire.record(23, [1]) + Wire.record(23, [2])
    // The first candidate's next header is garbage but for its last bytes, which begin another.
    let broken = Wire.record(21, [1, 0]) + [9, 9, 23, 3, 3, 0, 1, 0, 0] + Wire.record(23, [1]) + Wire.record(23, [2])
    #expect(tokens(bytes, without: 7..<9, by: step).suffix(5).first == "resumed 17")
    #expect(tokens(broken, without: 7..<8, by: step).suffix(3).first == "resumed 22")
  }

  @Test("A header right behind a hole needs no second one.", arguments: [1, 2, .max])
  func edge(by step: Int) {
    let bytes = Wire.record(21, [1, 0]) + [9, 9] + Wire.record(23, [1])
    #expect(tokens(bytes, without: 7..<9, by: step).contains("resumed 9"))
    // One byte late, and nothing vouches for it.
    #expect(!tokens(bytes, without: 7..<8, by: step).contains { $0.hasPrefix("resumed") })
  }

  @Test("Of a connection that began before the capture, records are found.", arguments: [0x0301, 0x0303])
  func middle(version: Int) {
    let bytes =
      [UInt8](repeating: 0xAB, count: 9) + Wire.record(23, [1, 2], version: version)
      + Wire.record(23, [3], version: version) + Wire.record(21, [4], version: version)
    for step in [1, 4, 100] {
      var parser = RecordParser(startsAnywhere: true)
      #expect(parser.isOpaque)
      let told = parser.tokens(of: bytes, cutAt: Array(stride(from: step, to: bytes.count, by: step)))
      let words = told.map { $0.words.split(separator: " ")[0] }
      #expect(words == ["resumed", "start", "end", "start", "end"])
      #expect(
        !told.contains(where: { if case .recordEnd(let record, _) = $0 { record.oddities != [] } else { false } }))
    }
    // Two versions do not vouch for each other.
    let other = Wire.record(23, [1], version: version) + Wire.record(23, [2], version: 0x0302)
    var parser = RecordParser(startsAnywhere: true)
    #expect(parser.tokens(of: other).isEmpty)
  }

  @Test("A hole while a place is looked for.")
  func twoHoles() {
    let bytes = Wire.record(23, [1, 2, 3, 4]) + Wire.record(23, [5])
    for gap in [UInt64(2), 20] {
      var parser = RecordParser()
      var tokens: [RecordToken] = []
      let packet = PacketRef.numbered(1)
      parser.skip(gap: 0..<10, into: &tokens)
      parser.consume(CitedBytes(bytes.span.extracting(0..<6), at: 10, in: packet, released: packet), into: &tokens)
      parser.skip(gap: 16..<16 + gap, into: &tokens)
      parser.consume(
        CitedBytes(bytes.span.extracting(8..<15), at: 16 + gap, in: packet, released: packet), into: &tokens)
      parser.finish(.fin, into: &tokens)
      let found = tokens.map(\.words).contains("end application_data 1")
      #expect(found == (gap == 2))
    }
  }

  @Test("Offsets near the end of the number range do not trap.")
  func greatOffsets() {
    for bytes in [Wire.client, Array("GET / HTTP/1.1\r\n".utf8)] {
      var parser = RecordParser()
      var tokens: [RecordToken] = []
      let packet = PacketRef.numbered(1)
      parser.consume(CitedBytes(bytes.span, at: UInt64.max - 9, in: packet, released: packet), into: &tokens)
      parser.skip(gap: UInt64.max - 1..<UInt64.max, into: &tokens)
      parser.finish(.fin, into: &tokens)
      #expect(!tokens.isEmpty)
    }
  }

  // MARK: Bounds

  @Test("No more is held than one record, whatever comes.")
  func memory() {
    let body = [UInt8](repeating: 7, count: 16_000)
    var bytes: [UInt8] = []
    for index in 0..<20 { bytes += Wire.record(index % 2 == 0 ? 22 : 23, body) }
    for step in [1, 1_460, 40_000] {
      var parser = ReleasingParser()
      let told = parser.tokens(of: bytes, cutAt: Array(stride(from: step, to: bytes.count, by: step)))
      #expect(parser.mostHeld <= 16_000)
      #expect(told.count { if case .contents = $0 { true } else { false } } == 20)
    }
  }

  @Test("A million empty records take ten times as long as a hundred thousand.")
  func emptyRecords() {
    let some = Array(repeatElement(Wire.record(23, []), count: 10_000).joined())
    func time(_ count: Int, by step: Int) -> Duration {
      var least = Duration.seconds(60)
      for _ in 0..<2 {
        let began = ContinuousClock.now
        var parser = RecordParser()
        parser.keepsApplicationData = true
        var tokens: [RecordToken] = []
        var seen = 0
        for round in 0..<count / 10_000 {
          for start in stride(from: 0, to: some.count, by: step) {
            let chunk = CitedBytes(
              some.span.extracting(start..<min(start + step, some.count)), at: UInt64(round * some.count + start),
              in: .none, released: .none)
            parser.consume(chunk, into: &tokens)
            seen += tokens.count
            tokens.removeAll(keepingCapacity: true)
            parser.releaseContents()
          }
        }
        #expect(seen == 2 * count && parser.contents.isEmpty)
        least = min(least, began.duration(to: .now))
      }
      return least
    }
    for step in [7, 1_460] {
      // A neighbour on the machine may take its part; what is not linear takes a hundred times as long.
      #expect(time(1_000_000, by: step) < time(100_000, by: step) * 40)
    }
  }

  @Test("A chunk inside a body that nobody reads costs the same however long it is.")
  func passing() {
    func time(_ size: Int) -> Duration {
      let body = [UInt8](repeating: 7, count: size)
      var least = Duration.seconds(60)
      for _ in 0..<5 {
        var parser = RecordParser()
        var tokens: [RecordToken] = []
        let began = ContinuousClock.now
        for _ in 0..<10_000 {
          let header: [UInt8] = [23, 3, 3] + Wire.number(size, 2)
          parser.consume(CitedBytes(header.span, at: 0, in: .none, released: .none), into: &tokens)
          parser.consume(CitedBytes(body.span, at: 5, in: .none, released: .none), into: &tokens)
          tokens.removeAll(keepingCapacity: true)
        }
        least = min(least, began.duration(to: .now))
      }
      return least
    }
    #expect(time(16_000) < time(16) * 20)
  }
}
