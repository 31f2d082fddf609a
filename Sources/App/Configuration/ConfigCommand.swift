import Arguments
import Events
import Reports
import Rules

/// `streamscope config`: what a check would do, and why.
enum ConfigCommand {
  static let command = Command<AnalyzeOptions>(
    "config", summary: "show the configuration, and where each value comes from", synopsis: ["[OPTION]..."],
    details: [
      """
      The configuration is the file .streamscope.json5 in the working folder or the nearest one above it: JSON with \
      comments, trailing commas and keys without quotes. Its keys are select and ignore (lists of rule id prefixes), \
      severity ({rule: "error", "warning", "note" or "off"}), thresholds ({name: "250ms"}; names as below), ignores (a list \
      of {rule, host, path, connection, reason, expires}: patterns with * and ?, a reason, which is required, and a last \
      day), assertions (a list of texts) and failOn. Options on the command line override it. The thresholds hold for \
      every command that reads captures, the other keys for check.
      """
    ],
    flags: AnalyzeCommand.flags(["select", "only", "ignore", "config", "isolated"]) + CheckCommand.flags(["fail-on"]),
    examples: [Example("streamscope config --isolated", "The defaults.")])

  static func run(_ arguments: [String], _ console: Console) throws(Stop) -> ExitCode {
    var options = AnalyzeOptions()
    guard let operands = try command.operands(arguments, into: &options, console) else { return .success }
    guard operands.isEmpty else { throw Stop("config takes no file; name the configuration with --config") }
    var configuration = try ConfigurationFile.configuration(options.check, console)
    configuration.override(with: options)
    let rows = rows(configuration)
    let widths = (0..<2).map { column in rows.map { $0[column].count }.max() ?? 0 }
    var text = ""
    for row in rows {
      let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
      text += (cells + [row[2]]).joined(separator: "   ") + "\n"
    }
    try console.output.print(text)
    return .success
  }

  /// Name, value, origin.
  private static func rows(_ configuration: Configuration) -> [[String]] {
    let list = { (values: [String], empty: String) in values.isEmpty ? empty : values.joined(separator: ", ") }
    var rows = [
      ["select", list(configuration.select.value, "all rules"), "\(configuration.select.origin)"],
      ["ignore", list(configuration.ignore.value, "no rule"), "\(configuration.ignore.origin)"],
      ["failOn", configuration.failOn.value?.rawValue ?? "warning", "\(configuration.failOn.origin)"],
    ]
    for choice in configuration.severities {
      rows.append(["severity \(choice.prefix)", choice.severity?.name ?? "off", "\(choice.origin)"])
    }
    for threshold in Registry.thresholds {
      let choice = configuration.thresholds.first { $0.threshold == threshold }
      let value = threshold.words(choice?.value ?? threshold.standard)
      rows.append(["thresholds \(threshold.name)", value, "\(choice?.origin ?? .standard)"])
    }
    for entry in configuration.ignores {
      let until = entry.expires.map { ", until \($0.text)" } ?? ""
      rows.append(["ignores \(entry.rule)", entry.reason + until, "\(entry.origin)"])
    }
    for assertion in configuration.assertions { rows.append(["assertions", assertion.text, "\(assertion.origin)"]) }
    return rows.map { $0.map { EscapedText.text($0) } }
  }
}
