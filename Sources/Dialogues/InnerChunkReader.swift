import Citation
import Events
import HTTPSemantics

/// Tells whether a body, its own framing removed, is made of chunks again: an application that frames by hand above a
/// library that does, or a proxy that lost the field and kept the bytes.
///
/// It stops at the first byte that does not fit, which of nearly every body is the first. Only the plain form counts:
/// digits and CRLF, data, CRLF, and at the end a zero with an empty line.
struct InnerChunkReader: Sendable {
  private enum State: Sendable {
    case size, sizeEnd
    case data(UInt64)
    case dataReturn, dataFeed
    case lastReturn, lastFeed
    case whole, unlike
  }

  private static let digitLimit = 8

  private var state = State.size
  private var digits = 0
  private var size: UInt64 = 0
  private var count: UInt64 = 0
  private var bytes: UInt64 = 0

  var isAlike: Bool { if case .unlike = state { false } else { true } }

  mutating func read(_ input: Span<UInt8>) {
    var index = 0
    while index < input.count {
      if case .unlike = state { return }
      if case .data(let left) = state {
        let taken = min(left, UInt64(truncatingIfNeeded: input.count - index))
        index += Int(truncatingIfNeeded: taken)
        bytes &+= taken
        state = left == taken ? .dataReturn : .data(left - taken)
      } else {
        take(input[index])
        index += 1
      }
    }
  }

  private mutating func take(_ byte: UInt8) {
    switch state {
    case .size where byte.hexadecimalValue < 16 && digits < Self.digitLimit:
      size = size << 4 | UInt64(byte.hexadecimalValue)
      digits += 1
    case .size where byte == .carriageReturn && digits > 0: state = .sizeEnd
    case .sizeEnd where byte == .lineFeed: state = size == 0 ? .lastReturn : .data(size)
    case .dataReturn where byte == .carriageReturn: state = .dataFeed
    case .dataFeed where byte == .lineFeed:
      count += 1
      digits = 0
      size = 0
      state = .size
    case .lastReturn where byte == .carriageReturn: state = .lastFeed
    case .lastFeed where byte == .lineFeed: state = .whole
    default: state = .unlike
    }
  }

  /// What it is, once the body is over; nil when it is nothing of the kind.
  var verdict: InnerChunks? {
    guard count > 0 else { return nil }
    switch state {
    case .unlike: return nil
    case .whole: return InnerChunks(count: count, bytes: bytes, isWhole: true)
    default: return InnerChunks(count: count, bytes: bytes, isWhole: false)
    }
  }
}
