import Events

/// A short page in Markdown for the summary of a GitHub job.
package enum GitHubSummary {
  private static let rows = 20
  private static let longest = 300

  package static func markdown(_ documents: [DocumentNode]) -> String {
    let run = FindingRun(documents)
    var text = "### streamscope\n\n\(run.verdict)\n\n"
    for capture in run.captures {
      for problem in Annotation.problems(capture) { text += "- \(code(problem.message))\n" }
    }
    let found = run.hurting
    guard !found.isEmpty else { return text + (text.hasSuffix("\n\n") ? "" : "\n") }
    if !text.hasSuffix("\n\n") { text += "\n" }
    text += "| | rule | finding | capture |\n| --- | --- | --- | --- |\n"
    for item in found.prefix(rows) {
      let severity = item.finding.severity?.name ?? "warning"
      let cells = [severity, code(item.finding.rule), code(item.finding.message), code(item.capture.base)]
      text += "| \(cells.joined(separator: " | ")) |\n"
    }
    if found.count > rows { text += "\n\(Wording.count(UInt64(found.count - rows), "finding")) more.\n" }
    return text + "\n"
  }

  /// Text in which nothing is Markdown: a code span, without the two characters that could end it or its cell.
  static func code(_ text: String) -> String {
    let line = EscapedText.text(text).replacing("`", with: "'").replacing("|", with: "¦")
    let shown = line.count > longest ? line.prefix(longest) + "…" : line[...]
    return shown.allSatisfy({ $0 == " " }) ? "" : "` \(shown) `"
  }
}
