import Citation
import Support
import Testing
import WebSocket
import WebSocketSemantics

@Suite("Frames of one direction")
struct FrameParserTests {
  @Test("What is reported of a stream.", arguments: FrameRow.all)
  func tokens(_ row: FrameRow) {
    #expect(Feeding().tokens(row.bytes).words == row.words)
  }

  @Test("The same at every cut, and at every two.", arguments: FrameRow.all)
  func cuts(_ row: FrameRow) {
    let whole = Feeding().tokens(row.bytes)
    let places = row.bytes.count <= 80 ? Array(0...row.bytes.count) : Array(0...20) + [row.bytes.count - 1]
    for first in places {
      for second in places where second >= first {
        #expect(Feeding().tokens(row.bytes, cutAt: [first, second]) == whole)
      }
    }
    #expect(Feeding().tokens(row.bytes, cutAt: Array(0..<row.bytes.count)) == whole)
  }

  @Test("The short ways for plain frames and inside a payload tell the same.", arguments: [false, true])
  func shortWays(isMasked: Bool) {
    var random = SplitMix64(seed: 48)
    var streams = FrameRow.all.map(\.bytes) + [[0x81, 0x7E, 0x00, 0x7D], [0x82, 0xFE, 0x00, 0x7E, 1, 2, 3, 4]]
    streams += (0..<5_000).map { _ in Frames.random(&random) }
    for bytes in streams {
      let cuts = (0..<4).map { _ in Int.random(in: 0...bytes.count, using: &random) }.sorted()
      var short = ShortWays(isMasked: isMasked)
      #expect(
        short.tokens(of: bytes, cutAt: cuts, numbersPackets: true).joined
          == Feeding(numbersPackets: true).tokens(bytes, cutAt: cuts))
    }
  }

  @Test(
    "At every end of the input there is one end for each start, and nothing is told twice.", arguments: FrameRow.all)
  func prefixes(_ row: FrameRow) {
    for count in 0...min(row.bytes.count, 200) {
      let tokens = Feeding().tokens(Array(row.bytes.prefix(count)))
      let ends = tokens.ends
      #expect(ends.map(\.index) == Array(0..<UInt64(ends.count)))
      let covered = ends.reduce(0) { $0 + Int($1.span.count) }
      let broken = ends.dropLast().filter { !$0.isComplete }
      #expect(covered == count)
      #expect(broken.isEmpty)
      #expect(tokens.starts.count == ends.count { $0.headerReleased != nil })
    }
  }

  @Test("The same in any segments.")
  func segments() {
    var random = SplitMix64(seed: 47)
    for _ in 0..<10_000 {
      let bytes = Frames.random(&random)
      let cuts = (0..<Int.random(in: 0...8, using: &random)).map { _ in
        Int.random(in: 0...bytes.count, using: &random)
      }
      #expect(Feeding().tokens(bytes, cutAt: cuts.sorted()) == Feeding().tokens(bytes))
    }
  }

  @Test("A frame knows the packets of its first and last byte, and those that made them readable.")
  func packets() throws {
    let bytes: [UInt8] = [0x81, 0x05] + Array("Hello".utf8) + [0x89, 0x81, 1, 2, 3, 4, 5, 0x81, 0x00]
    let tokens = Feeding(numbersPackets: true).tokens(bytes, cutAt: [1, 4, 6, 9, 13])
    #expect(tokens.starts.map(\.span.first.number) == [1, 4, 6])
    #expect(tokens.starts.map(\.span.last.number) == [2, 5, 6])
    #expect(tokens.starts.map(\.headerReleased?.number) == [2, 5, 6])
    #expect(tokens.ends.map(\.span.first.number) == [1, 4, 6])
    #expect(tokens.ends.map(\.span.last.number) == [4, 6, 6])
    #expect(tokens.ends.map(\.headerReleased?.number) == [2, 5, 6])
    #expect(tokens.ends.map(\.released.number) == [4, 6, 6])
    #expect(tokens.ends.map(\.span.range) == [0..<7, 7..<14, 14..<16])
    #expect(tokens.ends.map(\.header.bytes) == [[0x81, 0x05], [0x89, 0x81, 1, 2, 3, 4], [0x81, 0x00]])
    let quoted = tokens.ends.filter(\.header.isPayload)
    #expect(quoted.isEmpty)
  }

  @Test("What filled a hole made the bytes behind it readable.")
  func released() {
    var parser = FrameParser()
    var tokens: [FrameToken] = []
    let (early, late) = (PacketRef.numbered(3), PacketRef.numbered(9))
    let bytes: [UInt8] = [0x81, 0x02, 0x61, 0x62]
    parser.consume(CitedBytes(bytes.span, at: 0, in: early, released: late), into: &tokens)
    #expect(tokens.ends.map(\.span.last) == [early])
    #expect(tokens.ends.map(\.released) == [late])
    #expect(tokens.starts.map(\.headerReleased) == [late])
  }

  @Test("Behind a hole nothing is read.")
  func hole() {
    let parts: [(bytes: [UInt8], words: [String])] = [
      ([0x81, 0x05, 0x61], ["start text 5", "payload 2-3 @0", "end text 1/5", "lost 3-7 #1"]),
      ([0x81, 0x01, 0x61], ["start text 1", "payload 2-3 @0", "end text 1", "lost 3-7 #1"]),
      ([0x81, 0x00, 0x01], ["start text 0", "end text 0", "end text more header 1", "lost 3-7 #1"]),
    ]
    for part in parts {
      var parser = FrameParser()
      var tokens: [FrameToken] = []
      let packet = PacketRef.numbered(1)
      parser.consume(CitedBytes(part.bytes.span, at: 0, in: packet, released: packet), into: &tokens)
      #expect(!parser.isDone)
      parser.skip(gap: 3..<7, into: &tokens)
      #expect(parser.isDone && !parser.isInside)
      let after: [UInt8] = [0x81, 0x00]
      parser.consume(CitedBytes(after.span, at: 7, in: packet, released: packet), into: &tokens)
      parser.skip(gap: 9..<10, into: &tokens)
      parser.finish(.fin, into: &tokens)
      #expect(tokens.words == part.words)
    }
  }

  @Test("It says whether it is inside a frame.")
  func inside() {
    var parser = FrameParser()
    var tokens: [FrameToken] = []
    let bytes: [UInt8] = [0x81, 0x82, 1, 2, 3, 4, 5, 6]
    for (index, _) in bytes.enumerated() {
      #expect(parser.isInside == (index > 0))
      let packet = PacketRef.numbered(1)
      parser.consume(
        CitedBytes(bytes.span.extracting(index..<index + 1), at: UInt64(index), in: packet, released: packet),
        into: &tokens)
    }
    #expect(!parser.isInside)
    parser.finish(.fin, into: &tokens)
    #expect(parser.isDone && tokens.ends.count == 1)
  }

  @Test("Offsets near the end of the number range do not trap.")
  func greatOffsets() {
    var parser = FrameParser()
    var tokens: [FrameToken] = []
    let packet = PacketRef.numbered(1)
    let bytes: [UInt8] = [0x81, 0x05] + Array("Hello".utf8) + [0x82, 0x7F] + [UInt8](repeating: 0xFF, count: 20)
    parser.consume(CitedBytes(bytes.span, at: UInt64.max - 5, in: packet, released: packet), into: &tokens)
    parser.finish(.fin, into: &tokens)
    #expect(tokens.ends.count == 2)
  }

  @Test("Ten times the frames take ten times as long, in one segment or byte by byte.")
  func linear() {
    let frame: [UInt8] = [0x81, 0x82, 9, 8, 7, 6, 5, 4]
    func time(_ count: Int, by step: Int) -> Duration {
      let bytes = Array(repeatElement(frame, count: count).joined())
      var least = Duration.seconds(60)
      for _ in 0..<3 {
        let clock = ContinuousClock.now
        let tokens = Feeding().tokens(bytes, cutAt: Array(stride(from: step, to: bytes.count, by: step)))
        #expect(tokens.ends.count == count)
        least = min(least, clock.duration(to: .now))
      }
      return least
    }
    for step in [1, 7, 1460, .max] {
      // A neighbour on the machine may take its part; what is not linear takes a hundred times as long.
      #expect(time(60_000, by: step) < time(6_000, by: step) * 40)
    }
  }
}

/// Streams made up at random: mostly what senders send.
enum Frames {
  static func random(_ random: inout SplitMix64) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      let isMasked = Bool.random(using: &random)
      let mask: UInt8 = isMasked ? 0x80 : 0
      let length = [0, 1, 5, 125, 126, 200].randomElement(using: &random) ?? 0
      bytes.append(UInt8.random(in: 0...255, using: &random))
      switch Int.random(in: 0..<8, using: &random) {
      case 0: bytes += [mask | 127, 0, 0, 0, 0, 0, 0, 0, UInt8(length)]
      case 1: bytes += [mask | 126, 0, UInt8(length)]
      default: bytes += length < 126 ? [mask | UInt8(length)] : [mask | 126, 0, UInt8(length)]
      }
      if isMasked { bytes += random.bytes(4) }
      bytes += random.bytes(length)
    }
    if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
    return bytes
  }
}
