import Citation
import WebSocketSemantics

/// The heartbeats of Engine.IO: its server asks by a message of one byte, and its client answers with another one.
///
/// What the byte is, is kept of the first messages of a connection only, so it is told from the order: the older version,
/// whose client asks, has the server's byte right behind the client's. Behind the first Close nothing counts: a device that
/// wakes up answers what it was asked before.
struct AppHeartbeats: Sendable {
  /// The first question since the last answer.
  private(set) var open: PlainFrame?
  private var answer = PacketRef.none
  private static let answerTime: Int64 = 1_000_000_000

  @inline(__always)
  static func mayBe(_ frame: PlainFrame) -> Bool { frame.length == 1 && frame.opcode == .text }

  mutating func observe(_ frame: PlainFrame, client: Direction) {
    guard frame.direction != client else {
      answer = frame.last
      open = nil
      return
    }
    let isAnswer = answer.number > 0 && frame.packet.time.since(answer.time) <= Self.answerTime
    if open == nil, !isAnswer { open = frame }
  }

  /// Of the applications that have these.
  static func areSpoken(by application: String?) -> Bool { application == "Socket.IO" || application == "Engine.IO" }
}
