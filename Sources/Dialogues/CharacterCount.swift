import Events
import HTTPSemantics

/// Counts the UTF-8 continuation bytes of a chunk, so that a size that was wrong by exactly that many can be
/// recognised: its sender counted characters. Only of chunks small enough that counting costs nothing.
struct CharacterCount: Sendable {
  private static let limit: UInt64 = 4_096
  /// Chunks of a message that are counted: who counts characters is found out by the first text that is not ASCII.
  private static let chunkLimit = 4

  private(set) var isCounting = false
  private var continuation: UInt64 = 0
  private var error: FramingError?

  @inline(__always)
  mutating func beginChunk(_ index: Int, size: UInt64) {
    isCounting = size <= Self.limit && index < Self.chunkLimit
    continuation = 0
  }

  @inline(__always)
  mutating func count(_ bytes: Span<UInt8>) {
    guard isCounting else { return }
    continuation &+= Self.continuationBytes(bytes)
  }

  private static func continuationBytes(_ bytes: Span<UInt8>) -> UInt64 {
    bytes.withUnsafeBytes { memory in
      var count: UInt64 = 0
      var index = 0
      // Eight at a time: the high bit is set and the one below it is not.
      while index + 8 <= memory.count {
        let word = memory.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        count &+= UInt64(truncatingIfNeeded: (word & ~(word &<< 1) & 0x8080_8080_8080_8080).nonzeroBitCount)
        index += 8
      }
      while index < memory.count {
        if memory[index] & 0xC0 == 0x80 { count &+= 1 }
        index += 1
      }
      return count
    }
  }

  /// The data of the chunk counted goes on past its end.
  mutating func mismatch(_ error: FramingError) {
    self.error = self.error ?? error
  }

  /// Reading goes on at a size line, so many bytes behind the end that was announced.
  mutating func resume(_ skipped: UInt64, _ chunks: inout ChunkRecord?) {
    guard let error else { return }
    self.error = nil
    let quoted = error.excerpt.bytes
    let isQuotedWhole = UInt64(quoted.count) == skipped
    let lineEnd: UInt64 = isQuotedWhole && quoted.dropLast().last != .carriageReturn ? 1 : 2
    chunks?.mismatch?.surplus = skipped &- min(skipped, lineEnd)
    guard isCounting, isQuotedWhole else { return }
    chunks?.mismatch?.continuationBytes = continuation &+ Self.continuationBytes(quoted.span)
  }
}
