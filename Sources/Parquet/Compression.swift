#if Zlib
  import CZlib
#endif
#if Zstd
  import CZstd
#endif

extension Compression {
  /// The page packed; as it is where the library is not built in, or fails.
  func pack(_ page: [UInt8]) -> [UInt8] {
    switch self {
    case .none: return page
    case .gzip: return Self.gzip(page) ?? page
    case .zstd: return Self.zstd(page) ?? page
    }
  }

  private static func zstd(_ page: [UInt8]) -> [UInt8]? {
    #if Zstd
      let room = ZSTD_compressBound(page.count)
      var size = 0
      let packed = [UInt8](unsafeUninitializedCapacity: room) { (buffer, count) in
        size = page.withUnsafeBytes {
          ZSTD_compress(buffer.baseAddress, buffer.count, $0.baseAddress, $0.count, 3)
        }
        count = ZSTD_isError(size) == 0 ? size : 0
      }
      return ZSTD_isError(size) == 0 ? packed : nil
    #else
      return nil
    #endif
  }

  private static func gzip(_ page: [UInt8]) -> [UInt8]? {
    #if Zlib
      var stream = z_stream()
      let asGzip: CInt = 15 + 16
      guard
        deflateInit2_(
          &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, asGzip, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
          CInt(MemoryLayout<z_stream>.size)) == Z_OK
      else { return nil }
      defer { deflateEnd(&stream) }
      let room = Int(deflateBound(&stream, UInt(page.count)))
      var isWhole = false
      var page = page
      let packed = [UInt8](unsafeUninitializedCapacity: room) { (buffer, count) in
        page.withUnsafeMutableBufferPointer { source in
          stream.next_in = source.baseAddress
          stream.avail_in = UInt32(clamping: source.count)
          stream.next_out = buffer.baseAddress
          stream.avail_out = UInt32(clamping: buffer.count)
          isWhole = deflate(&stream, Z_FINISH) == Z_STREAM_END
        }
        count = isWhole ? Int(stream.total_out) : 0
      }
      return isWhole ? packed : nil
    #else
      return nil
    #endif
  }
}
