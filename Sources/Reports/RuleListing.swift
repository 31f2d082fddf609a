import Events

/// Rules for people and programs, from the same entries the findings come from.
package enum RuleListing {
  /// A rule a line.
  package static func lines(_ rules: [RuleInfo]) -> String {
    let width = rules.map { $0.id.text.count }.max() ?? 0
    return rules.map { "\($0.id.text.padded(to: width))  \($0.severity.name.padded(to: 7))  \($0.summary)\n" }.joined()
  }

  /// Everything about one rule.
  package static func page(_ info: RuleInfo, width: Int) -> String {
    var block = TextBlock()
    block.line("\(info.id)   \(info.severity.name), confidence \(info.confidence.name), since \(info.since)")
    block.paragraph(info.summary, indent: "", width: width)
    for (title, text) in [
      ("What happens", info.explanation), ("The evidence", info.evidence), ("What to do", info.fix),
    ] {
      block.line()
      block.line("\(title):")
      block.paragraph(text, indent: "  ", width: width)
    }
    if !info.specifications.isEmpty {
      block.line()
      block.line("References:")
      for reference in info.specifications { block.line("  \(reference.name)  \(reference.link)") }
    }
    return String(decoding: block.bytes, as: UTF8.self)
  }

  package static func json(_ rules: [RuleInfo]) -> String {
    var json = JSONWriter(.indented)
    json.array { list in
      for info in rules {
        list.object { rule in
          rule.field("id", info.id.text)
          rule.field("severity", info.severity.name)
          rule.field("confidence", info.confidence.name)
          rule.field("summary", info.summary)
          rule.field("explanation", info.explanation)
          rule.field("evidence", info.evidence)
          rule.field("fix", info.fix)
          rule.array("specifications") { references in
            for reference in info.specifications {
              references.object { entry in
                entry.field("name", reference.name)
                entry.field("link", reference.link)
              }
            }
          }
          rule.field("since", info.since)
        }
      }
    }
    json.endLine()
    return String(decoding: json.bytes, as: UTF8.self)
  }
}
