import Arguments
import Citation
import Conditions
import Events
import JSON5
import Reports
import Rules

/// Builds a configuration from a parsed file. Unknown keys are errors: a key that is silently ignored would look as if it
/// worked.
struct ConfigurationReader {
  /// The error, and its place.
  struct Mistake: Error {
    var place: JSON5Node.Place
    var what: String

    init(_ place: JSON5Node.Place, _ what: String) {
      self.place = place
      self.what = what
    }
  }

  private enum Key: String, CaseIterable { case select, ignore, severity, thresholds, ignores, assertions, failOn }
  private enum EntryKey: String, CaseIterable { case rule, host, path, connection, reason, expires }
  private enum SeverityWord: String, CaseIterable { case error, warning, note, off }

  /// The limit of each list, because each finding is compared with all entries.
  private static let entryLimit = 1_000

  let path: String

  func read(_ root: JSON5Node) throws(Mistake) -> Configuration {
    var configuration = Configuration()
    configuration.path = path
    guard let fields = root.fields else { throw Mistake(root.place, "the configuration has to be an object: { … }") }
    for field in fields {
      let value = field.value
      switch try key(field, Key.self) {
      case .select: configuration.select = Setting(value: try rules(value), origin: origin(value))
      case .ignore: configuration.ignore = Setting(value: try rules(value), origin: origin(value))
      case .severity: configuration.severities = try severities(value)
      case .thresholds: configuration.thresholds = try thresholds(value)
      case .ignores:
        for element in try elements(value) { configuration.ignores.append(try entry(element)) }
      case .assertions:
        for element in try elements(value) {
          configuration.assertions.append(.init(text: try text(element), origin: origin(element)))
        }
      case .failOn: configuration.failOn = Setting(value: try word(value, FailOn.self), origin: origin(value))
      }
    }
    return configuration
  }

  private func origin(_ node: JSON5Node) -> Origin { .file(path, line: node.place.line) }

  // MARK: Entries

  private func severities(_ node: JSON5Node) throws(Mistake) -> [Configuration.SeverityChoice] {
    var choices: [Configuration.SeverityChoice] = []
    for field in try fields(node) {
      let prefix = try rule(field.key, field.place)
      let severity: Severity? =
        switch try word(field.value, SeverityWord.self) {
        case .error: .error
        case .warning: .warning
        case .note: .note
        case .off: nil
        }
      choices.append(.init(prefix: prefix, severity: severity, origin: origin(field.value)))
    }
    return choices
  }

  private func thresholds(_ node: JSON5Node) throws(Mistake) -> [Configuration.ThresholdChoice] {
    var choices: [Configuration.ThresholdChoice] = []
    for field in try fields(node) {
      guard let threshold = Registry.thresholds.first(where: { $0.name == field.key }) else {
        throw Mistake(
          field.place, "no threshold '\(field.key)'" + Self.near(field.key, Registry.thresholds.map(\.name)))
      }
      guard let written = field.value.string ?? field.value.number, let value = threshold.value(written),
        field.value.string != nil || threshold.unit == .count || threshold.unit == .percent
      else { throw Mistake(field.value.place, "\(threshold.name) needs \(threshold.unit.example)") }
      choices.append(.init(threshold: threshold, value: value, origin: origin(field.value)))
    }
    return choices
  }

  private func entry(_ node: JSON5Node) throws(Mistake) -> IgnoreEntry {
    var entry = IgnoreEntry(rule: "", reason: "", origin: origin(node))
    for field in try fields(node) {
      let text = try text(field.value)
      switch try key(field, EntryKey.self) {
      case .rule: entry.rule = try rule(text, field.value.place)
      case .host: entry.host = Pattern(text, ignoresCase: true)
      case .path: entry.path = Pattern(text, ignoresCase: false)
      case .connection: entry.connection = Pattern(text, ignoresCase: true)
      case .reason: entry.reason = text
      case .expires:
        guard let day = CivilDate(iso: text) else {
          throw Mistake(field.value.place, "expires needs a day such as \"2026-12-31\", not '\(text)'")
        }
        entry.expires = (day, text)
      }
    }
    if entry.rule.isEmpty { throw Mistake(node.place, "an entry of ignores needs a rule") }
    if entry.reason.allSatisfy(\.isWhitespace) { throw Mistake(node.place, "an entry of ignores needs a reason") }
    return entry
  }

