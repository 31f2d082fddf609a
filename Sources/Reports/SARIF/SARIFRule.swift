import Events

extension JSONWriter {
  /// A rule as SARIF's reportingDescriptor. Of a rule that this program does not know only the name.
  mutating func sarifRule(_ id: String, _ info: RuleInfo?) {
    object { json in
      json.field("id", id)
      guard let info else { return }
      json.sarifText("shortDescription", info.summary)
      json.sarifText("fullDescription", info.explanation)
      json.object("help") { help in
        help.field("text", SARIFText.message(Self.help(info)))
        help.field("markdown", Self.markdownHelp(info))
      }
      json.field("helpUri", info.specifications.first?.link)
      json.object("defaultConfiguration") { $0.field("level", info.severity.name) }
      json.object("properties") { properties in
        properties.field("tags", [String(info.id.family)])
        properties.field("precision", info.confidence.name)
        properties.field("problem.severity", info.severity == .note ? "recommendation" : info.severity.name)
      }
    }
  }

  mutating func sarifText(_ key: FieldName, _ text: String) {
    object(key) { $0.field("text", SARIFText.message(text)) }
  }

  private static func sections(_ info: RuleInfo) -> [(title: String, text: String)] {
    [("What happens", info.explanation), ("The evidence", info.evidence), ("What to do", info.fix)]
  }

  private static func help(_ info: RuleInfo) -> String {
    let sections = sections(info).map { "\($0.title): \($0.text)" }
    let references = info.specifications.map { "\($0.name): \($0.link)" }
    return (sections + references).joined(separator: "\n\n")
  }

  private static func markdownHelp(_ info: RuleInfo) -> String {
    let sections = sections(info).map { "**\($0.title).** \(SARIFText.markdown($0.text))" }
    let references = info.specifications.map { "- [\(SARIFText.markdown($0.name))](\($0.link))" }
    return (sections + (references.isEmpty ? [] : [references.joined(separator: "\n")])).joined(separator: "\n\n")
  }
}
