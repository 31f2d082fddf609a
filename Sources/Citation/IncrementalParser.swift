/// How the input of one direction ended.
package enum DirectionEnd: UInt8, Hashable, Sendable {
  case fin, reset
  /// Evicted before its end: it was idle for long, or memory was short.
  case evicted
  case captureEnded
}

/// A pure, incremental parser of one direction of one stream.
///
/// It never traps, never throws, never looks at a clock and never sees a packet boundary: the tokens are the same at
/// every cut of the input. Tokens are appended to an array the caller reuses; there is no callback to re-enter it by.
package protocol IncrementalParser {
  associatedtype Token: Sendable
  mutating func consume(_ chunk: borrowing CitedBytes, into tokens: inout [Token])
  /// Bytes that the capture lacks. What follows is not joined to what came before.
  mutating func skip(gap range: Range<UInt64>, into tokens: inout [Token])
  mutating func finish(_ end: DirectionEnd, into tokens: inout [Token])
}
