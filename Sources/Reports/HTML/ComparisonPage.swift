import Assets
import Events

/// A comparison as one self-contained page without scripts: the verdict, the differences, and for each stream two lanes
/// with the time between them shaded.
enum ComparisonPage: DocumentConverter {
  /// Exchanges that are shown one by one.
  private static let pairLimit = 200

  static func write(
    _ documents: [DocumentNode], _ context: ConversionContext, to output: inout some ByteSink
  ) throws(ReportError) {
    let style = Assets.reportStyle + Assets.comparisonStyle
    var page = HTMLText()
    page.markup("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
    page.markup("<meta http-equiv=\"Content-Security-Policy\" content=\"")
    page.text(HTMLPolicy.text(script: nil, style: style))
    page.markup("\">\n<meta name=\"referrer\" content=\"no-referrer\">\n")
    page.markup("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
    page.markup("<meta name=\"color-scheme\" content=\"light dark\">\n<title>")
    page.text(documents.first.map { "\(name($0, "a")) and \(name($0, "b")) – streamscope" } ?? "streamscope")
    page.markup("</title>\n<style>")
    page.asset(style)
    page.markup("</style>\n</head>\n<body>\n<main>\n")
    for document in documents {
      write(document, to: &page)
      try output.write(page.taken())
    }
    page.markup("</main>\n</body>\n</html>\n")
    try output.write(page.taken())
  }

  private static func name(_ document: DocumentNode, _ side: String) -> String {
    FileName(path: document[side]?["capture"]?.text("file") ?? "").base
  }

  private static func write(_ document: DocumentNode, to page: inout HTMLText) {
    page.element("h1", "\(name(document, "a")) and \(name(document, "b"))")
    for side in ["a", "b"] {
      let capture = document[side]?["capture"]
      let packets = Wording.count(UInt64(clamping: capture?.integer("packets") ?? 0), "packet")
      let time = Wording.duration(capture?.integer("durationNs") ?? 0)
      page.markup("<p><strong class=\"")
      page.text(side)
      page.markup("\">")
      page.text(side.uppercased())
      page.markup("</strong> ")
      page.text("\(name(document, side)): \(packets), \(time)")
      page.markup("</p>\n")
    }
    page.element("p", relation(document))
    if let clock = document["clock"] { page.element("p", words(clock)) }
    page.markup("<p class=\"verdict\">")
    page.text(verdict(document))
    page.markup("</p>\n")
    for limit in document.elements("limits") { page.element("p", "Unsure: \(limit.text ?? "")") }
    let findings = DocumentFinding.worstFirst(document.elements("findings").map(DocumentFinding.init)) { $0 }
    if !findings.isEmpty { page.element("h2", "Findings") }
    for finding in findings { write(finding, to: &page) }
    let pairs = document.elements("pairs").filter {
      !$0.elements("differences").isEmpty || $0["upload"] != nil || $0["download"] != nil
    }
    for pair in pairs.prefix(pairLimit) { ComparisonPageExchange(pair: pair).write(to: &page) }
    if pairs.count > pairLimit {
      page.element("p", "\(Wording.count(UInt64(pairs.count - pairLimit), "more exchange")): see the document.")
    }
    writeUnmatched(document, to: &page)
  }

  private static func relation(_ document: DocumentNode) -> String {
    let relation = document["relation"]
    let reason = relation?.text("reason") ?? ""
    guard relation?.text("kind") == "points" else {
      return "Two runs (\(reason)), each exchange from its own start."
    }
    let outer = relation?.text("outer").map { "; \($0.uppercased()) is nearer to the client" } ?? ""
    return "The same traffic at two points (\(reason))\(outer)."
  }

  private static func words(_ clock: DocumentNode) -> String {
    let offset = clock.integer("offsetNs") ?? 0
    let words =
      offset == 0
      ? "is assumed to agree with A's"
      : "is \(Wording.duration(offset < 0 ? 0 &- offset : offset)) \(offset < 0 ? "behind" : "ahead of") A's"
    let range = ["leastNs", "mostNs"].map { Wording.duration(clock.integer($0) ?? 0) }.joined(separator: " to ")
    return "B's clock \(words) (\(range) ahead is possible)."
  }

  private static func verdict(_ document: DocumentNode) -> String {
    let verdict = document["verdict"]
    if verdict?.flag("identical") == true { return "Identical." }
    let words = (verdict?["words"]?.fields ?? []).reversed().compactMap { field -> String? in
      guard let count = field.value.integer, count > 0 else { return nil }
      return "\(Wording.number(UInt64(clamping: count))) \(field.key)"
    }
    let matched = Wording.count(UInt64(clamping: verdict?.integer("matched") ?? 0), "exchange")
    return "\(matched) matched: \(words.isEmpty ? "none" : words.joined(separator: ", "))."
  }

  private static func write(_ finding: DocumentFinding, to page: inout HTMLText) {
    page.markup("<div class=\"finding ")
    page.text(finding.severity?.name ?? "warning")
    page.markup("\">\n")
    let place = finding.connection.map { " · #\($0)\(finding.exchange.map { ".\($0)" } ?? "")" } ?? ""
    let side = finding.node.text("capture").map { ", worse in \($0.uppercased())" } ?? ""
    page.element("h3", "\(finding.severity?.name ?? "warning") \(finding.rule)\(place)\(side)")
    page.element("p", finding.message)
    if let cause = finding.causedBy { page.element("p", "A consequence of \(cause).") }
    page.markup("<ul>\n")
    for evidence in finding.node.elements("evidence") {
      let side = (evidence.text("capture") ?? "").uppercased()
      let excerpt = evidence.text("excerpt").map { " \($0)" } ?? ""
      page.element("li", "\(side) #\(evidence.integer("packet") ?? 0)\(excerpt) \(evidence.text("note") ?? "")")
    }
    page.markup("</ul>\n")
    if let fix = finding.fix { page.element("p", "Fix: \(fix)") }
    page.markup("</div>\n")
  }

  private static func writeUnmatched(_ document: DocumentNode, to page: inout HTMLText) {
    for side in ["a", "b"] {
      let left = document["unmatched"]?.elements(side) ?? []
      guard !left.isEmpty else { continue }
      page.element("h2", "Only in \(side.uppercased())")
      page.markup("<ul>\n")
      for node in left.prefix(pairLimit) { page.element("li", "#\(node.integer("connection") ?? 0) \(node.title)") }
      if left.count > pairLimit { page.element("li", "and \(left.count - pairLimit) more") }
      page.markup("</ul>\n")
    }
  }
}

extension HTMLText {
  /// An element of nothing but text.
  mutating func element(_ name: StaticString, _ content: String) {
    markup("<")
    markup(name)
    markup(">")
    text(content)
    markup("</")
    markup(name)
    markup(">\n")
  }
}
