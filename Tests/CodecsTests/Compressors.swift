#if Zlib
  import CZlib

  /// zlib's compressor, with the wrapping chosen by window bits as zlib has it: 31 gzip, 15 zlib, -15 raw.
  final class Deflater {
    static let gzip: CInt = 31
    static let zlib: CInt = 15
    static let raw: CInt = -15

    private let stream: UnsafeMutablePointer<z_stream>

    init(_ windowBits: CInt, level: CInt = 9) {
      stream = .allocate(capacity: 1)
      stream.initialize(to: z_stream())
      let status = deflateInit2_(
        stream, level, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size))
      precondition(status == Z_OK)
    }

    deinit {
      deflateEnd(stream)
      stream.deallocate()
    }

    func compress(_ bytes: [UInt8], flush: CInt = Z_NO_FLUSH) -> [UInt8] {
      var bytes = bytes
      var result: [UInt8] = []
      var room = [UInt8](repeating: 0, count: 64 << 10)
      bytes.withUnsafeMutableBufferPointer { input in
        stream.pointee.next_in = input.baseAddress
        stream.pointee.avail_in = UInt32(input.count)
        repeat {
          let made = room.withUnsafeMutableBufferPointer { output in
            stream.pointee.next_out = output.baseAddress
            stream.pointee.avail_out = UInt32(output.count)
            deflate(stream, flush)
            return output.count - Int(stream.pointee.avail_out)
          }
          result += room[..<made]
        } while stream.pointee.avail_out == 0
      }
      return result
    }

    static func packed(_ bytes: [UInt8], _ windowBits: CInt = gzip, level: CInt = 9) -> [UInt8] {
      Deflater(windowBits, level: level).compress(bytes, flush: Z_FINISH)
    }
  }
#endif

#if Zstd
  import CZstd

  enum ZstdFrame {
    static func packed(_ bytes: [UInt8], windowLog: CInt = 0) -> [UInt8] {
      let context = ZSTD_createCCtx()
      defer { ZSTD_freeCCtx(context) }
      ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
      if windowLog > 0 {
        // Without the content's size in the header the window is written as asked for.
        ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0)
        ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, windowLog)
      }
      var room = [UInt8](repeating: 0, count: ZSTD_compressBound(bytes.count))
      var input = ZSTD_inBuffer(src: nil, size: 0, pos: 0)
      var output = ZSTD_outBuffer(dst: nil, size: 0, pos: 0)
      bytes.withUnsafeBytes { plain in
        room.withUnsafeMutableBytes { packed in
          input = ZSTD_inBuffer(src: plain.baseAddress, size: plain.count, pos: 0)
          output = ZSTD_outBuffer(dst: packed.baseAddress, size: packed.count, pos: 0)
          // Two calls: one that knew all of the input would choose a window to its size.
          if windowLog > 0 { ZSTD_compressStream2(context, &output, &input, ZSTD_e_flush) }
          let left = ZSTD_compressStream2(context, &output, &input, ZSTD_e_end)
          precondition(left == 0)
        }
      }
      return Array(room[..<output.pos])
    }
  }
#endif
