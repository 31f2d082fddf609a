import Citation
import Events
import WebSocketSemantics

/// What comes after a side's own Close.
struct CloseOrder: Sendable {
  /// The first frame after it, and its second Close.
  private(set) var late = BothDirections<Frame?>(repeating: nil)
  private(set) var second = BothDirections<Frame?>(repeating: nil)

  mutating func observe(_ frame: Frame, _ direction: Direction, _ story: SocketStory) {
    guard story.close(of: direction) != nil else { return }
    if frame.opcode == .close {
      if second[direction] == nil { second[direction] = frame }
    } else if late[direction] == nil {
      late[direction] = frame
    }
  }
}

/// The Closes of both sides.
struct BothCloses: Sendable {
  private let first: Frame
  /// The later one, and who sent it.
  let second: Frame
  private let sender: Direction

  init?(_ story: SocketStory) {
    guard let one = story.sides.toServer.close, let other = story.sides.toClient.close else { return nil }
    let isServers = one.released.number > other.released.number
    (first, second) = isServers ? (other, one) : (one, other)
    sender = isServers ? .toServer : .toClient
  }

  var evidence: [Evidence] {
    [.frame(first, sender.opposite, "the first Close"), .frame(second, sender, "the second one")]
  }
}

extension Threshold {
  static let closeAnswer = Threshold(
    "ws.close-answer", .nanoseconds, 1_000_000_000, "a Close answered this late waited")
}
