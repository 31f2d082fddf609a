import Citation
import Events

/// How slowly a body came, over windows that slide in steps of half a second from its first byte.
///
/// A window lies inside the body and its bytes are exact; only its beginning is rounded, so that what is found is true
/// and at most half a second of slowness is overlooked. Nothing is allocated for a body that is over within one step.
struct BodyMeter: Sendable {
  private struct Step: Sendable {
    var bytes: UInt64
    /// The last packet of the body at the beginning of this step.
    var before: PacketRef
  }

  private static let step: Int64 = 500_000_000
  /// Steps of each window.
  private static let shortWindow = 10
  private static let longWindow = 40

  private var first: PacketRef?
  private var last = PacketRef.none
  private var current: Int64 = 0
  private var bytes: UInt64 = 0
  private var before = PacketRef.none
  private var ring: [Step] = []
  private var pushed = 0
  private var short = Window(length: shortWindow)
  private var long = Window(length: longWindow)

  /// Bytes of the body, or of its framing, that came with a packet.
  @inline(__always)
  mutating func add(_ count: UInt64, in packet: PacketRef) {
    guard let first else {
      self.first = packet
      before = packet
      last = packet
      bytes = count
      return
    }
    let at = packet.time.since(first.time) / Self.step
    if at > current { advance(to: at, packet) }
    bytes &+= count
    last = packet
  }

  /// The body has lasted as long as a window.
  var hasWindows: Bool { pushed > 0 }

  /// The slowest window of each length, where the body was as long as that.
  func slowest() -> [MessageRecord.SlowWindow] { [short.slowest, long.slowest].compactMap { $0 } }

  private mutating func advance(to next: Int64, _ packet: PacketRef) {
    push(Step(bytes: bytes, before: before), packet)
    // After as many empty steps as the longest window has, further ones change nothing.
    let empty = min(next &- current &- 1, Int64(Self.longWindow))
    if empty > 0 { for _ in 0..<empty { push(Step(bytes: 0, before: last), packet) } }
    current = next
    bytes = 0
    before = last
  }

  private mutating func push(_ step: Step, _ packet: PacketRef) {
    short.take(step.bytes, leaving: bytesOfStep(back: Self.shortWindow))
    long.take(step.bytes, leaving: bytesOfStep(back: Self.longWindow))
    if ring.count < Self.longWindow { ring.append(step) } else { ring[pushed % Self.longWindow] = step }
    pushed += 1
    short.close(pushed, from: ring[max(0, pushed - Self.shortWindow) % Self.longWindow].before, to: packet)
    long.close(pushed, from: ring[max(0, pushed - Self.longWindow) % Self.longWindow].before, to: packet)
  }

  private func bytesOfStep(back count: Int) -> UInt64 {
    pushed >= count ? ring[(pushed - count) % Self.longWindow].bytes : 0
  }

  private struct Window: Sendable {
    let length: Int
    var sum: UInt64 = 0
    var slowest: MessageRecord.SlowWindow?

    init(length: Int) {
      self.length = length
    }

    mutating func take(_ bytes: UInt64, leaving: UInt64) {
      sum = sum &+ bytes &- leaving
    }

    mutating func close(_ pushed: Int, from: PacketRef, to: PacketRef) {
      guard pushed >= length, sum < slowest?.bytes ?? .max else { return }
      slowest = MessageRecord.SlowWindow(
        nanoseconds: Int64(length) * BodyMeter.step, bytes: sum, from: from, to: to)
    }
  }
}
