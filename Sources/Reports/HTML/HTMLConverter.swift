import Assets
import Events

/// One self-contained page: the documents, and a script that shows them.
///
/// The markup is the same whatever a capture holds; the script makes elements of it and fills in text. Only the
/// title and the summary for browsers without scripts are written here.
enum HTMLConverter: DocumentConverter {
  static func write(
    _ documents: [DocumentNode], _ context: ConversionContext, to output: inout some ByteSink
  ) throws(ReportError) {
    let documents = documents.map(PageSelection.page)
    let script = Assets.reportScript
    let style = Assets.reportStyle
    var page = HTMLText()
    page.markup("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
    page.markup("<meta http-equiv=\"Content-Security-Policy\" content=\"")
    page.text(HTMLPolicy.text(script: script, style: style))
    page.markup("\">\n<meta name=\"referrer\" content=\"no-referrer\">\n")
    page.markup("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
    page.markup("<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"generator\" content=\"streamscope ")
    page.text(context.version)
    page.markup("\">\n<title>")
    page.text(title(documents))
    page.markup("</title>\n<style>")
    page.asset(style)
    page.markup("</style>\n</head>\n<body>\n<noscript>\n")
    HTMLStory.write(documents, to: &page)
    page.markup("</noscript>\n<div id=\"report\"></div>\n")
    for document in documents {
      page.markup("<script type=\"application/json\" class=\"document\">")
      page.json(document)
      page.markup("</script>\n")
      try output.write(page.taken())
    }
    page.markup("<script type=\"application/json\" id=\"rules\">")
    page.json(rules(firedIn: documents, of: context.rules))
    page.markup("</script>\n<script>")
    page.asset(script)
    page.markup("</script>\n</body>\n</html>\n")
    try output.write(page.taken())
  }

  private static func title(_ documents: [DocumentNode]) -> String {
    let file = documents.first.map(HTMLStory.file)
    switch documents.count {
    case 0: return "streamscope"
    case 1: return "\(file ?? "") – streamscope"
    default: return "\(file ?? "") and \(documents.count - 1) more – streamscope"
    }
  }

  /// What the rules that fired mean, by id: the page explains its findings without the program.
  private static func rules(firedIn documents: [DocumentNode], of rules: [RuleInfo]) -> DocumentNode {
    var fired: Set<String> = []
    for document in documents {
      for finding in document.elements("findings") { if let rule = finding.text("rule") { fired.insert(rule) } }
    }
    return .object(
      rules.filter { fired.contains($0.id.text) }.map { rule in
        .init(
          rule.id.text,
          .object([
            .init("summary", .string(rule.summary)), .init("explanation", .string(rule.explanation)),
            .init("evidence", .string(rule.evidence)),
            .init(
              "specifications",
              .array(
                rule.specifications.map {
                  .object([.init("name", .string($0.name)), .init("link", .string($0.link))])
                })),
          ]))
      })
  }

  /// Without them, a row shows when its exchange was, and nothing of what happened inside.
  static func missing(in document: DocumentNode) -> [String] {
    let connections = document.elements("connections")
    guard !connections.isEmpty, !connections.contains(where: { $0["items"] != nil || $0["timeline"] != nil }) else {
      return []
    }
    return ["the document holds neither items nor timelines: the page cannot show chunks, events and messages"]
  }
}
