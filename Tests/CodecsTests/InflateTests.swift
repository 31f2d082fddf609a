import Codecs
import Support
import Testing

@Suite struct InflateTests {
  /// RFC 7692 §7.2.3: the payloads that say "Hello".
  static let hello = Array("Hello".utf8)
  static let first: [UInt8] = [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]
  static let again: [UInt8] = [0xF2, 0x00, 0x11, 0x00, 0x00]
  static let stored: [UInt8] = [0x00, 0x05, 0x00, 0xFA, 0xFF, 0x48, 0x65, 0x6C, 0x6C, 0x6F, 0x00]
  static let final: [UInt8] = [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00]
  static let twoBlocks: [UInt8] = [0xF2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xCA, 0xC9, 0xC9, 0x07, 0x00]

  /// One message in pieces of `length` bytes.
  func read(
    _ message: [UInt8], with inflate: Inflate, keepingContext: Bool = true, length: Int = .max
  ) -> (bytes: [UInt8], end: DecodingEnd) {
    var bytes: [UInt8] = []
    inflate.beginMessage(keepingContext: keepingContext)
    var start = 0
    while start < message.count {
      let end = start + min(length, message.count - start)
      inflate.decode(message.span.extracting(start..<end)) { for index in $0.indices { bytes.append($0[index]) } }
      start = end
    }
    let end = inflate.endMessage { for index in $0.indices { bytes.append($0[index]) } }
    return (bytes, end)
  }

  @Test("the RFC's examples, one after the other, in pieces of every length", arguments: [1, 2, 3, 5, .max])
  func examples(_ length: Int) {
    let inflate = Inflate()
    for message in [
      InflateTests.first, InflateTests.again, InflateTests.stored, InflateTests.twoBlocks, InflateTests.again,
    ] {
      let (bytes, end) = read(message, with: inflate, length: length)
      #expect(bytes == InflateTests.hello && end == .complete)
      #expect(inflate.bytesIn == UInt64(message.count + 4) && inflate.bytesOut == 5)
      #expect(inflate.finalBlocks == 0)
    }
  }

  @Test("a final block is counted, and the window goes on behind it", arguments: [1, 4, .max])
  func finalBlock(_ length: Int) {
    let inflate = Inflate()
    #expect(read(InflateTests.final, with: inflate, length: length) == (InflateTests.hello, .complete))
    #expect(inflate.finalBlocks == 1)
    #expect(read(InflateTests.again, with: inflate, length: length) == (InflateTests.hello, .complete))
    #expect(inflate.finalBlocks == 0)
  }

  @Test("without context a message must not refer to the one before, and is read if it does")
  func withoutContext() {
    let inflate = Inflate()
    _ = read(InflateTests.first, with: inflate)
    #expect(read(InflateTests.again, with: inflate, keepingContext: false) == (InflateTests.hello, .complete))
    #expect(inflate.tooFar == FarReference(distance: 5, limit: 1, isForgotten: true))
    #expect(read(InflateTests.first, with: inflate, keepingContext: false) == (InflateTests.hello, .complete))
    #expect(inflate.tooFar == nil)
  }

  @Test("after a failure all messages fail until one begins without context")
  func recovery() {
    let inflate = Inflate()
    #expect(read([0xFF, 0xFF], with: inflate).end == .undecided)
    #expect(read(InflateTests.first, with: inflate).end == .undecided)
    #expect(read(InflateTests.first, with: inflate, keepingContext: false) == (InflateTests.hello, .complete))
  }

