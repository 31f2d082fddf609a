import Codecs
import Support
import Testing

/// How far back messages refer, and how far they may.
@Suite struct ReachTests {
  /// What a message came to.
  private struct Outcome: Equatable {
    var bytes: [UInt8] = []
    var end = DecodingEnd.undecided
    var tooFar: FarReference?
    var isRunning = true
    var bytesIn: UInt64 = 0
    var finalBlocks: UInt64 = 0
  }

  /// Messages one after the other, each cut before `cut`, or byte by byte where that is negative.
  private func read(_ messages: [[UInt8]], windowBits: Int, keepingContext: Bool, cut: Int = .max) -> [Outcome] {
    let inflate = Inflate(windowBits: windowBits)
    return messages.map { message in
      var outcome = Outcome()
      inflate.beginMessage(keepingContext: keepingContext)
      let cuts = cut < 0 ? Array(0..<message.count) : [min(cut, message.count)]
      var start = 0
      for end in cuts + [message.count] {
        inflate.decode(message.span.extracting(start..<end)) { part in
          part.withUnsafeBufferPointer { outcome.bytes += $0 }
        }
        start = end
      }
      outcome.end = inflate.endMessage { part in part.withUnsafeBufferPointer { outcome.bytes += $0 } }
      outcome.tooFar = inflate.tooFar
      outcome.isRunning = inflate.state == .running
      outcome.bytesIn = inflate.bytesIn
      outcome.finalBlocks = inflate.finalBlocks
      return outcome
    }
  }

  /// The same, after the cuts were found not to matter.
  private func readAnyhow(_ messages: [[UInt8]], windowBits: Int, keepingContext: Bool) -> [Outcome] {
    let whole = read(messages, windowBits: windowBits, keepingContext: keepingContext)
    let longest = messages.map(\.count).max() ?? 0
    // Every cut of short messages, and some of long ones.
    for cut in Swift.stride(from: -1, through: longest, by: longest < 300 ? 1 : longest / 8) {
      #expect(read(messages, windowBits: windowBits, keepingContext: keepingContext, cut: cut) == whole)
    }
    return whole
  }

  private static let plain: [UInt8] = {
    var random = SplitMix64(seed: 61)
    return random.bytes(33_000)
  }()

  /// A text, and three bytes that stand so far back from its end.
  private func message(_ text: ArraySlice<UInt8>, back distance: Int) -> [UInt8] {
    DeflateWriter.message { writer in
      writer.text(Array(text))
      writer.three(back: distance)
    }
  }

  @Test("a reference to the edge of the window is silent, and one beyond it is reported", arguments: 8...15)
  func edge(bits: Int) {
    let limit = 1 << bits
    let text = Self.plain[..<(limit + 10)]
    let expected = { (distance: Int) in Array(text) + text[(text.count - distance)...].prefix(3) }
    let near = readAnyhow([message(text, back: limit)], windowBits: bits, keepingContext: true)
    #expect(near.map(\.bytes) == [expected(limit)])
    #expect(near.map(\.tooFar) == [nil])
    // The format itself knows nothing beyond 32 KiB.
    guard bits < 15 else { return }
    let far = readAnyhow([message(text, back: limit + 1)], windowBits: bits, keepingContext: true)
    #expect(far.map(\.bytes) == [expected(limit + 1)])
    #expect(far.map(\.end) == [.complete])
    let told = FarReference(distance: UInt64(limit + 1), limit: UInt64(limit), isForgotten: false)
    #expect(far.map(\.tooFar) == [told])
  }

  @Test("with context the window reaches over messages", arguments: [8, 12])
  func overMessages(bits: Int) {
    let limit = 1 << bits
    let half = Self.plain[..<(limit / 2)]
    let messages = [
      message(half, back: 1), message(half[..<(limit / 2 - 3)], back: limit), message([], back: limit + 1),
      message([1, 2, 3], back: 2),
    ]
    let outcomes = readAnyhow(messages, windowBits: bits, keepingContext: true)
    let told = FarReference(distance: UInt64(limit + 1), limit: UInt64(limit), isForgotten: false)
    #expect(outcomes.map(\.tooFar) == [nil, nil, told, nil])
    #expect(outcomes.map(\.end) == [.complete, .complete, .complete, .complete])
  }

