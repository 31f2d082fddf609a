import Citation
import HTTP1
import WebSocket

/// Room for the tokens of the bytes at hand, lent to one dialogue after the other: of thousands that take turns each would
/// have to fetch a room of its own from far.
package struct TokenRooms: Sendable {
  /// Places of a room that is kept.
  private static let kept = 512

  var http1: [HTTP1Token] = []
  var frames: [FrameToken] = []

  private var http1Room = ArrayRoom()
  private var frameRoom = ArrayRoom()

  package init() {}

  func countHeld() -> Int { http1Room.held(HTTP1Token.self) + frameRoom.held(FrameToken.self) }

  /// After each time that they were lent.
  @inline(__always)
  mutating func trim() {
    http1Room.note(http1.count)
    frameRoom.note(frames.count)
    if http1Room.places > Self.kept {
      http1 = []
      http1Room.letGo()
    }
    if frameRoom.places > Self.kept {
      frames = []
      frameRoom.letGo()
    }
  }
}
