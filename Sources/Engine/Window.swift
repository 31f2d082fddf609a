import Capture
import Citation
import Decode
import Events
import Synchronization
import TLSProtection

/// The packets of a window that concern one lane, in the order of the capture.
package struct LaneBatch: Sendable {
  package var segments: [TCPSegment] = []
  package var errors: [ICMPError] = []

  mutating func removeAll() {
    segments.removeAll(keepingCapacity: true)
    errors.removeAll(keepingCapacity: true)
  }
}

/// A refill of packets, decoded and dealt to the lanes.
///
/// Segments point into `raw.bytes`, or into `reassembled` when they came in IP fragments.
package struct Window: Sendable {
  package var raw = PacketWindow()
  package var reassembled: [UInt8] = []
  package var batches = [LaneBatch](repeating: LaneBatch(), count: Lane.count)
  /// The running maximum of packet times at each packet.
  package var clocks: [Timestamp] = []
  /// The running maximum of packet times at the end of this window: everything up to it has been read.
  package var clock = Timestamp(nanoseconds: .min)
  /// The time now, of packets as they come.
  package var now: Timestamp?
  /// What name servers said in it.
  package var answers: [NameAnswer] = []
  /// Where packets were lost since the window before.
  package var losses: [CaptureLoss] = []
  /// Hosts that became silent in it, or were heard again.
  package var silences: [HostSilence] = []
  /// Secrets of TLS, where the capture brought some so far.
  package var keyLog: KeyLog?

  package init() {}
}

/// Some packets of a window in a row: lanes do their shares slice by slice where much is told of few packets.
package struct WindowSlice: Sendable {
  package let isFirst: Bool
  /// The number of its last packet.
  package let through: UInt64
  /// The running maximum of packet times at its end.
  package let clock: Timestamp
  package let packets: Range<Int>

  /// `count` packets from a place on, or what is left.
  package init(_ window: Window, from start: Int, count: Int) {
    let all = window.raw.packets.count
    let end = count < all - start ? start + count : all
    packets = start..<end
    isFirst = start == 0
    let isLast = end == all
    through = isLast ? .max : window.raw.packets[end - 1].number
    clock = isLast ? window.clock : window.clocks[end - 1]
  }
}

/// The place of a window, which is filled here and read elsewhere in turn.
///
/// Readers take the contents out, which copies nothing as long as they let go of them before the next filling.
final class WindowSlot: Sendable {
  let window = Mutex(Window())

  var contents: Window { window.withLock { $0 } }
}
