import Support
import Testing

@testable import Parquet

#if Zlib
  import CZlib
#endif
#if Zstd
  import CZstd
#endif

@Suite("Packed pages") struct CompressionTests {
  private static let pages: [[UInt8]] = {
    var random = SplitMix64(seed: 3)
    return [
      [], [1], [UInt8](repeating: 7, count: 100_000), Array("text ".utf8),
      (0..<70_000).map { _ in UInt8.random(in: 0...255, using: &random) },
    ]
  }()

  #if Zstd
    @Test("zstd, as its library reads it.", arguments: pages)
    func zstd(page: [UInt8]) {
      let packed = Compression.zstd.pack(page)
      let read = [UInt8](unsafeUninitializedCapacity: page.count + 1) { (buffer, count) in
        let size = packed.withUnsafeBytes {
          ZSTD_decompress(buffer.baseAddress, buffer.count, $0.baseAddress, $0.count)
        }
        count = ZSTD_isError(size) == 0 ? size : 0
      }
      #expect(read == page && packed != page)
    }
  #endif

  #if Zlib
    @Test("gzip, as its library reads it.", arguments: pages)
    func gzip(page: [UInt8]) {
      var packed = Compression.gzip.pack(page)
      #expect(packed.starts(with: [0x1F, 0x8B]))
      var stream = z_stream()
      #expect(inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size)) == Z_OK)
      defer { inflateEnd(&stream) }
      var status: CInt = Z_OK
      let read = [UInt8](unsafeUninitializedCapacity: page.count + 1) { (buffer, count) in
        packed.withUnsafeMutableBufferPointer { source in
          stream.next_in = source.baseAddress
          stream.avail_in = UInt32(source.count)
          stream.next_out = buffer.baseAddress
          stream.avail_out = UInt32(buffer.count)
          status = inflate(&stream, Z_FINISH)
        }
        count = Int(stream.total_out)
      }
      #expect(status == Z_STREAM_END && read == page)
    }
  #endif
}
