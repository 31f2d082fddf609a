import Citation

#if Zlib
  import CZlib

  /// DEFLATE in any of its wrappings, by zlib.
  final class ZlibStream: Unpacker {
    /// zlib keeps a pointer to it, so it must not move.
    private let stream: UnsafeMutablePointer<z_stream>

    init?(_ format: UnpackerFormat) {
      let windowBits: CInt
      switch format {
      case .gzip: windowBits = 15 + 16
      case .zlib: windowBits = 15
      case .rawDeflate: windowBits = -15
      case .brotli, .zstd: return nil
      }
      stream = .allocate(capacity: 1)
      stream.initialize(to: z_stream())
      guard inflateInit2_(stream, windowBits, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size)) == Z_OK else {
        // deinit runs, and inflateEnd takes a stream that was never set up for an error it reports and nothing more.
        return nil
      }
    }

    deinit {
      inflateEnd(stream)
      stream.deallocate()
    }

    /// Its state and tables, and the window of 32 KiB.
    var heldBytes: Int { 44 << 10 }

    func restart() {
      inflateReset(stream)
    }

    func step(_ input: Span<UInt8>, into room: UnsafeMutableBufferPointer<UInt8>) -> UnpackerStep {
      input.withUnsafeBufferPointer { bytes in
        let given = UInt32(clamping: bytes.count)
        let free = UInt32(clamping: room.count)
        // zlib reads through this pointer only; its header lacks the const.
        stream.pointee.next_in = bytes.baseAddress.map { UnsafeMutablePointer(mutating: $0) }
        stream.pointee.avail_in = given
        stream.pointee.next_out = room.baseAddress
        stream.pointee.avail_out = free
        let status = inflate(stream, Z_NO_FLUSH)
        return UnpackerStep(
          taken: Int(given - stream.pointee.avail_in), produced: Int(free - stream.pointee.avail_out),
          status: meaning(of: status))
      }
    }

    private func meaning(of status: CInt) -> UnpackerStep.Status {
      switch status {
      // No progress is no fault: it is what zlib says to a call that only asks whether more is waiting.
      case Z_OK, Z_BUF_ERROR: .goesOn
      case Z_STREAM_END: .ended
      case Z_NEED_DICT: .failed("a preset dictionary is needed")
      case Z_MEM_ERROR: .failed("out of memory")
      default: .failed(stream.pointee.msg.map { String(cString: $0) } ?? "the data is corrupt")
      }
    }
  }
#endif
