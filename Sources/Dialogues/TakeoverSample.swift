import Codecs
import WebSocketSemantics

/// The first messages of a sender that forgets its window after each, kept to find out what that costs.
///
/// Bounded: `count` messages, `limit` bytes together. Messages of other senders are not kept.
struct TakeoverSample: Sendable {
  private static let count = 32
  private static let limit = 32 << 10

  private var messages: [[UInt8]] = []
  private var bytes = 0
  private var isOpen = false

  mutating func begin() {
    isOpen = messages.count < Self.count && bytes < Self.limit
    if isOpen { messages.append([]) }
  }

  mutating func take(_ plain: Span<UInt8>) {
    guard isOpen else { return }
    bytes += plain.count
    guard bytes <= Self.limit else {
      // Half a message would count as one.
      messages.removeLast()
      isOpen = false
      return
    }
    plain.withUnsafeBufferPointer { messages[messages.count - 1].append(contentsOf: $0) }
  }

  /// Of the messages that are whole; nil without enough of them.
  func figures(enough: Int) -> DeflateFigures.Takeover? {
    let whole = messages.filter { !$0.isEmpty }
    guard whole.count >= enough, let sizes = TakeoverTrial.sizes(of: whole) else { return nil }
    return DeflateFigures.Takeover(
      messages: UInt64(whole.count), plain: whole.reduce(0) { $0 &+ UInt64($1.count) }, alone: sizes.alone,
      together: sizes.together)
  }
}
