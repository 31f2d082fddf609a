import Platform
import Synchronization

/// Raised by SIGUSR1.
enum CountRequest {
  private static let asked = Atomic(false)
  static func raise() { asked.store(true, ordering: .relaxed) }
  static func take() -> Bool { asked.exchange(false, ordering: .relaxed) }
}

/// Signals besides SIGINT that end a capture: the report still follows.
enum LiveSignals {
  static func install() {
    Signal.terminate.handle { _ in Interruption.raise() }
    // Under nohup SIGHUP stays ignored.
    if !Signal.hangUp.isIgnored { Signal.hangUp.handle { _ in Interruption.raise() } }
    Signal.user1.handle { _ in CountRequest.raise() }
  }
}
