import Events
import HTTPSemantics

/// One too many.
enum PseudoDuplicate: HeadRule {
  static let info = RuleInfo(
    id: "h2/pseudo-duplicate", severity: .error,
    summary: "A pseudo-header field stands twice.",
    explanation: """
      Which of the two counts is not defined: one hop routes by the first, the next by the second. The message \
      is malformed.
      """,
    evidence: "The second of them.",
    fix: "Sender: send each once. Proxy: reset the stream.",
    specifications: [.pseudoFields], since: "0.1")

  static func flaw(in section: FieldSection) -> HeadFlaw? {
    // A head says whether a name may be there twice.
    guard section.block.mayRepeat else { return nil }
    var seen: Set<String> = []
    for field in section.block.fields where section.block.isPseudo(field) {
      let name = section.name(field)
      if !seen.insert(name).inserted { return HeadFlaw(field, "\(name) stands twice") }
    }
    return nil
  }
}
