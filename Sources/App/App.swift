// App is the program from argv to exit code: it reads the command line, opens captures, picks reporters and prints errors
// in one line. It is the only module that knows files, terminals and signals. All its inputs come through Console, so
// that the whole program can run inside a test.
import Arguments
import Events
import Reports
import Rules

/// What the program runs in.
package struct Console {
  package var output: OutputFile
  package var errors: OutputFile
  package var environment: [String: String]
  package var isOutputTerminal: Bool
  package var isErrorTerminal: Bool
  package var width: Int?
  /// Where it works; nil where no configuration is looked for.
  package var folder: String?

  package init(
    output: OutputFile, errors: OutputFile, environment: [String: String] = [:], isOutputTerminal: Bool = false,
    isErrorTerminal: Bool = false, width: Int? = nil, folder: String? = nil
  ) {
    self.output = output
    self.errors = errors
    self.environment = environment
    self.isOutputTerminal = isOutputTerminal
    self.isErrorTerminal = isErrorTerminal
    self.width = width
    self.folder = folder
  }
}

/// How the program ended; the numbers are part of its contract.
package enum ExitCode: Int32, Sendable {
  case success = 0
  /// Findings at or above what --fail-on names.
  case findings = 1
  /// Wrong usage, unreadable input, output that could not be written.
  case failure = 2
  case interrupted = 130
}

package enum App {
  package static let version = "0.1.0"

  /// Optional libraries this build was made with.
  package static var features: [String] {
    var features = ["libpcap"]
    #if Zlib
      features.append("zlib")
    #endif
    #if Brotli
      features.append("brotli")
    #endif
    #if Zstd
      features.append("zstd")
    #endif
    #if OpenSSL
      features.append("openssl")
    #endif
    return features
  }

  /// What formats made from documents need besides the documents.
  static func conversion(_ profile: SARIFProfile) -> ConversionContext {
    var context = ConversionContext(version: version, rules: Registry.all)
    context.sarifProfile = profile
    return context
  }

  /// Runs the program; `arguments` are without its name.
  /// `arming` is a live capture's, where that was prepared.
  package static func run(
    _ arguments: [String], _ console: Console, _ arming: Result<LiveArming, Stop>? = nil
  ) async -> ExitCode {
    do throws(Stop) {
      let code = try await dispatch(arguments, console, arming)
      try console.output.flushed()
      // What an internal error left unread may be what matters.
      return Faults.haveOccurred(console) && code != .interrupted ? .failure : code
    } catch {
      // Where it cannot be printed, the exit code is left.
      try? console.say(error)
      return error.code
    }
  }

  private static func dispatch(
    _ arguments: [String], _ console: Console, _ arming: Result<LiveArming, Stop>?
  ) async throws(Stop) -> ExitCode {
    let (command, rest) = CommandLine.program.select(arguments)
    switch command.name {
    case "rules": return try RulesCommand.run(rest, console)
    case "explain": return try ExplainCommand.run(rest, console)
    case "schema": return try SchemaCommand.run(rest, console)
    case "live": return try await LiveCommand.run(rest, console, arming)
    case "check": return try await CheckCommand.run(rest, console)
    case "compare": return try await CompareCommand.run(rest, console)
    case "config": return try ConfigCommand.run(rest, console)
    case "messages": return try await MessagesCommand.run(rest, console)
    case "demo": return try await DemoCommand.run(rest, console)
    case "completions": return try CompletionsCommand.run(rest, console)
    case "help": return try HelpCommand.run(rest, console)
    case "man": return try ManualCommand.run(rest, console)
    case "convert": return try ConvertCommand.run(rest, console)
    default: return try await AnalyzeCommand.run(rest, console)
    }
  }
}

extension Console {
  /// A line beside the output: something to know that is no reason to stop.
  func say(_ words: String) throws(Stop) { try say(Stop(words)) }

  func say(_ stop: Stop) throws(Stop) {
    guard let message = stop.message else { return }
    try errors.print(message)
    try errors.flushed()
  }
}

/// An early end of the run: the message, and the exit code.
package struct Stop: Error {
  var message: String?
  var code: ExitCode
  /// Why one capture could not be read, where others can; nil for what ends the run.
  var reason: String?

  /// `further` lines are shown below the message.
  init(_ message: String?, _ code: ExitCode = .failure, further: [String] = []) {
    // It may quote an argument from a glob over untrusted file names.
    self.message = message.map { message in
      (["streamscope: " + message] + further).map { EscapedText.text($0) + "\n" }.joined()
    }
    self.code = code
  }

  init(ofCapture reason: String) {
    self.init(reason)
    self.reason = reason
  }

  /// A pipe closed by its reader ends the program quietly, with success.
  init(_ error: ReportError) {
    self.init(error.isClosedPipe ? nil : error.what, error.isClosedPipe ? .success : .failure)
  }

  init(_ error: UsageError, _ command: CommandForm) {
    let help = "see '\(CommandLine.program.invocation(of: command)) --help'"
    self.init([error.message, error.hint, help].compactMap { $0 }.joined(separator: "; "))
  }
}
