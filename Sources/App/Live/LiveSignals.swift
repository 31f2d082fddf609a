import Platform
import Synchronization

/// Raised by SIGUSR1.
enum CountRequest {
  private static let asked = Atomic(false)
  static func raise() { asked.store(true, ordering: .relaxed) }
  static func take() -> Bool { asked.exchange(false, ordering: .relaxed) }
}

/// Raised by SIGHUP, where there are files that can be opened again. Elsewhere it ends the capture.
enum ReopenRequest {
  private static let isOffered = Atomic(false)
  private static let asked = Atomic(false)

  static func offer() { isOffered.store(true, ordering: .relaxed) }

  /// From a signal handler.
  static func raise() {
    if isOffered.load(ordering: .relaxed) { asked.store(true, ordering: .relaxed) } else { Interruption.raise() }
  }

  /// The end of a session has the same signal, and ends the capture: then its terminal is gone.
  static func take() -> Bool {
    guard asked.exchange(false, ordering: .relaxed) else { return false }
    guard !Terminal.hasHungUp else {
      Interruption.raise()
      return false
    }
    return true
  }
}

/// Signals besides SIGINT that end a capture, with the report, or ask it for something.
enum LiveSignals {
  static func install() {
    installEnds()
    Signal.user1.handle { _ in CountRequest.raise() }
  }

  /// Those that end what has no end of its own.
  static func installEnds() {
    Signal.terminate.handle { _ in Interruption.raise() }
    // Under nohup SIGHUP stays ignored.
    if !Signal.hangUp.isIgnored { Signal.hangUp.handle { _ in ReopenRequest.raise() } }
  }
}
