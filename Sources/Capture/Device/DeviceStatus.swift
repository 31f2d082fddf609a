import Synchronization

/// Status of a running capture, which can be read and stopped from outside.
package final class DeviceStatus: Sendable {
  package struct Counts: Sendable, Equatable {
    /// Packets handed on.
    package var captured: UInt64 = 0
    /// Packets that passed the filter, lost ones included; nil where the kernel counts some twice.
    package var received: UInt64?
    /// Dropped because the buffer was full.
    package var dropped: UInt64 = 0
    /// Dropped by the device itself.
    package var droppedByDevice: UInt64 = 0

    package init() {}
  }

  private let counts = Mutex(Counts())
  private let failed = Mutex<CaptureError?>(nil)
  private let stopping = Atomic(false)
  private let isAskedToStop: @Sendable () -> Bool

  /// `isAskedToStop` is read many times per second.
  package init(_ isAskedToStop: @escaping @Sendable () -> Bool = { false }) {
    self.isAskedToStop = isAskedToStop
  }

  package var current: Counts { counts.withLock { $0 } }
  /// The error that ended reading, if any.
  package var failure: CaptureError? { failed.withLock { $0 } }

  /// Requests the end: packets in the kernel's buffer are read, and nothing after them.
  package func stop() { stopping.store(true, ordering: .relaxed) }
  package var isStopping: Bool { stopping.load(ordering: .relaxed) || isAskedToStop() }

  func update(_ counts: Counts) { self.counts.withLock { $0 = counts } }

  /// The first failure is the cause of those that follow.
  package func fail(_ error: CaptureError) { failed.withLock { $0 = $0 ?? error } }
}
