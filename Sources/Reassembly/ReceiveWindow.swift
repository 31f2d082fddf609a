import Citation
import Decode

/// How much the receiver of a direction is willing to take, as its own packets say.
struct ReceiveWindow: Sendable {
  /// The shift of RFC 7323; nil until a SYN showed whether there is one.
  var scale: UInt8?
  /// Advertised last, scaled; nil before the first packet.
  private(set) var current: UInt64?
  private(set) var largest: UInt64 = 0
  var isFull = false
  /// Another full segment would not fit.
  var isClosed = false
  /// Once the window was as good as full; most never are.
  var stall = Rare<WindowStall>()
  /// A probe or keep-alive that awaits its answer.
  var probe: Probe = .none

  enum Probe: UInt8, Sendable { case none, zeroWindow, keepAlive }

  /// Whether a figure can be taken at its word: without the SYN the scale is unknown and every window may be larger.
  var isKnown: Bool { scale != nil && current != nil }
  var isZero: Bool { current == 0 }

  @inline(__always)
  mutating func advertise(_ window: UInt16, isSyn: Bool) {
    let scaled = isSyn ? UInt64(window) : UInt64(window) << UInt64(scale ?? 0)
    current = scaled
    if scaled > largest { largest = scaled }
  }
}

extension HalfConnection {
  /// The largest shift there is (RFC 7323 §2.3), for a window whose scale is unknown.
  private static let largestScale: UInt64 = 14
  /// What may be on the way beyond what is known to be acknowledged: some of that is lost to captures.
  private static let slack: UInt64 = 16 << 20

  /// Nothing in order can end behind this: what the receiver has ever offered is less.
  var farthestOffered: UInt64 {
    guard receiver.current != nil else { return .max }
    let window = receiver.scale == nil ? receiver.largest << Self.largestScale : receiver.largest
    return max(acked, next) &+ window &+ Self.slack
  }

  /// No sender cuts a segment to fit, so that the last room of a window is left.
  private static let usualSegment = 1_460

  /// Data that ends at the edge of what the receiver offered, or so near that no more of it fits.
  @inline(__always)
  mutating func noteWindowFull(_ segment: TCPSegment, _ direction: Direction, _ outputs: inout ReassemblyOutputs) {
    guard receiver.isKnown, let window = receiver.current,
      acked &+ window < highest &+ UInt64(min(segment.payloadLength, Self.usualSegment)), window > 0
    else { return }
    receiver.close(segment.packet, window, at: highest)
    guard highest == acked &+ window, !receiver.isFull else { return }
    receiver.isFull = true
    outputs.observe(TCPObservation(.windowFull, segment.packet, direction, value: window))
  }
}
