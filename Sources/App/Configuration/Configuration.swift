import Events
import JSON5

/// Where a value came from.
enum Origin: Equatable, Sendable, CustomStringConvertible {
  case standard
  case file(String, line: Int)
  case flag(String)

  var description: String {
    switch self {
    case .standard: "default"
    case .file(let path, let line): "\(path):\(line)"
    case .flag(let name): name
    }
  }
}

struct Setting<Value: Sendable>: Sendable {
  var value: Value
  var origin = Origin.standard
}

/// The configuration: its file, overridden by flags.
struct Configuration: Sendable {
  /// The severity for findings of a rule; nil disables it.
  struct SeverityChoice: Sendable {
    /// Of rule ids.
    var prefix: String
    var severity: Severity?
    var origin: Origin
  }

  struct ThresholdChoice: Sendable {
    var threshold: Threshold
    var value: Int64
    var origin: Origin
  }

  /// A condition on the document's figures, as it was written.
  struct Assertion: Sendable {
    var text: String
    var origin: Origin
  }

  /// The file that was read.
  var path: String?
  var select = Setting<[String]>(value: [])
  var ignore = Setting<[String]>(value: [])
  var failOn = Setting<FailOn?>(value: nil)
  var severities: [SeverityChoice] = []
  var thresholds: [ThresholdChoice] = []
  var ignores: [IgnoreEntry] = []
  var assertions: [Assertion] = []
}

extension AnalyzeOptions {
  /// What other commands than check take from the configuration: what a rule measures against is the same in each. What
  /// is hidden and what fails is the business of check.
  mutating func readThresholds(_ console: Console) throws(Stop) {
    check.configuration.thresholds = try ConfigurationFile.configuration(check, console).thresholds
  }
}

extension Configuration {
  /// Flags win over the file, each as a whole.
  mutating func override(with options: AnalyzeOptions) {
    if !options.select.isEmpty { select = Setting(value: options.select, origin: .flag("--select")) }
    if !options.ignore.isEmpty { ignore = Setting(value: options.ignore, origin: .flag("--ignore")) }
    if let level = options.check.failOn { failOn = Setting(value: level, origin: .flag("--fail-on")) }
  }

  /// The severity that the longest fitting prefix names; the outer nil where none does.
  func severity(of rule: RuleID) -> Severity?? {
    severities.filter { rule.text.hasPrefix($0.prefix) }.max { $0.prefix.utf8.count < $1.prefix.utf8.count }?.severity
  }

  var thresholdValues: Thresholds {
    var values = Thresholds()
    for choice in thresholds { values.set(choice.threshold, choice.value) }
    return values
  }

  var policy: CheckPolicy {
    CheckPolicy(
      failOn: failOn.value, selected: select.value,
      weighted: severities.filter { $0.severity != nil }.map(\.prefix))
  }
}
