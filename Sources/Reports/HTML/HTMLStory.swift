import Events

/// The verdict and the findings as plain markup, for browsers that run no scripts.
enum HTMLStory {
  /// Diagnoses of a document. More would not be read; the page with its script shows them all.
  private static let limit = 200

  static func write(_ documents: [DocumentNode], to page: inout HTMLText) {
    page.markup("<p>The charts of this page need JavaScript. Findings:</p>\n")
    for document in documents {
      page.markup("<h1>")
      page.text(file(document))
      page.markup("</h1>\n")
      let roots = document.elements("findings").map(DocumentFinding.init).filter { !$0.isLint && $0.causedBy == nil }
      let shown = DocumentFinding.worstFirst(roots) { $0 }.prefix(limit)
      page.markup("<p>")
      page.text(verdict(document, shown.first))
      page.markup("</p>\n")
      if !shown.isEmpty {
        page.markup("<ol>\n")
        for finding in shown { write(finding, to: &page) }
        page.markup("</ol>\n")
      }
      if roots.count > limit {
        page.markup("<p>")
        page.text("\(roots.count - limit) more are not shown.")
        page.markup("</p>\n")
      }
    }
  }

  /// The last part of the path: the folders are private.
  static func file(_ document: DocumentNode) -> String {
    let path = document["capture"]?.text("file") ?? "capture"
    return path.split(separator: "/").last.map(String.init) ?? path
  }

  private static func verdict(_ document: DocumentNode, _ worst: DocumentFinding?) -> String {
    if let worst { return "\(worst.severity?.name ?? "finding"): \(worst.message)" }
    if document["capture"]?.integer("packets") == 0 { return "The capture holds no packets." }
    if document["summary"]?.integer("connections") == 0 {
      return TextReporter.noConnection(opaque: UInt64(clamping: document["capture"]?.integer("opaque") ?? 0))
    }
    return "No problem found in what could be read."
  }

  private static func write(_ finding: DocumentFinding, to page: inout HTMLText) {
    page.markup("<li><p><b>")
    page.text(finding.rule)
    page.markup("</b> ")
    page.text(finding.connection.map { "#\($0): " } ?? "")
    page.text(finding.message)
    page.markup("</p>\n<ul>\n")
    for evidence in finding.node.elements("evidence") {
      page.markup("<li>")
      page.text(evidence.member.map { FileName(path: $0).base + " " } ?? "")
      page.text(evidence.integer("packet").map { "#\($0) " } ?? "")
      page.text(evidence.text("excerpt").map { $0 + " " } ?? "")
      page.text(evidence.text("note") ?? "")
      page.markup("</li>\n")
    }
    page.markup("</ul>\n")
    if let fix = finding.fix {
      page.markup("<p>Fix: ")
      page.text(fix)
      page.markup("</p>\n")
    }
    if let filter = finding.filter {
      page.markup("<p>Wireshark: <code>")
      page.text(filter)
      page.markup("</code></p>\n")
    }
    page.markup("</li>\n")
  }
}
