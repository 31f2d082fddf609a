import Citation
import Platform

/// Packets that another program captures and writes to standard input, as they come.
///
/// It ends as a device does, by count or time, and with the pipe. The clock is that of the packets, and goes on from the
/// newest while none comes: how far it is from the clock here is not known.
package final class PipedPackets: CaptureSource {
  private static let pause: UInt32 = 20_000
  /// A packet comes no later than this, if the other program hands each on.
  private static let delay: Int64 = 1_000_000_000

  private let file: CaptureFile
  private let options: DeviceOptions
  private let status: DeviceStatus
  private let began = SystemClock.monotonic
  private var counts = DeviceStatus.Counts()
  private var newest: (time: Timestamp, cameAt: Int64)?

  /// Waits for the header.
  package init(_ options: DeviceOptions, _ status: DeviceStatus) throws(CaptureError) {
    self.options = options
    self.status = status
    file = try CaptureFile(path: "-", filter: options.filter)
  }

  package var info: CaptureInfo { file.info }
  package var progress: (read: UInt64, size: UInt64?) { (file.progress.read, nil) }

  package func fill(_ window: inout PacketWindow) throws(CaptureError) -> Bool {
    window.packets.removeAll(keepingCapacity: true)
    guard goesOn else { return false }
    // Empty for now, so that the end can be asked for.
    guard file.isReady else {
      SystemClock.pause(microseconds: Self.pause)
      return true
    }
    guard try file.fill(&window) else { return false }
    if let limit = options.packetLimit {
      window.packets.removeLast(max(0, window.packets.count - Int(clamping: limit &- min(limit, counts.captured))))
    }
    counts.captured &+= UInt64(window.packets.count)
    status.update(counts)
    if let last = window.packets.last { newest = (last.time, SystemClock.monotonic) }
    return true
  }

  package var clock: Timestamp? {
    newest.map { $0.time.advanced(by: SystemClock.monotonic - $0.cameAt - Self.delay) }
  }

  private var goesOn: Bool {
    if status.isStopping { return false }
    if let limit = options.packetLimit, counts.captured >= limit { return false }
    return options.duration.map { SystemClock.monotonic - began < $0 } ?? true
  }
}
