import Citation
import Decode

/// Data segments that followed one another closely, to tell a writer that has much to say and says it in small pieces.
struct SegmentRun: Sendable {
  /// A longer gap ends a run.
  static let gap: Int64 = 50_000_000
  /// Segments with less are small.
  static let small = 100
  /// Shorter runs are no transfer.
  private static let shortest: UInt32 = 50
  /// With more between its segments, on average, a writer sends things as they happen and not in bulk.
  private static let pace: Int64 = 5_000_000

  private(set) var first = PacketRef.none
  private(set) var offset: UInt64 = 0
  private(set) var count: UInt32 = 0
  private var smallCount: UInt32 = 0

  @inline(__always)
  mutating func add(_ length: Int) {
    count &+= 1
    if length < Self.small { smallCount &+= 1 }
  }

  @inline(__always)
  mutating func begin(_ packet: PacketRef, _ length: Int, at offset: UInt64) {
    first = packet
    self.offset = offset
    count = 1
    smallCount = length < Self.small ? 1 : 0
  }

  /// Long enough, in bulk, and more than half of it small.
  func isNotable(until last: PacketRef) -> Bool {
    count >= Self.shortest && smallCount > count / 2
      && last.time.since(first.time) <= Int64(count) &* Self.pace
  }
}

extension HalfConnection {
  /// At the end of a run; `lastDelivered` is its last segment.
  @inline(__always)
  mutating func noteRun(_ direction: Direction, _ outputs: inout ReassemblyOutputs) {
    guard run.isNotable(until: lastDelivered), next > run.offset else { return }
    outputs.observe(
      TCPObservation(
        .smallSegments, lastDelivered, direction, range: run.offset..<next, earlier: run.first, value: UInt64(run.count)
      )
    )
  }
}

/// How long a sender had sent all that the receiver offered to take, and waited for it to take some.
struct WindowStall: Sendable {
  /// Windows filled less often are the ends of bursts.
  static let leastTimes: UInt64 = 3

  /// The segment that filled the window first, and where it ended.
  let first: PacketRef
  let offset: UInt64
  var window: UInt64
  var since: Timestamp
  var nanoseconds: Int64 = 0
  var times: UInt64 = 0
}

extension ReceiveWindow {
  /// The sender has filled the window; only a receiver that reads is believed to have a small one.
  mutating func close(_ packet: PacketRef, _ window: UInt64, at offset: UInt64) {
    guard !isClosed, window >= largest / 2 else { return }
    isClosed = true
    if stall.isEmpty {
      stall = Rare(WindowStall(first: packet, offset: offset, window: window, since: packet.time))
    } else {
      stall.value.since = packet.time
      stall.value.window = max(stall.value.window, window)
    }
  }

  /// The receiver has taken some.
  mutating func open(at packet: PacketRef) {
    isClosed = false
    guard !stall.isEmpty else { return }
    stall.value.times &+= 1
    stall.value.nanoseconds &+= max(0, packet.time.since(stall.value.since))
  }
}

extension HalfConnection {
  /// When the direction is over.
  mutating func noteStall(_ direction: Direction, _ outputs: inout ReassemblyOutputs) {
    guard let stall = receiver.stall.copy, stall.times >= WindowStall.leastTimes, highest > stall.offset,
      stall.nanoseconds > lastData.time.since(stall.first.time) / 2
    else { return }
    outputs.observe(
      TCPObservation(
        .windowLimited, lastData, direction, range: stall.offset..<highest, earlier: stall.first, value: stall.window))
  }
}
