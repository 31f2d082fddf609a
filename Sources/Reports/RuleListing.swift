import Events

/// Rules for people and programs, from the same entries the findings come from.
package enum RuleListing {
  /// One line per rule.
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
    if !info.thresholds.isEmpty {
      block.line()
      block.line("Compared with:")
      for threshold in info.thresholds {
        let value = "  \(threshold.name)  \(threshold.words(threshold.standard))  "
        block.paragraph(threshold.meaning, indent: "    ", first: value, width: width)
      }
    }
    if let table = info.table { write(table, to: &block, width: width) }
    if !info.specifications.isEmpty {
      block.line()
      block.line("References:")
      for reference in info.specifications { block.line("  \(reference.name)  \(reference.link)") }
    }
    return String(decoding: block.bytes, as: UTF8.self)
  }

  /// One paragraph per row, because cells are sentences and too long for columns of a terminal.
  private static func write(_ table: RuleTable, to block: inout TextBlock, width: Int) {
    block.line()
    block.line("\(table.title):")
    let label = table.columns.map(\.count).max() ?? 0
    var above = ""
    for row in table.rows {
      guard let name = row.first else { continue }
      if name == above { block.line() } else { block.paragraph(name, indent: "    ", first: "  ", width: width) }
      above = name
      for (column, cell) in zip(table.columns, row).dropFirst() where !cell.isEmpty {
        let first = "    \(column.padded(to: label))  "
        block.paragraph(cell, indent: String(repeating: " ", count: first.count), first: first, width: width)
      }
    }
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
          if !info.thresholds.isEmpty {
            rule.array("thresholds") { list in
              for threshold in info.thresholds {
                list.object { entry in
                  entry.field("name", threshold.name)
                  entry.field("unit", threshold.unit.rawValue)
                  entry.field("value", threshold.standard)
                  entry.field("meaning", threshold.meaning)
                }
              }
            }
          }
          rule.field("since", info.since)
          if let table = info.table {
            rule.array("table") { rows in
              for row in table.rows {
                rows.object { cells in
                  for (column, cell) in zip(table.columns, row) where !cell.isEmpty {
                    cells.field(FieldName(column), cell)
                  }
                }
              }
            }
          }
        }
      }
    }
    json.endLine()
    return String(decoding: json.bytes, as: UTF8.self)
  }
}
