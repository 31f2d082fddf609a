import Codecs
import Support
import Testing

/// A body in one coding.
struct PackedBody: CustomTestStringConvertible, Sendable {
  var name: String
  var coding: String
  var plain: [UInt8] = Plain.table
  var packed: [UInt8]
  /// The coding checks its content, so that any damage is found.
  var isChecked = true

  var testDescription: String { name }

  static let all: [PackedBody] = {
    var all: [PackedBody] = []
    #if Zlib
      all.append(PackedBody(name: "gzip", coding: "gzip", packed: Deflater.packed(Plain.table)))
      all.append(PackedBody(name: "zlib", coding: "deflate", packed: Deflater.packed(Plain.table, Deflater.zlib)))
      all.append(
        PackedBody(
          name: "raw deflate", coding: "deflate", packed: Deflater.packed(Plain.table, Deflater.raw), isChecked: false))
      all.append(PackedBody(name: "gzip of nothing", coding: "gzip", plain: [], packed: Deflater.packed([])))
    #endif
    #if Brotli
      all.append(PackedBody(name: "brotli", coding: "br", packed: BrotliSamples.table, isChecked: false))
    #endif
    #if Zstd
      all.append(PackedBody(name: "zstd", coding: "zstd", packed: ZstdFrame.packed(Plain.table)))
    #endif
    return all
  }()
}

