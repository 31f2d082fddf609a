import CPcap
import Citation
import Platform

/// Live packets of a device.
///
/// A window ends when it is full, or a while after its first packet: what is seen is reported at once, and a window is
/// still worth the work. Without packets it ends empty, so that time advances for the layers above.
/// Invariant at the end: captured = received − dropped, for a device that the kernel does not count twice. So the
/// kernel takes nothing between opening and filtering, and nothing after the end is asked for.
package final class CaptureDevice: CaptureSource {
  private enum Phase: Equatable {
    case running
    /// Draining the kernel's buffer; `since` is when it last held packets.
    case draining(since: Int64)
    case over
  }

  /// After its first packet.
  private static let gathering: Int64 = 80_000_000
  private static let idle: Int64 = 50_000_000
  /// Of a window, before it is left: the four before the newest then hold as much as those of a file.
  private static let filling = 320 << 10
  /// Of a window, besides the longest packet.
  private static let leastRoom = 128 << 10
  /// Longer than the kernel keeps a block that is not full.
  private static let quiet: Int64 = 60_000_000
  private static let countingInterval: Int64 = 200_000_000
  /// A packet is stamped before it can be read, by no more than this.
  private static let stampingDelay: Int64 = 1_000_000_000

  package private(set) var info: CaptureInfo
  package private(set) var clock: Timestamp?
  package var warning: String? { handle.warning }
  private let handle: DeviceHandle
  private let options: DeviceOptions
  private let status: DeviceStatus
  private let began: Int64
  private var phase = Phase.running
  /// Bytes of the windows that the next one goes on from. What is kept of delivered bytes to compare copies with is counted
  /// in windows; many that are almost empty would be soon forgotten.
  private var carried: [UInt8] = []
  private var number: UInt64 = 0
  private var bytes: UInt64 = 0
  private var statistics: pcap_stat
  private var counts = DeviceStatus.Counts()
  private var countedAt: Int64
  /// The newest packet, and the newest when it was counted last.
  private var newest = PacketRef.none
  private var newestCounted = PacketRef.none

  /// Opens the device and begins to capture: what arrives from now on is kept.
  package init(_ options: DeviceOptions, _ status: DeviceStatus) throws(CaptureError) {
    self.options = options
    self.status = status
    handle = try DeviceHandle(options)
    info = CaptureInfo(format: CaptureFormat(.live, isNanosecond: handle.isNanosecond))
    var interface = CaptureInterface(
      linkType: handle.linkType, snapLength: UInt32(clamping: options.snapLength),
      clock: handle.isNanosecond ? .nanoseconds : .microseconds, name: options.name)
    interface.filter = options.filter
    info.interfaces = [interface]
    handle.shut()
    handle.discard()
    statistics = handle.statistics() ?? pcap_stat()
    try handle.setFilter(options.filter ?? "")
    // Each packet of the loopback passes twice; libpcap gives one of them, the kernel counts both.
    let isCountedTwice =
      options.name == "any" || (try? CaptureDevices.list().first { $0.name == options.name })?.isLoopback ?? false
    counts.received = isCountedTwice || !PacketDevices.countsFiltered ? nil : 0
    began = SystemClock.monotonic
    countedAt = began
  }

  package var progress: (read: UInt64, size: UInt64?) { (bytes, nil) }

  package func fill(_ window: inout PacketWindow) throws(CaptureError) -> Bool {
    window.packets.removeAll(keepingCapacity: true)
    guard phase != .over else { return false }
    let size = Self.filling + Self.leastRoom + longest
    if window.bytes.count < size { window.bytes = [UInt8](repeating: 0, count: size) }
    var filled = goOn(&window)
    var until = SystemClock.monotonic + Self.idle
    while true {
      let before = window.packets.count
      do throws(CaptureError) {
        try take(&window, &filled)
      } catch {
        fail(error)
      }
      let now = SystemClock.monotonic
      let hasTaken = window.packets.count > before
      if before == 0, hasTaken { until = now + Self.gathering }
      advance(at: now, hasTaken: hasTaken)
      if phase == .over || now >= until || filled > window.bytes.count - longest { break }
      let isReadable = handle.wait(nanoseconds: phase == .running ? until - now : Self.quiet / 3)
      // An error that is not reported yet must not keep a core busy.
      if isReadable, !hasTaken { SystemClock.pause(microseconds: 1_000) }
    }
    carry(window, filled)
    count(isFull: filled > window.bytes.count - longest)
    return phase != .over || !window.packets.isEmpty
  }

  /// Begins with what is carried; answers where the first packet goes.
  private func goOn(_ window: inout PacketWindow) -> Int {
    window.continues = !carried.isEmpty
    window.bytes.withUnsafeMutableBytes { $0.copyBytes(from: carried) }
    return carried.count
  }

  /// Carries a window on as long as a next one has room behind it.
  private func carry(_ window: PacketWindow, _ filled: Int) {
    guard !window.packets.isEmpty else { return }
    if filled <= window.bytes.count - longest - Self.leastRoom {
      carried.append(contentsOf: window.bytes[carried.count..<filled])
    } else {
      carried.removeAll(keepingCapacity: true)
    }
  }

  private var longest: Int { min(max(options.snapLength, 1), CaptureLimits.packet) }

  private func take(_ window: inout PacketWindow, _ filled: inout Int) throws(CaptureError) {
    // Out of the window meanwhile, as its bytes are written.
    var packets: [PacketRecord] = []
    swap(&packets, &window.packets)
    defer { swap(&packets, &window.packets) }
    let scale: Int64 = handle.isNanosecond ? 1 : 1_000
    let limit = options.packetLimit.map { $0 - number } ?? .max
    var failure: CaptureError?
    window.bytes.withUnsafeMutableBytes { buffer in
      do throws(CaptureError) {
        try handle.take(into: buffer, &filled, longest: longest, limit: limit) { header, offset in
          number &+= 1
          let captured = min(Int(header.caplen), longest)
          bytes &+= UInt64(captured)
          newest = PacketRef(
            number: number,
            time: Timestamp(
              nanoseconds: Int64(header.ts.tv_sec) &* 1_000_000_000 &+ Int64(header.ts.tv_usec) &* scale))
          packets.append(
            PacketRecord(
              number: number, time: newest.time,
              offset: offset, capturedLength: captured, wireLength: max(Int(header.len), captured),
              linkType: handle.linkType, interface: 0))
        }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }

  /// Whether it goes on.
  private func advance(at now: Int64, hasTaken: Bool) {
    if let limit = options.packetLimit, number >= limit { phase = .over }
    switch phase {
    case .running:
      let isDue = options.duration.map { now - began >= $0 } ?? false
      guard isDue || status.isStopping else { return }
      handle.shut()
      phase = .draining(since: now)
    case .draining(let since):
      if hasTaken { phase = .draining(since: now) } else if now - since > Self.quiet { phase = .over }
    case .over: break
    }
  }

  private func fail(_ error: CaptureError) {
    phase = .over
    info.note(.interrupted(what: error.what))
    status.fail(error)
  }

  // MARK: Counts

  private func count(isFull: Bool) {
    let now = SystemClock.monotonic
    let isEmptied = !isFull && handle.isStampedByHost
    clock = isEmptied ? Timestamp(nanoseconds: SystemClock.sinceEpoch - Self.stampingDelay) : nil
    counts.captured = number
    if phase == .over || now - countedAt >= Self.countingInterval {
      countedAt = now
      readStatistics()
    }
    status.update(counts)
  }

  /// libpcap's counts have 32 bits and begin again at zero.
  private func readStatistics() {
    guard let now = handle.statistics() else { return }
    if let received = counts.received { counts.received = received &+ UInt64(now.ps_recv &- statistics.ps_recv) }
    let dropped = UInt64(now.ps_drop &- statistics.ps_drop)
    let droppedByDevice = UInt64(now.ps_ifdrop &- statistics.ps_ifdrop)
    counts.dropped &+= dropped
    counts.droppedByDevice &+= droppedByDevice
    noteLoss(dropped &+ droppedByDevice)
    statistics = now
    info.interfaces[0].received = counts.received
    info.interfaces[0].droppedBySystem = counts.dropped
    info.interfaces[0].droppedByInterface = counts.droppedByDevice
  }
}

extension CaptureDevice {
  /// Packets dropped since the last count. Packets that found a full buffer would have come after those in it: they
  /// are missing later than they are counted, so a loss reaches back to the count before, and up to the newest.
  private func noteLoss(_ packets: UInt64) {
    defer { newestCounted = newest }
    guard packets > 0 else { return }
    if info.losses.count == CaptureLimits.losses {
      info.losses[info.losses.count - 1].packets &+= packets
      info.losses[info.losses.count - 1].before = newest
    } else {
      info.losses.append(CaptureLoss(packets: packets, after: newestCounted, before: newest))
    }
  }
}
