#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// What ends a process that made a mistake: a trap of Swift, memory that is not there, a stack that is used up, abort(3).
package enum Fault {
  private static let signals = [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT]
  private static let stackLength = 64 << 10

  /// `body` runs on the thread that failed, in the middle of anything, and must end the process: it may set flags, write to
  /// descriptors and call what POSIX allows in handlers. A fault in it ends the process by its signal. It takes the place of
  /// the handler of Swift's runtime, which prints where the program was: SWIFT_BACKTRACE=enable=yes keeps that one.
  package static func handle(_ body: @convention(c) (CInt) -> Void) {
    if Program.variable("SWIFT_BACKTRACE")?.contains("enable=yes") == true { return }
    _ = key
    for signal in signals {
      var action = sigaction()
      action.set(body)
      action.sa_mask = mask
      action.sa_flags = CInt(SA_ONSTACK)
      sigaction(signal, &action, nil)
    }
  }

  /// Gives the calling thread a stack for the handler: the one it works on may be what is used up.
  package static func prepareThread() {
    guard let key, pthread_getspecific(key) == nil, let memory = malloc(stackLength) else { return }
    var stack = stack_t()
    stack.ss_sp = memory
    stack.ss_size = stackLength
    guard sigaltstack(&stack, nil) == 0, pthread_setspecific(key, memory) == 0 else { return free(memory) }
  }

  /// Of a handler that starts another program: that one begins with the signals blocked that are.
  static func unblock() {
    var mask = mask
    pthread_sigmask(SIG_UNBLOCK, &mask, nil)
  }

  private static var mask: sigset_t {
    var mask = sigset_t()
    sigemptyset(&mask)
    for signal in signals { sigaddset(&mask, signal) }
    return mask
  }

  /// Under it each thread keeps its stack for the handler, until it ends.
  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    let isMade = pthread_key_create(&key) { memory in
      var none = stack_t()
      none.ss_flags = CInt(SS_DISABLE)
      sigaltstack(&none, nil)
      free(memory)
    }
    return isMade == 0 ? key : nil
  }()
}

extension sigaction {
  #if canImport(Darwin)
    fileprivate mutating func set(_ body: @convention(c) (CInt) -> Void) { __sigaction_u.__sa_handler = body }
  #elseif canImport(Musl)
    fileprivate mutating func set(_ body: @convention(c) (CInt) -> Void) { __sa_handler.sa_handler = body }
  #else
    fileprivate mutating func set(_ body: @convention(c) (CInt) -> Void) { __sigaction_handler.sa_handler = body }
  #endif
}
