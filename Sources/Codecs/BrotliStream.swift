import Citation

#if Brotli
  import CBrotli

  /// Brotli (RFC 7932). Its window is at most 16 MiB, which is also the most that is ever decoded of a message; the
  /// library grows it only as output fills it.
  final class BrotliStream: Unpacker {
    private let state: OpaquePointer
    /// The logarithm of the window, which the first byte says.
    private var windowBits: Int?

    init?() {
      guard let state = BrotliDecoderCreateInstance(nil, nil, nil) else { return nil }
      self.state = state
    }

    deinit {
      BrotliDecoderDestroyInstance(state)
    }

    var heldBytes: Int { 32 << 10 + 1 << (windowBits ?? 0) }

    /// WBITS (RFC 7932 §9.1).
    private func windowBits(_ first: UInt8) -> Int {
      if first & 1 == 0 { return 16 }
      if first & 0xE != 0 { return 17 + Int(first >> 1 & 7) }
      return first & 0x70 == 0 ? 17 : 8 + Int(first >> 4 & 7)
    }

    /// A body is one brotli stream; nothing can follow it.
    func restart() {}

    func step(_ input: Span<UInt8>, into room: UnsafeMutableBufferPointer<UInt8>) -> UnpackerStep {
      if windowBits == nil, input.count > 0 { windowBits = windowBits(input[0]) }
      return input.withUnsafeBufferPointer { bytes in
        var left = bytes.count
        var next = bytes.baseAddress
        var free = room.count
        var place = room.baseAddress
        let result = BrotliDecoderDecompressStream(state, &left, &next, &free, &place, nil)
        return UnpackerStep(taken: bytes.count - left, produced: room.count - free, status: meaning(of: result))
      }
    }

    private func meaning(of result: BrotliDecoderResult) -> UnpackerStep.Status {
      switch result {
      case BROTLI_DECODER_RESULT_SUCCESS: .ended
      case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT, BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT: .goesOn
      default:
        .failed(
          BrotliDecoderErrorString(BrotliDecoderGetErrorCode(state)).map { String(cString: $0) }
            ?? "the data is corrupt")
      }
    }
  }
#endif