  @Test("a message that ends inside a block is cut")
  func cut() {
    let inflate = Inflate()
    #expect(read(Array(InflateTests.stored.dropLast(6)), with: inflate).end == .cut)
    #expect(
      inflate.state == .failed(DecodingFailure(coding: "deflate", reason: "the message ends inside a block")))
  }

  @Test("a message whose blocks are whole without their last four bytes is complete")
  func wholeBlocks() {
    let inflate = Inflate()
    // RFC 7692 asks for one byte behind a final block; who leaves it out is understood.
    #expect(read(Array(InflateTests.final.dropLast()), with: inflate) == (InflateTests.hello, .complete))
    #expect(read([], with: inflate) == ([], .complete))
    #expect(!inflate.endsWithTail)
    let unstripped = InflateTests.again + [0x00, 0x00, 0xFF, 0xFF]
    #expect(read(unstripped, with: inflate) == (InflateTests.hello, .complete))
    #expect(inflate.endsWithTail && inflate.bytesIn == UInt64(unstripped.count))
    #expect(read(InflateTests.again, with: inflate) == (InflateTests.hello, .complete))
    #expect(!inflate.endsWithTail)
  }

  @Test("the last four bytes are seen wherever they are cut", arguments: [1, 2, 3, 4, 5])
  func tail(_ length: Int) {
    let inflate = Inflate()
    for (message, expected) in [
      ([0x00, 0x00, 0xFF, 0xFF], true), ([0x02, 0x00, 0x00, 0x00, 0xFF, 0xFF], true), ([0x00, 0xFF, 0xFF], false),
      ([0xFF, 0xFF], false), ([0x00, 0x00, 0xFF, 0xFF, 0x00], false),
    ] as [([UInt8], Bool)] {
      _ = read(message, with: inflate, keepingContext: false, length: length)
      #expect(inflate.endsWithTail == expected)
    }
  }

  @Test("a message behind one that was left unfinished is not joined to it")
  func unfinished() {
    let inflate = Inflate()
    inflate.beginMessage(keepingContext: true)
    inflate.decode(InflateTests.first.span.extracting(0..<3)) { _ in }
    #expect(read(InflateTests.first, with: inflate).end == .undecided)
    #expect(read(InflateTests.first, with: inflate, keepingContext: false) == (InflateTests.hello, .complete))
  }
}

#if Zlib
  extension InflateTests {
    @Test("long conversations come out as they went in, for every window")
    func conversation() {
      for bits in 9...15 as ClosedRange<CInt> {
        let deflater = Deflater(-bits)
        let inflate = Inflate(windowBits: Int(bits))
        var random = SplitMix64(seed: UInt64(bits))
        for number in 0..<200 {
          var plain = Array("{\"number\":\(number),\"text\":\"".utf8)
          for _ in 0..<Int.random(in: 0...300, using: &random) {
            plain.append(UInt8.random(in: 97...105, using: &random))
          }
          let message = deflater.compress(plain, flush: 2)
          #expect(Array(message.suffix(4)) == [0, 0, 0xFF, 0xFF])
          let length = Int.random(in: 1...50, using: &random)
          #expect(read(Array(message.dropLast(4)), with: inflate, length: length) == (plain, .complete))
        }
      }
    }

    @Test("the bounds hold for each message by itself")
    func bounds() {
      var bounds = DecodingBounds()
      bounds.output = 1000
      let deflater = Deflater(Deflater.raw)
      let inflate = Inflate(bounds: bounds)
      for _ in 0..<3 {
        let message = deflater.compress([UInt8](repeating: 1, count: 900), flush: 2).dropLast(4)
        #expect(read(Array(message), with: inflate).end == .complete)
      }
      let message = deflater.compress([UInt8](repeating: 1, count: 1001), flush: 2).dropLast(4)
      #expect(read(Array(message), with: inflate).bytes.count == 1000)
      #expect(inflate.state == .stopped(.limit))
      // What the window should hold by now is not known.
      #expect(read(InflateTests.again, with: inflate).end == .undecided)
      #expect(read(InflateTests.first, with: inflate, keepingContext: false).end == .complete)
    }

    @Test("a bomb in a message is stopped by its ratio")
    func bomb() {
      let message = Deflater(Deflater.raw).compress([UInt8](repeating: 0, count: 8 << 20), flush: 2)
      let inflate = Inflate()
      let (bytes, end) = read(message, with: inflate)
      #expect(inflate.state == .stopped(.ratio) && end == .undecided)
      #expect(bytes.count < 2 << 20)
    }
  }
#endif
