import Events

/// The verdict and the findings as plain markup, for browsers that run no scripts.
enum HTMLStory {
  /// Diagnoses of a document. More would not be read; the page with its script shows them all.
  private static let limit = 200

  static func write(_ documents: [DocumentNode], to page: inout HTMLText) {
    page.markup("<p>This page needs scripts for its charts. What was found:</p>\n")
    for document in documents {
      page.markup("<h1>")
      page.text(file(document))
      page.markup("</h1>\n")
      let roots = document.elements("findings").filter { $0.text("class") == "diagnosis" && $0["causedBy"] == nil }
      let shown = roots.sorted(by: isWorse).prefix(limit)
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

  /// The last part of the path: the folders are nobody's business but who made the report.
  static func file(_ document: DocumentNode) -> String {
    let path = document["capture"]?.text("file") ?? "capture"
    return path.split(separator: "/").last.map(String.init) ?? path
  }

  private static func verdict(_ document: DocumentNode, _ worst: DocumentNode?) -> String {
    if let worst { return "\(worst.text("severity") ?? "finding"): \(worst.text("message") ?? "")" }
    if document["capture"]?.integer("packets") == 0 { return "The capture holds no packets." }
    if document["summary"]?.integer("connections") == 0 { return "No TCP connection in this capture." }
    return "Nothing went wrong that the packets would show."
  }

  private static func write(_ finding: DocumentNode, to page: inout HTMLText) {
    page.markup("<li><p><b>")
    page.text(finding.text("rule") ?? "")
    page.markup("</b> ")
    page.text(finding.integer("connection").map { "#\($0): " } ?? "")
    page.text(finding.text("message") ?? "")
    page.markup("</p>\n<ul>\n")
    for evidence in finding.elements("evidence") {
      page.markup("<li>")
      page.text(evidence.integer("packet").map { "#\($0) " } ?? "")
      page.text(evidence.text("excerpt").map { $0 + " " } ?? "")
      page.text(evidence.text("note") ?? "")
      page.markup("</li>\n")
    }
    page.markup("</ul>\n")
    if let fix = finding.text("fix") {
      page.markup("<p>Fix: ")
      page.text(fix)
      page.markup("</p>\n")
    }
    if let filter = finding.text("filter") {
      page.markup("<p>Wireshark: <code>")
      page.text(filter)
      page.markup("</code></p>\n")
    }
    page.markup("</li>\n")
  }

  // MARK: Order

  /// As people want to read them: severity, then cost, then the order of the capture.
  private static func isWorse(_ left: DocumentNode, _ right: DocumentNode) -> Bool {
    let first = weight(left)
    let second = weight(right)
    if first != second { return first.lexicographicallyPrecedes(second) }
    return (left.text("rule") ?? "") < (right.text("rule") ?? "")
  }

  /// Smaller is worse.
  private static func weight(_ finding: DocumentNode) -> [Int64] {
    let severities = ["error", "warning", "note"]
    let costs = ["failed connection", "failed exchange", "lost", "delay"]
    let cost = finding["cost"]
    let kind = [cost?.text("kind"), cost?.text("what")].compactMap(\.self).joined(separator: " ")
    let amount = cost?.integer("ns") ?? cost?.integer("bytes") ?? 0
    return [
      Int64(severities.firstIndex(of: finding.text("severity") ?? "") ?? severities.count),
      Int64(costs.firstIndex(of: kind) ?? costs.count), 0 &- amount, finding.integer("firstPacket") ?? .max,
    ]
  }
}
