import Glibc
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
    signal(SIGTERM) { _ in Interruption.raise() }
    // Under nohup SIGHUP stays ignored.
    if !isIgnored(SIGHUP) { signal(SIGHUP) { _ in Interruption.raise() } }
    signal(SIGUSR1) { _ in CountRequest.raise() }
  }

  private static func isIgnored(_ number: CInt) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    // SIG_IGN is a function in name only.
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }
}
