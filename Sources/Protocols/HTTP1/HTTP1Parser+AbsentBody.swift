import Citation
import HTTPSemantics

/// A response whose request the capture lacks may answer HEAD: then its Content-Length announces a body that does not
/// come. Where the next status line stands in its place, that is what happened.
extension HTTP1Parser {
  /// Holds the first bytes of what may be no body until they cannot be a status line, or are one.
  mutating func weighBody(
    _ input: borrowing CitedBytes, _ position: Int, _ length: UInt64, into tokens: inout [HTTP1Token]
  ) -> Int {
    var end = position
    while end < input.bytes.count, held.count < StartLineSearch.statusLength {
      held.append(input, end..<end + 1)
      end += 1
      offset = held.end
      guard StartLineSearch.mayBeginStatusLine(held.bytes.span) else {
        flushWeighedBody(into: &tokens)
        return end
      }
    }
    return held.count == StartLineSearch.statusLength ? beginNext(at: end, into: &tokens) : end
  }

  /// What was held is body.
  mutating func flushWeighedBody(into tokens: inout [HTTP1Token]) {
    guard case .lengthOrNone(let length) = state else { return }
    state = .length(length - min(length, UInt64(held.count)))
    guard held.count > 0 else { return }
    message.bodyBytes = UInt64(held.count)
    tokens.append(.body(range: held.base..<held.end, bodyOffset: 0))
    held.removeAll()
  }
}
