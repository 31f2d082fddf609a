import Citation
import HTTPSemantics

/// Chunks in the middle of a body that land on each other: a size line, as much data as it says, a line end, the next
/// size line. Text may hold a line of hexadecimal digits; that its value leads to another such line is no accident.
package struct ChunkChain: Sendable {
  /// A longer size line is not looked at: digits and an extension.
  private static let lineLimit = 64
  /// Chunks of one byte or two land on each other in a list of numbers.
  private static let enough = 16
  /// So many tell all that more of them would: what is looked at again with each segment takes bounded time.
  private static let longest = 64

  /// The data of the first chunk.
  package private(set) var first = 0..<0
  /// Chunks that are there from their size line to their line end.
  package private(set) var whole = 0
  /// The chunk of size zero follows them.
  private var isEnded = false
  /// Data that begins with a size line of its own: what lands may be lines of digits.
  private var isAmbiguous = false
  private var dataBytes = 0

  /// Two chunks, the second of which begins where the first ends, and ends where it says.
  package var isCertain: Bool { !isAmbiguous && whole + (isEnded ? 1 : 0) >= 2 && dataBytes >= Self.enough }

  /// nil where no size line stands at `index`, or where one leads to anything else than the next.
  package init?(_ bytes: Span<UInt8>, at index: Int) {
    guard index < bytes.count else { return nil }
    var at = index
    while at < bytes.count, whole < Self.longest {
      guard case .line(let size, let end) = Self.sizeLine(bytes, at: at) else {
        if case .unfinished = Self.sizeLine(bytes, at: at), at > index { return }
        return nil
      }
      if size == 0 {
        guard at > index else { return nil }
        isEnded = true
        return
      }
      if at == index { first = end..<min(bytes.count, end.addingReportingOverflow(size).partialValue) }
      if size >= bytes.count - end { return }
      let after = end + size
      guard bytes[after] == .carriageReturn else { return nil }
      guard after + 1 < bytes.count else { return }
      guard bytes[after + 1] == .lineFeed else { return nil }
      if case .line = Self.sizeLine(bytes, at: end) { isAmbiguous = true }
      whole += 1
      dataBytes += size
      at = after + 2
    }
  }

  /// The place behind the next line end: where a size line may stand.
  package static func nextLine(in bytes: Span<UInt8>, from index: Int) -> Int? {
    var at = index
    while at + 1 < bytes.count {
      if bytes[at] == .carriageReturn, bytes[at + 1] == .lineFeed { return at + 2 }
      at += 1
    }
    return nil
  }

  private enum SizeLine {
    case line(size: Int, end: Int)
    case unfinished, none
  }

  private static func sizeLine(_ bytes: Span<UInt8>, at start: Int) -> SizeLine {
    var at = start
    var size = 0
    while at < bytes.count, bytes[at].hexadecimalValue < 16 {
      // Seven digits, so that no sum of it overflows. A longer chunk is not waited for.
      guard at - start < 7 else { return .none }
      size = size << 4 | Int(bytes[at].hexadecimalValue)
      at += 1
    }
    guard at < bytes.count else { return .unfinished }
    guard at > start else { return .none }
    // Some servers pad the digits with blanks.
    while at < bytes.count, bytes[at] == .space { at += 1 }
    if at < bytes.count, bytes[at] == UInt8(ascii: ";") {
      while at < bytes.count, bytes[at] >= 0x20, at - start < lineLimit { at += 1 }
    }
    guard at < bytes.count else { return .unfinished }
    guard bytes[at] == .carriageReturn else { return .none }
    guard at + 1 < bytes.count else { return .unfinished }
    return bytes[at + 1] == .lineFeed ? .line(size: size, end: at + 2) : .none
  }
}
