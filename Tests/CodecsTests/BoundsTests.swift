import Codecs
import Support
import Testing

@Suite struct BoundsTests {
  private static let mebibyte: UInt64 = 1 << 20

  #if Zlib
    @Test("a gigabyte of zeros is stopped by its ratio", arguments: [1, 100, 1460, 65536], [1, 2])
    func bomb(pieceLength: Int, layers: Int) {
      let inner = Deflater(Deflater.gzip)
      let outer = Deflater(Deflater.gzip)
      let decoder = ContentDecoder(layers == 1 ? "gzip" : "gzip, gzip")
      let zeros = [UInt8](repeating: 0, count: 1 << 20)
      var handed: UInt64 = 0
      var made = 0
      while made < 1024, decoder.state == .running {
        made += 1
        var packed = inner.compress(zeros)
        if layers == 2 { packed = outer.compress(packed, flush: made % 64 == 0 ? 2 : 0) }
        var start = 0
        while start < packed.count {
          let end = min(start + pieceLength, packed.count)
          decoder.decode(packed.span.extracting(start..<end)) { handed += UInt64($0.count) }
          start = end
        }
      }
      #expect(decoder.state == .stopped(.ratio))
      #expect(decoder.bytesOut == handed)
      #expect(handed >= BoundsTests.mebibyte && handed <= 4 * BoundsTests.mebibyte)
      #expect(decoder.bytesIn > 0 && handed / decoder.bytesIn >= 1000)
      #expect(decoder.finish() == .undecided)
    }

    @Test("decoding stops at the same byte however the input is cut")
    func sameStop() {
      let packed = Deflater.packed([UInt8](repeating: 0, count: 4 << 20))
      var random = SplitMix64(seed: 8)
      let whole = decode("gzip", packed)
      #expect(whole.state == .stopped(.ratio))
      for _ in 0..<50 {
        var pieces: [ArraySlice<UInt8>] = []
        var start = 0
        while start < packed.count {
          let end = min(start + Int.random(in: 1...2000, using: &random), packed.count)
          pieces.append(packed[start..<end])
          start = end
        }
        let result = decode("gzip", pieces)
        #expect(result.bytes.count == whole.bytes.count && result.state == whole.state)
      }
    }

    @Test("below a mebibyte no ratio is too high")
    func smallZeros() {
      var bounds = DecodingBounds()
      bounds.ratio = 100
      let plain = [UInt8](repeating: 0, count: 1 << 20)
      #expect(decode("gzip", Deflater.packed(Array(plain.dropLast())), bounds: bounds).end == .complete)
      #expect(decode("gzip", Deflater.packed(plain), bounds: bounds).state == .stopped(.ratio))
    }

    @Test("exactly 16 MiB is complete, a byte more is stopped at 16 MiB")
    func limit() {
      let plain = Plain.long((16 << 20) + 1)
      let exact = decode("gzip", Deflater.packed(Array(plain.dropLast()), level: 1))
      #expect(exact.end == .complete && exact.bytes.count == 16 << 20)
      let more = decode("gzip", Deflater.packed(plain, level: 1))
      #expect(more.state == .stopped(.limit) && more.end == .undecided)
      #expect(more.bytes.count == 16 << 20)
    }

    @Test("the bounds hold for a coding in the middle, also when nothing comes out at the end")
    func middle() {
      // Gzip members of nothing: the inner coding makes no content of them, but work.
      let nothing = Deflater.packed([])
      var bounds = DecodingBounds()
      bounds.output = 1 << 18
      var inner: [UInt8] = []
      while inner.count <= 1 << 18 { inner += nothing }
      let outer = Deflater.packed(inner, level: 1)
      let result = decode("gzip, gzip", outer, bounds: bounds)
      #expect(result.state == .stopped(.limit))
      #expect(result.bytes.isEmpty)
    }

    @Test("the ratio is that of the whole chain")
    func chain() {
      var bounds = DecodingBounds()
      // More than DEFLATE can do alone.
      bounds.ratio = 1100
      let once = Deflater.packed([UInt8](repeating: 0, count: 2 << 20))
      #expect(decode("gzip", once, bounds: bounds).end == .complete)
      #expect(decode("gzip, gzip", Deflater.packed(once), bounds: bounds).state == .stopped(.ratio))
    }

    @Test("the bounds are those asked for")
    func chosen() {
      var bounds = DecodingBounds()
      bounds.output = 100
      #expect(decode("gzip", Deflater.packed(Plain.table), bounds: bounds).bytes == Array(Plain.table[..<100]))
      bounds = DecodingBounds()
      bounds.ratio = 10
      bounds.ratioFrom = 1 << 16
      let result = decode("gzip", Deflater.packed([UInt8](repeating: 7, count: 1 << 18)), bounds: bounds)
      #expect(result.state == .stopped(.ratio) && result.bytes.count == 1 << 16)
    }
  #endif

  #if Brotli
    @Test("64 MiB in 51 bytes of brotli are stopped after one")
    func brotliBomb() {
      let result = decode("br", BrotliSamples.zeros)
      #expect(result.state == .stopped(.ratio))
      #expect(UInt64(result.bytes.count) == BoundsTests.mebibyte)
    }
  #endif

  #if Zstd
    @Test("zeros in zstd are stopped after a mebibyte")
    func zstdBomb() {
      let result = decode("zstd", ZstdFrame.packed([UInt8](repeating: 0, count: 8 << 20)))
      #expect(result.state == .stopped(.ratio))
      #expect(UInt64(result.bytes.count) == BoundsTests.mebibyte)
    }
  #endif
}
