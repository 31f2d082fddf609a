import Arguments
import Assets
import Events
import Platform

/// `streamscope demo`: the report on a built-in capture.
enum DemoCommand {
  static let command = Command<AnalyzeOptions>(
    "demo", summary: "analyse a built-in capture", synopsis: ["[OPTION]..."],
    details: [
      """
      Shows what a report looks like, on a small made-up capture: an app shows nothing for almost four seconds, although the \
      first bytes of the response arrive after half a millisecond. Any output format can be chosen.
      """
    ],
    flags: AnalyzeCommand.flags([
      "output", "json", "lint", "timeline", "time", "color", "no-redact", "config", "isolated", "verbose", "quiet",
    ]),
    examples: [
      Example("streamscope demo", "The report."),
      Example("streamscope demo -o html=demo.html", "The same as a page."),
    ])

  static func run(_ arguments: [String], _ console: Console) async throws(Stop) -> ExitCode {
    var options = AnalyzeOptions()
    let operands = try command.operands(arguments, into: &options, console) { (options, files) throws(UsageError) in
      guard files.isEmpty else { throw UsageError("demo takes no file") }
      try options.check([])
    }
    guard operands != nil else { return .success }
    let file = try unpacked(console)
    defer { withExtendedLifetime(file) {} }
    return try await AnalyzeCommand.run([file.path], options, console, shownAs: "demo.pcap")
  }

  /// The capture as a file that disappears with the program.
  private static func unpacked(_ console: Console) throws(Stop) -> UnnamedFile {
    let folder = console.environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    do throws(SystemError) {
      return try UnnamedFile(in: folder, named: "streamscope-demo", Assets.demo)
    } catch {
      throw Stop("cannot unpack the built-in capture in \(folder): \(error)")
    }
  }
}
