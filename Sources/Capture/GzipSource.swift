#if Zlib
  import CZlib

  /// Decompresses gzip, also several concatenated members (`cat a.gz b.gz`).
  final class GzipSource: ByteSource {
    private var input: PackedInput
    /// zlib keeps a pointer to it, so it must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private var isBetweenMembers = false
    private var isOver = false
    private(set) var defect: SourceDefect?

    init(_ base: any ByteSource, head: [UInt8], name: String) throws(CaptureError) {
      input = PackedInput(base, head: head)
      stream = .allocate(capacity: 1)
      stream.initialize(to: z_stream())
      let gzipOnly: CInt = 15 + 16
      guard inflateInit2_(stream, gzipOnly, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size)) == Z_OK else {
        throw CaptureError(name, "zlib cannot start")
      }
    }

    deinit {
      inflateEnd(stream)
      stream.deallocate()
    }

    var isReady: Bool { isOver || input.isReady }
    var progress: (read: UInt64, size: UInt64?) { input.progress }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(CaptureError) -> Int {
      while !isOver, !buffer.isEmpty {
        try input.refill()
        if isBetweenMembers, try !startMember() { break }
        let (produced, status) = inflate(into: buffer)
        switch status {
        case Z_STREAM_END:
          inflateReset(stream)
          isBetweenMembers = true
        case Z_OK: break
        case Z_BUF_ERROR where !input.isAtEnd || produced > 0: break
        case Z_BUF_ERROR: end(.cut(atByte: input.position))
        default: end(.damaged(atByte: input.position, what: "the gzip data is corrupt\(reason)"))
        }
        if produced > 0 { return produced }
      }
      return 0
    }

    /// Zeros after the last member are padding, anything else is not gzip.
    private func startMember() throws(CaptureError) -> Bool {
      try input.refill(wanted: 2)
      if input.peek(0) == 0x1F, input.peek(1) == 0x8B {
        isBetweenMembers = false
        return true
      }
      let isPadding = input.isEmpty || (input.peek(0) == 0 && input.peek(1) == 0)
      end(
        isPadding
          ? nil : .damaged(atByte: input.position, what: "the data after the end of the gzip stream is not gzip"))
      return false
    }

    private func inflate(into buffer: UnsafeMutableRawBufferPointer) -> (produced: Int, status: CInt) {
      let room = min(buffer.count, Int(UInt32.max))
      return input.feed { bytes in
        stream.pointee.next_in = bytes.baseAddress
        stream.pointee.avail_in = UInt32(clamping: bytes.count)
        stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(room)
        let status = CZlib.inflate(stream, Z_NO_FLUSH)
        let taken = bytes.count - Int(stream.pointee.avail_in)
        return (taken, (room - Int(stream.pointee.avail_out), status))
      }
    }

    private var reason: String {
      stream.pointee.msg.map { ": " + String(cString: $0) } ?? ""
    }

    private func end(_ defect: SourceDefect?) {
      isOver = true
      self.defect = defect
    }
  }
#endif
