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
  /// The running maximum of packet times at the end of this window: everything up to it has been read.
  package var clock = Timestamp(nanoseconds: .min)
  /// The time now, of packets as they come.
  package var now: Timestamp?
  /// What name servers said in it.
  package var answers: [NameAnswer] = []
  /// Where packets were lost since the window before.
  package var losses: [CaptureLoss] = []
  /// Secrets of TLS, where the capture brought some so far.
  package var keyLog: KeyLog?

  package init() {}
}

/// The place of a window, which is filled here and read elsewhere in turn.
///
/// Readers take the contents out, which copies nothing as long as they let go of them before the next filling.
final class WindowSlot: Sendable {
  let window = Mutex(Window())

  var contents: Window { window.withLock { $0 } }
}
