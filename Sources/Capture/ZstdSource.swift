#if Zstd
  import CZstd

  /// Decompresses zstd frames, skippable ones included. libzstd refuses windows beyond 128 MiB.
  final class ZstdSource: ByteSource {
    private var input: PackedInput
    private let context: OpaquePointer
    /// Bytes that libzstd still expects for the current frame; 0 between frames.
    private var wanted = 0
    private var isOver = false
    private(set) var defect: SourceDefect?

    init(_ base: any ByteSource, head: [UInt8], name: String) throws(CaptureError) {
      input = PackedInput(base, head: head)
      guard let context = ZSTD_createDCtx() else { throw CaptureError(name, "zstd cannot start") }
      self.context = context
    }

    deinit {
      ZSTD_freeDCtx(context)
    }

    var isReady: Bool { isOver || input.isReady }
    var progress: (read: UInt64, size: UInt64?) { input.progress }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(CaptureError) -> Int {
      while !isOver, !buffer.isEmpty {
        try input.refill()
        if input.isEmpty, wanted == 0 { break }
        let (produced, status) = unpack(into: buffer)
        if ZSTD_isError(status) != 0 {
          let reason = ZSTD_getErrorName(status).map { String(cString: $0) } ?? "unknown error"
          end(.damaged(atByte: input.position, what: "the zstd data is corrupt: \(reason)"))
        } else {
          wanted = status
          if produced == 0, input.isEmpty, input.isAtEnd, wanted != 0 { end(.cut(atByte: input.position)) }
        }
        if produced > 0 { return produced }
      }
      isOver = true
      return 0
    }

    private func unpack(into buffer: UnsafeMutableRawBufferPointer) -> (produced: Int, status: Int) {
      input.feed { bytes in
        var packed = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
        var plain = ZSTD_outBuffer(dst: buffer.baseAddress, size: buffer.count, pos: 0)
        let status = ZSTD_decompressStream(context, &plain, &packed)
        return (packed.pos, (plain.pos, status))
      }
    }

    private func end(_ defect: SourceDefect) {
      isOver = true
      self.defect = defect
    }
  }
#endif