@Suite struct ContentDecoderTests {
  @Test("a body is the same at every cut", arguments: PackedBody.all)
  func everyCut(_ body: PackedBody) {
    let expected = whole(body.plain, from: body.packed.count)
    #expect(decode(body.coding, body.packed) == expected)
    for pieces in cuts(of: body.packed) { #expect(decode(body.coding, pieces) == expected) }
  }

  @Test("a body that is cut short gives what it can and says so", arguments: PackedBody.all)
  func everyLength(_ body: PackedBody) {
    for length in 1..<body.packed.count {
      let result = decode(body.coding, Array(body.packed[..<length]))
      #expect(result.state == .running)
      #expect(result.end == .cut)
      #expect(result.bytes == Array(body.plain.prefix(result.bytes.count)))
    }
    #expect(decode(body.coding, [body.packed[..<0]]).end == .empty)
  }

  @Test("bytes after the end are counted, at every cut, and are no content", arguments: PackedBody.all)
  func trailing(_ body: PackedBody) {
    // The first looks like the beginning of another member or frame.
    for tail in [[0x1F, 0x8C, 3], [0x28, 0xB5, 0x2F, 0xFF], [0x5A, 0x2A], [0], Array("\r\n".utf8)] as [[UInt8]] {
      var expected = whole(body.plain, from: body.packed.count)
      expected.trailing = UInt64(tail.count)
      for pieces in cuts(of: body.packed + tail) { #expect(decode(body.coding, pieces) == expected) }
    }
  }

  @Test("damage is a state, and never wrong content where the coding has a check", arguments: PackedBody.all)
  func damage(_ body: PackedBody) {
    var random = SplitMix64(seed: 3)
    for index in body.packed.indices {
      var packed = body.packed
      packed[index] ^= UInt8.random(in: 1...255, using: &random)
      let result = decode(body.coding, packed)
      // Flags and times of gzip's header are not checked.
      if body.isChecked, result.end == .complete { #expect(result.bytes == body.plain) }
      if case .failed = result.state { #expect(result.end == .undecided) }
    }
  }

  @Test("garbage fails in the library's words", arguments: PackedBody.all)
  func garbage(_ body: PackedBody) {
    let result = decode(body.coding, Array("<!DOCTYPE html><html><body>It works!</body></html>".utf8))
    guard case .failed(let failure) = result.state else {
      Issue.record("\(result.state)")
      return
    }
    #expect(failure.coding == body.coding)
    #expect(!failure.reason.isEmpty && failure.reason != "the data is corrupt")
    #expect(result.end == .undecided)
  }

  #if Zlib
    @Test("what zlib says is passed on")
    func reasons() {
      let gzip = Deflater.packed(Plain.table)
      func state(_ coding: String, _ body: [UInt8]) -> ContentDecoder.State { decode(coding, body).state }
      func failed(_ coding: String, _ reason: String) -> ContentDecoder.State {
        .failed(DecodingFailure(coding: coding, reason: reason))
      }
      #expect(state("gzip", Array("{}".utf8)) == failed("gzip", "incorrect header check"))
      var wrong = gzip
      wrong[gzip.count - 8] ^= 1
      #expect(state("gzip", wrong) == failed("gzip", "incorrect data check"))
      wrong = gzip
      wrong[gzip.count - 1] ^= 1
      #expect(state("gzip", wrong) == failed("gzip", "incorrect length check"))
      #expect(state("deflate", [0x78, 0xBB, 0, 0, 0, 1]) == failed("deflate", "a preset dictionary is needed"))
      #expect(state("deflate", [0x07, 0x00]) == failed("deflate", "invalid block type"))
    }

    @Test("a wrong check comes after all the content")
    func contentBeforeFailure() {
      var packed = Deflater.packed(Plain.table)
      packed[packed.count - 8] ^= 1
      #expect(decode("gzip", packed).bytes == Plain.table)
    }

    @Test("deflate without its wrapper is decoded and distinguished")
    func rawDeflate() {
      for (bits, isRaw) in [(Deflater.raw, true), (Deflater.zlib, false)] {
        let decoder = ContentDecoder("deflate")
        let packed = Deflater.packed(Plain.table, bits)
        decoder.decode(packed.span) { _ in }
        #expect(decoder.isRawDeflate == isRaw)
      }
    }

    @Test("gzip members one after the other are one body, at every cut")
    func members() {
      let body = [Plain.events[0], [], Plain.events[1]].flatMap { Deflater.packed($0) }
      let expected = whole(Plain.events[0] + Plain.events[1], from: body.count, streams: 3)
      for pieces in cuts(of: body) { #expect(decode("gzip", pieces) == expected) }
    }

    @Test("a member that never ends makes the body incomplete")
    func cutMember() {
      let body = Deflater.packed(Plain.events[0]) + Deflater.packed(Plain.events[1]).dropLast()
      let result = decode("gzip", body)
      #expect(result.state == .running && result.end == .cut && result.streams == 1)
    }

    @Test("what is flushed comes out with its piece, what is not does not")
    func flushes() {
      for (flush, grows) in [(2 as CInt, true), (0, false)] {
        let deflater = Deflater(Deflater.gzip)
        let decoder = ContentDecoder("gzip")
        for event in Plain.events {
          let before = decoder.bytesOut
          let packed = deflater.compress(event, flush: flush)
          decoder.decode(packed.span) { _ in }
          #expect((decoder.bytesOut > before) == grows)
        }
      }
    }

    @Test("nothing comes out after the body is over")
    func afterFinish() {
      let decoder = ContentDecoder("gzip")
      let packed = Deflater.packed(Plain.table)
      decoder.decode(packed.span.extracting(..<20)) { _ in }
      #expect(decoder.finish() == .cut)
      #expect(decoder.finish() == .undecided)
      let before = decoder.bytesOut
      decoder.decode(packed.span.extracting(20...)) { _ in }
      #expect(decoder.bytesOut == before)
    }
  #endif

  #if Brotli
    @Test("what brotli flushes comes out with its piece")
    func brotliFlushes() {
      let decoder = ContentDecoder("br")
      let events = BrotliSamples.events
      var start = 0
      for (end, event) in zip(BrotliSamples.eventEnds, Plain.events) {
        var part: [UInt8] = []
        decoder.decode(events.span.extracting(start..<end)) { for index in $0.indices { part.append($0[index]) } }
        #expect(part == event)
        start = end
      }
      #expect(decoder.state == .running)
      decoder.decode(events.span.extracting(start...)) { _ in }
      #expect(decoder.finish() == .complete)
    }
  #endif

  #if Zstd
    @Test("zstd frames one after the other are one body, also skippable ones, at every cut")
    func frames() {
      let skippable: [UInt8] = [0x5A, 0x2A, 0x4D, 0x18, 2, 0, 0, 0, 0xAA, 0xBB]
      let body = ZstdFrame.packed(Plain.events[0]) + skippable + ZstdFrame.packed(Plain.events[1])
      let expected = whole(Plain.events[0] + Plain.events[1], from: body.count, streams: 3)
      for pieces in cuts(of: body) { #expect(decode("zstd", pieces) == expected) }
    }

    @Test("zstd windows beyond 8 MiB are refused")
    func windows() {
      #expect(decode("zstd", ZstdFrame.packed(Plain.table, windowLog: 23)).end == .complete)
      let result = decode("zstd", ZstdFrame.packed(Plain.table, windowLog: 24))
      #expect(
        result.state
          == .failed(
            DecodingFailure(coding: "zstd", reason: "Frame requires too much memory for decoding")))
    }
  #endif
}
