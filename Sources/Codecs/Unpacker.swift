/// One library's decoder of one stream.
protocol Unpacker: AnyObject {
  /// Takes from `input` and fills `room`, which is never empty. All input is taken, or the room is full, or the status
  /// is not `.goesOn`.
  func step(_ input: Span<UInt8>, into room: UnsafeMutableBufferPointer<UInt8>) -> UnpackerStep

  /// What it may hold at most, as far as that is known.
  var heldBytes: Int { get }

  /// Makes ready for a stream that follows the one that ended.
  func restart()
}

struct UnpackerStep {
  enum Status {
    case goesOn
    /// The stream is over; bytes of the input that are not taken are not its.
    case ended
    case failed(String)
  }

  var taken: Int
  var produced: Int
  var status: Status
}

/// Which decoder a coding needs; for deflate the first two bytes decide.
func unpacker(for format: UnpackerFormat) -> (any Unpacker)? {
  switch format {
  case .gzip, .zlib, .rawDeflate:
    #if Zlib
      return ZlibStream(format)
    #else
      return nil
    #endif
  case .brotli:
    #if Brotli
      return BrotliStream()
    #else
      return nil
    #endif
  case .zstd:
    #if Zstd
      return ZstdStream()
    #else
      return nil
    #endif
  }
}

enum UnpackerFormat {
  case gzip, zlib, rawDeflate, brotli, zstd
}