  @Test("without context it ends where the message begins", arguments: [8, 15])
  func forgotten(bits: Int) {
    let text = Self.plain[..<100]
    let messages = [
      message(text, back: 100), message(text, back: 100), message(text, back: 101), message(text, back: 1),
    ]
    let outcomes = readAnyhow(messages, windowBits: bits, keepingContext: false)
    let told = FarReference(distance: 101, limit: 100, isForgotten: true)
    #expect(outcomes.map(\.tooFar) == [nil, nil, told, nil])
    #expect(outcomes.map(\.end) == [.complete, .complete, .complete, .complete])
    // The byte before the message was the last of the three that ended the message before.
    #expect(outcomes[2].bytes == Array(text) + [text[2]] + text[..<2])
  }

  @Test("without context a window that is too small is reported as such inside the message")
  func smallWindow() {
    let text = Self.plain[..<400]
    let outcomes = readAnyhow([message(text, back: 300)], windowBits: 8, keepingContext: false)
    #expect(outcomes.map(\.tooFar) == [FarReference(distance: 300, limit: 256, isForgotten: false)])
  }

  @Test("of several the first is reported")
  func several() {
    let text = Self.plain[..<400]
    let packed = DeflateWriter.message { writer in
      writer.text(Array(text))
      writer.three(back: 256)
      writer.three(back: 270)
      writer.three(back: 300)
    }
    let outcomes = readAnyhow([packed], windowBits: 8, keepingContext: true)
    #expect(outcomes.map(\.tooFar?.distance) == [270])
  }

  @Test("before the first byte there is nothing to read", arguments: [true, false])
  func beforeAll(keepingContext: Bool) {
    let outcomes = readAnyhow([message([1, 2], back: 3)], windowBits: 15, keepingContext: keepingContext)
    #expect(outcomes.map(\.isRunning) == [false])
    #expect(outcomes.map(\.bytes) == [[1, 2]])
    let told = FarReference(distance: 3, limit: 2, isForgotten: true)
    #expect(outcomes.map(\.tooFar) == [keepingContext ? nil : told])
  }

  @Test("a reference goes back over a final block")
  func finalBlock() {
    var writer = DeflateWriter()
    writer.beginBlock(isFinal: true)
    writer.text([1, 2, 3])
    writer.endBlock()
    let outcomes = readAnyhow([writer.bytes, message([4], back: 4)], windowBits: 15, keepingContext: true)
    #expect(outcomes.map(\.bytes) == [[1, 2, 3], [4, 1, 2, 3]])
    #expect(outcomes.map(\.finalBlocks) == [1, 0])
  }

  #if Zlib
    @Test("zlib stays within what it was given, also with eight bits", arguments: 9...15, [true, false])
    func zlib(bits: Int, keepingContext: Bool) {
      var random = SplitMix64(seed: UInt64(bits))
      var deflater = Deflater(-CInt(bits))
      var plain: [[UInt8]] = []
      var messages: [[UInt8]] = []
      for _ in 0..<12 {
        var text: [UInt8] = []
        while text.count < 3_000 {
          let start = Int.random(in: 0..<2_000, using: &random)
          text += Self.plain[start..<start + Int.random(in: 3...300, using: &random)]
        }
        if !keepingContext { deflater = Deflater(-CInt(bits)) }
        plain.append(text)
        messages.append(Array(deflater.compress(text, flush: 2).dropLast(4)))
      }
      for window in bits == 9 ? [8, 9] : [bits] {
        let outcomes = readAnyhow(messages, windowBits: window, keepingContext: keepingContext)
        #expect(outcomes.map(\.bytes) == plain)
        #expect(outcomes.allSatisfy { $0.tooFar == nil && $0.end == .complete })
      }
      // Whoever keeps the context and must not, and whoever takes a bit more than agreed, is found out.
      if keepingContext {
        let outcomes = read(messages, windowBits: 15, keepingContext: false)
        #expect(outcomes.map(\.bytes) == plain)
        #expect(outcomes.contains { $0.tooFar?.isForgotten == true })
      }
      if bits > 9 {
        let outcomes = read(messages, windowBits: bits - 1, keepingContext: keepingContext)
        #expect(outcomes.map(\.bytes) == plain)
        #expect(outcomes.contains { $0.tooFar?.isForgotten == false } == (keepingContext || bits < 13))
      }
    }
  #endif
}
