import HTTP1
import WebSocket

/// Room for the tokens of the bytes at hand, lent to one dialogue after the other: of thousands that take turns each would
/// have to fetch a room of its own from far.
package struct TokenRooms: Sendable {
  /// Places of a room that is kept.
  private static let kept = 512

  var http1: [HTTP1Token] = []
  var frames: [FrameToken] = []

  package init() {}

  mutating func countHeld() -> Int {
    http1.capacity * MemoryLayout<HTTP1Token>.stride + frames.capacity * MemoryLayout<FrameToken>.stride
  }

  @inline(__always)
  mutating func trim() {
    if http1.capacity > Self.kept { http1 = [] }
    if frames.capacity > Self.kept { frames = [] }
  }
}
