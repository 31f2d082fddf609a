#if Zstd
  import CZstd

  /// Zstandard frames, skippable ones included.
  final class ZstdStream: Unpacker {
    /// The content coding allows windows of 8 MiB and no more (RFC 9659).
    private static let windowLog: CInt = 23

    private let context: OpaquePointer

    init?() {
      guard let context = ZSTD_createDCtx() else { return nil }
      self.context = context
      ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, ZstdStream.windowLog)
    }

    deinit {
      ZSTD_freeDCtx(context)
    }

    var heldBytes: Int { ZSTD_sizeof_DCtx(context) }

    func restart() {
      ZSTD_DCtx_reset(context, ZSTD_reset_session_only)
    }

    func step(_ input: Span<UInt8>, into room: UnsafeMutableBufferPointer<UInt8>) -> UnpackerStep {
      input.withUnsafeBufferPointer { bytes in
        var packed = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
        var plain = ZSTD_outBuffer(dst: room.baseAddress, size: room.count, pos: 0)
        let wanted = ZSTD_decompressStream(context, &plain, &packed)
        return UnpackerStep(taken: packed.pos, produced: plain.pos, status: meaning(of: wanted))
      }
    }

    private func meaning(of wanted: Int) -> UnpackerStep.Status {
      if ZSTD_isError(wanted) == 0 { return wanted == 0 ? .ended : .goesOn }
      return .failed(ZSTD_getErrorName(wanted).map { String(cString: $0) } ?? "the data is corrupt")
    }
  }
#endif
