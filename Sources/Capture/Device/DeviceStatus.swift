import Synchronization

/// What has become of a capture, to be looked at and ended from outside while a task reads it.
package final class DeviceStatus: Sendable {
  package struct Counts: Sendable, Equatable {
    /// Packets handed on.
    package var captured: UInt64 = 0
    /// Packets that passed the filter, lost ones included; nil where the kernel counts some twice.
    package var received: UInt64?
    /// Lost because nobody took them out of the buffer in time.
    package var dropped: UInt64 = 0
    /// Lost by the device itself.
    package var droppedByDevice: UInt64 = 0

    package init() {}
  }

  private let counts = Mutex(Counts())
  private let failed = Mutex<CaptureError?>(nil)
  private let stopping = Atomic(false)
  private let isAskedToStop: @Sendable () -> Bool

  /// `isAskedToStop` is asked many times a second.
  package init(_ isAskedToStop: @escaping @Sendable () -> Bool = { false }) {
    self.isAskedToStop = isAskedToStop
  }

  package var current: Counts { counts.withLock { $0 } }
  /// Why reading ended, where it did so against everybody's will.
  package var failure: CaptureError? { failed.withLock { $0 } }

  /// Asks for the end: what the kernel holds is read, and nothing after it.
  package func stop() { stopping.store(true, ordering: .relaxed) }
  package var isStopping: Bool { stopping.load(ordering: .relaxed) || isAskedToStop() }

  func update(_ counts: Counts) { self.counts.withLock { $0 = counts } }

  /// The first failure is the cause of those that follow.
  package func fail(_ error: CaptureError) { failed.withLock { $0 = $0 ?? error } }
}
