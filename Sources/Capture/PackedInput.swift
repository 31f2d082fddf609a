import Citation

/// Compressed input of a decompressor: one buffer, refilled when it is empty.
struct PackedInput {
  static let capacity = 256 << 10

  private let base: any ByteSource
  private var bytes: [UInt8]
  private var unread: Range<Int>
  private(set) var isAtEnd = false
  /// How many bytes came before the buffer's first.
  private var before: UInt64 = 0

  /// `head` is what was already read of `base`.
  init(_ base: any ByteSource, head: [UInt8]) {
    self.base = base
    bytes = [UInt8](repeating: 0, count: max(PackedInput.capacity, head.count))
    bytes.replaceSubrange(0..<head.count, with: head)
    unread = 0..<head.count
  }

  var isEmpty: Bool { unread.isEmpty }
  var count: Int { unread.count }
  var isReady: Bool { !unread.isEmpty || isAtEnd || base.isReady }
  var progress: (read: UInt64, size: UInt64?) { base.progress }
  /// Where the next byte stands in the file.
  var position: UInt64 { before + UInt64(unread.lowerBound) }

  /// Reads until `wanted` bytes are there or the input has ended.
  mutating func refill(wanted: Int = 1) throws(CaptureError) {
    while unread.count < wanted, !isAtEnd {
      before += UInt64(unread.lowerBound)
      let kept = unread.count
      for index in 0..<kept { bytes[index] = bytes[unread.lowerBound + index] }
      let count = try bytes.read(from: base, at: kept)
      unread = 0..<kept + count
      isAtEnd = count == 0
    }
  }

  /// The byte `index` places ahead, 0 past the end.
  func peek(_ index: Int) -> UInt8 {
    index < unread.count ? bytes[unread.lowerBound + index] : 0
  }

  /// Lets `body` consume unread bytes; it returns how many it took, beside its result.
  mutating func feed<Result>(_ body: (UnsafeMutableBufferPointer<UInt8>) -> (taken: Int, Result)) -> Result {
    let range = unread
    let (taken, result) = bytes.withUnsafeMutableBufferPointer { body(.init(rebasing: $0[range])) }
    unread = min(range.lowerBound + max(0, taken), range.upperBound)..<range.upperBound
    return result
  }
}

extension [UInt8] {
  /// Reads from `source` into the array's bytes from `offset` on; 0 is the end.
  mutating func read(from source: any ByteSource, at offset: Int) throws(CaptureError) -> Int {
    // The closure of the standard library does not carry typed errors for every shape; a Result does.
    let outcome = withUnsafeMutableBytes { buffer -> Result<Int, CaptureError> in
      do throws(CaptureError) {
        return .success(try source.read(into: .init(rebasing: buffer[offset...])))
      } catch {
        return .failure(error)
      }
    }
    return try outcome.get()
  }
}