  // MARK: Values

  private func rules(_ node: JSON5Node) throws(Mistake) -> [String] {
    var prefixes: [String] = []
    for element in try elements(node) { prefixes.append(try rule(try text(element), element.place)) }
    return prefixes
  }

  private func rule(_ prefix: String, _ place: JSON5Node.Place) throws(Mistake) -> String {
    guard !prefix.isEmpty, RuleCatalogue.has(prefix) else {
      throw Mistake(place, "no rule id starts with '\(prefix)'" + Self.near(prefix, Registry.all.map(\.id.text)))
    }
    return prefix
  }

  private func key<Choice: RawRepresentable & CaseIterable>(
    _ field: JSON5Node.Field, _ type: Choice.Type
  ) throws(Mistake) -> Choice where Choice.RawValue == String {
    guard let key = Choice(rawValue: field.key) else {
      throw Mistake(field.place, "unknown key '\(field.key)'" + Self.near(field.key, Choice.allCases.map(\.rawValue)))
    }
    return key
  }

  private func word<Choice: RawRepresentable & CaseIterable>(
    _ node: JSON5Node, _ type: Choice.Type
  ) throws(Mistake) -> Choice where Choice.RawValue == String {
    let all = Choice.allCases.map(\.rawValue)
    let text = try text(node)
    guard let choice = Choice(rawValue: text) else {
      throw Mistake(
        node.place, "one of \(all.joined(separator: ", ")) is expected, not '\(text)'" + Self.near(text, all))
    }
    return choice
  }

  private func text(_ node: JSON5Node) throws(Mistake) -> String {
    guard let text = node.string else { throw Mistake(node.place, "text in quotes is expected") }
    return text
  }

  private func elements(_ node: JSON5Node) throws(Mistake) -> [JSON5Node] {
    guard let elements = node.elements else { throw Mistake(node.place, "a list is expected: [ … ]") }
    guard elements.count <= Self.entryLimit else {
      throw Mistake(node.place, "more than \(Self.entryLimit) entries")
    }
    return elements
  }

  private func fields(_ node: JSON5Node) throws(Mistake) -> [JSON5Node.Field] {
    guard let fields = node.fields else { throw Mistake(node.place, "an object is expected: { … }") }
    guard fields.count <= Self.entryLimit else { throw Mistake(node.place, "more than \(Self.entryLimit) entries") }
    return fields
  }

  private static func near(_ typed: String, _ words: [String]) -> String {
    nearestWord(to: typed, among: words).map { "; did you mean \($0)?" } ?? ""
  }
}

extension Registry {
  /// All thresholds of rules, each once, by name.
  static let thresholds: [Threshold] = Set(all.flatMap(\.thresholds)).sorted { $0.name < $1.name }
}

extension Threshold {
  /// A figure as users write it; nil if it does not have this unit.
  fileprivate func value(_ text: String) -> Int64? {
    switch unit {
    case .nanoseconds: Quantity.value(text, in: Quantity.durations)
    case .bytes: Quantity.value(text, in: Quantity.sizes)
    case .count: Quantity.value(text, in: ["": 1])
    case .percent: Quantity.value(text, in: ["": 1, "%": 1])
    }
  }
}

extension Threshold.Unit {
  fileprivate var example: String {
    switch self {
    case .nanoseconds: "a duration such as \"250ms\" or \"1.5s\""
    case .bytes: "a size such as \"512B\" or \"64KiB\""
    case .count: "a number such as 5"
    case .percent: "a share such as \"20%\""
    }
  }
}
