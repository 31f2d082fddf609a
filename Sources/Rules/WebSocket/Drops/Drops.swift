import Citation
import Events
import WebSocketSemantics

/// What a client's last frame was, for a server that ends TCP over a frame that it has to understand.
///
/// The trigger is the client's last frame, legal, the first of its kind on the connection, and TCP ends right behind it
/// without a Close. One that survived the same before did not die of it now.
struct Drops: Sendable {
  enum Kind: Int, CaseIterable, Sendable { case long, fragment, ping, opcode }

  /// How often the client sent each kind.
  private var counts = [UInt64](repeating: 0, count: Kind.allCases.count)
  private var lastKind: Kind?
  /// The client's last frame before the end of TCP.
  private var last: Frame?
  /// A control frame stands between the fragments of the message that is open. It may be that which a server does not
  /// understand, and not fragments.
  private(set) var hasControlBetween = false
  private var isMessageOpen = false

  /// The client's last frame, where it was the first of this kind.
  func trigger(_ kind: Kind) -> Frame? { lastKind == kind && counts[kind.rawValue] == 1 ? last : nil }

  mutating func observe(_ frame: Frame, _ story: SocketStory) {
    guard !story.isAfterEnd(frame) else { return }
    last = frame
    lastKind = nil
    if frame.opcode.isControl {
      if isMessageOpen { hasControlBetween = true }
    } else {
      if frame.opcode != .continuation { hasControlBetween = false }
      isMessageOpen = !frame.isFinal
    }
    if frame.lengthForm == .extended64 {
      note(.long)
    } else if frame.opcode == .continuation {
      // Of the message that is counted already.
      lastKind = .fragment
    } else if !frame.opcode.isControl, !frame.isFinal {
      note(.fragment)
    } else if frame.opcode == .ping {
      note(.ping)
    } else if frame.opcode == .binary || frame.opcode == .pong && story.pings == 0 {
      note(.opcode)
    }
  }

  mutating func observe(_ frames: [PlainFrame], _ story: SocketStory) {
    var final: PlainFrame?
    for frame in frames where frame.direction == story.client && !story.isAfterEnd(frame.packet) {
      if frame.opcode == .binary { counts[Kind.opcode.rawValue] += 1 }
      final = frame
    }
    guard let final else { return }
    last = final.frame
    lastKind = final.opcode == .binary ? .opcode : nil
  }

  private mutating func note(_ kind: Kind) {
    counts[kind.rawValue] += 1
    lastKind = kind
  }
}

extension Threshold {
  static let dropAfter = Threshold(
    "ws.drop-after", .nanoseconds, 50_000_000, "an end this soon after a frame, and a round trip, was caused by it")
}
