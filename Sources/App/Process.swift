import Engine
import Events
import Platform

/// The process around the program: its descriptors, terminal and signals.
package enum Process {
  @MainActor package static func main() async -> Never {
    Program.shareMemory()
    // A closed pipe is an error of write(2) like any other, and ends the program quietly.
    Signal.brokenPipe.ignore()
    Signal.interrupt.handle { _ in Interruption.raise() }
    let width = Terminal.size.flatMap { $0.columns > 0 ? $0.columns : nil }
    let console = Console(
      output: .descriptor(.output, name: "standard output"), errors: .descriptor(.errors, name: "standard error"),
      environment: environment, isOutputTerminal: Terminal.isTerminal(.output),
      isErrorTerminal: Terminal.isTerminal(.errors), width: width, folder: Program.folder)
    Faults.install(console)
    let arguments = Array(Swift.CommandLine.arguments.dropFirst())
    // Here, where there is one thread: see LiveArming.
    let arming = LiveArming.before(arguments, console)
    Program.exit(await App.run(arguments, console, arming).rawValue)
  }

  /// The variables the program reads.
  private static var environment: [String: String] {
    var values: [String: String] = [:]
    for name in [
      "NO_COLOR", "LC_ALL", "LC_CTYPE", "LANG", "TERM", "SSLKEYLOGFILE", "SUDO_UID", "SUDO_GID", "SUDO_USER",
      JobSummary.variable, Faults.variable, FaultTrial.variable,
    ] {
      if let value = Program.variable(name) { values[name] = value }
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
      Program.exitAtOnce(ExitCode.interrupted.rawValue)
    }
    flag.raise()
  }
}
