#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The signals that the program knows.
package enum Signal: Sendable {
  case interrupt
  case terminate
  case hangUp
  case user1
  case brokenPipe

  private var number: CInt {
    switch self {
    case .interrupt: SIGINT
    case .terminate: SIGTERM
    case .hangUp: SIGHUP
    case .user1: SIGUSR1
    case .brokenPipe: SIGPIPE
    }
  }

  package func ignore() {
    signal(number, SIG_IGN)
  }

  /// `body` runs in the middle of anything: it may only set flags and write to descriptors.
  package func handle(_ body: @convention(c) (CInt) -> Void) {
    signal(number, body)
  }

  /// Whether whoever started the program said so.
  package var isIgnored: Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    #if canImport(Darwin)
      let handler = action.__sigaction_u.__sa_handler
    #elseif canImport(Musl)
      let handler = action.__sa_handler.sa_handler
    #else
      let handler = action.__sigaction_handler.sa_handler
    #endif
    // SIG_IGN is a function in name only.
    return unsafeBitCast(handler, to: Int.self) == 1
  }
}
