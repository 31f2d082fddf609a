import Engine
import Events
import Glibc

/// The process around the program: its descriptors, terminal and signals.
package enum Process {
  @MainActor package static func main() async -> Never {
    // A closed pipe is an error of write(2) like any other, and ends the program quietly.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGINT) { _ in Interruption.raise() }
    let console = Console(
      output: .descriptor(STDOUT_FILENO, name: "standard output"),
      errors: .descriptor(STDERR_FILENO, name: "standard error"), environment: environment,
      isOutputTerminal: isatty(STDOUT_FILENO) == 1, isErrorTerminal: isatty(STDERR_FILENO) == 1, width: terminalWidth,
      folder: folder)
    let arguments = Array(Swift.CommandLine.arguments.dropFirst())
    // Here, where there is one thread: see LiveArming.
    let arming = LiveArming.before(arguments, console)
    exit(await App.run(arguments, console, arming).rawValue)
  }

  private static var folder: String? {
    guard let path = getcwd(nil, 0) else { return nil }
    defer { free(path) }
    return String(cString: path)
  }

  private static var terminalWidth: Int? {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// The variables the program reads.
  private static var environment: [String: String] {
    var values: [String: String] = [:]
    for name in [
      "NO_COLOR", "LC_ALL", "LC_CTYPE", "LANG", "TERM", "SSLKEYLOGFILE", "SUDO_UID", "SUDO_GID", "SUDO_USER",
      JobSummary.variable,
    ] {
      if let value = getenv(name) { values[name] = String(cString: value) }
    }
    return values
  }
}

/// Raised by SIGINT: what was read is reported, and the exit code shows that it is incomplete.
enum Interruption {
  static let flag = StopFlag()

  /// From a signal handler; the second time ends at once.
  static func raise() {
    if flag.isRaised {
      TopScreen.leave()
      _exit(ExitCode.interrupted.rawValue)
    }
    flag.raise()
  }
}
