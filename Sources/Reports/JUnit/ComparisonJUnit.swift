import Events

/// A comparison in JUnit XML: one suite per comparison, one case per pair of exchanges, and one for unmatched exchanges.
///
/// A case fails by what is worse in B, or between two points of the same traffic; what is worse in A alone is
/// reported, and passes: an improvement is not a failure.
enum ComparisonJUnit: DocumentConverter {
  static func write(
    _ documents: [DocumentNode], _ context: ConversionContext, to output: inout some ByteSink
  ) throws(ReportError) {
    let suites = documents.map { (document: $0, cases: cases($0)) }
    var xml = XMLWriter()
    let all = suites.flatMap(\.cases)
    xml.element(
      "testsuites",
      [
        "name": "streamscope compare", "tests": String(all.count), "failures": count(all, .failed), "errors": "0",
      ]
    ) { xml in
      for suite in suites {
        let names = ["a", "b"].map { FileName(path: path(suite.document, $0)).base }
        xml.element(
          "testsuite",
          [
            "name": names.joined(separator: " and "), "tests": String(suite.cases.count),
            "failures": count(suite.cases, .failed), "errors": "0", "skipped": count(suite.cases, .skipped),
            "timestamp": stamp(suite.document),
          ]
        ) { xml in
          for test in suite.cases { test.write(classname: path(suite.document, "b"), to: &xml) }
        }
      }
    }
    try output.write(xml.bytes)
  }

  private static func path(_ document: DocumentNode, _ side: String) -> String {
    document[side]?["capture"]?.text("file") ?? ""
  }

  private static func stamp(_ document: DocumentNode) -> String {
    let time = document["b"]?["capture"]?.text("firstTime").flatMap(ClockTime.parse)
    return time.map { String(ClockTime($0).text.prefix(19)) } ?? "1970-01-01T00:00:00"
  }

  private static func count(_ cases: [JUnitCase], _ result: JUnitCase.Result) -> String {
    String(cases.count { $0.result == result })
  }

  private static func cases(_ document: DocumentNode) -> [JUnitCase] {
    let isOneTraffic = document["relation"]?.text("kind") == "points"
    let findings = document.elements("findings").map(DocumentFinding.init)
    let places = Dictionary(grouping: findings.indices) { findings[$0].place }
    var cases = document.elements("pairs").map { pair -> JUnitCase in
      // In the order of the document.
      let about = ["a", "b"].flatMap { places[pair.place($0)] ?? [] }.sorted()
      return test(of: pair, about.map { findings[$0] }, isOneTraffic: isOneTraffic)
    }
    var rest = JUnitCase(name: "every exchange has a partner")
    for side in ["a", "b"] {
      rest.lines += (document["unmatched"]?.elements(side) ?? []).map { "only in \(side.uppercased()): \($0.title)" }
    }
    if !rest.lines.isEmpty {
      rest.result = .skipped
      let what = Wording.count(UInt64(rest.lines.count), "exchange or connection", "exchanges or connections")
      rest.summary = "\(what) not compared"
    }
    cases.append(rest)
    return isOneTraffic ? cases : cases + [alone(document, isFirst: !cases.contains { $0.result == .failed })]
  }

  /// Of two runs. Where a case fails already, it may be by the same.
  private static func alone(_ document: DocumentNode, isFirst: Bool) -> JUnitCase {
    var test = JUnitCase(name: "no rule found something in B alone")
    let found = document["foundAlone"]?.elements("b") ?? []
    test.lines = found.map {
      "\($0.text("severity") ?? "") \($0.text("rule") ?? ""): \($0.integer("count") ?? 0)"
    }
    if isFirst, !found.isEmpty {
      test.result = .failed
      test.severity = ["error", "warning"].first { word in found.contains { $0.text("severity") == word } } ?? "note"
      test.summary = "found in B alone: " + Wording.count(UInt64(test.lines.count), "rule")
    }
    return test
  }

  private static func test(of pair: DocumentNode, _ findings: [DocumentFinding], isOneTraffic: Bool) -> JUnitCase {
    let legs = ["a", "b"].map { side in
      "\(side.uppercased()) #\(pair[side]?.integer("connection") ?? 0).\(pair[side]?.integer("exchange") ?? 0)"
    }
    var test = JUnitCase(name: "\(pair.title) (\(legs.joined(separator: ", ")))")
    let words = pair.elements("verdicts").compactMap { $0.text("word") }.map { EscapedText.text($0) }
    let failing = findings.filter { $0.hurts && (isOneTraffic || $0.node.text("capture") != "a") }
    test.lines = ["verdict: \(words.joined(separator: ", "))"]
    for finding in findings {
      test.lines.append("\(finding.severity?.name ?? "warning") \(finding.rule): \(finding.message)")
      if let fix = finding.fix { test.lines.append("  fix: \(fix)") }
    }
    if let worst = DocumentFinding.worstFirst(failing, { $0 }).first {
      test.result = .failed
      test.severity = worst.severity?.name ?? "warning"
      test.summary = worst.message
    }
    return test
  }
}

extension DocumentFinding {
  /// The exchange that it is about.
  fileprivate var place: String {
    "\(node.text("capture") ?? "b") \(node.integer("connection") ?? 0) \(node.integer("exchange") ?? 0)"
  }
}

extension DocumentNode {
  /// An exchange of a pair, as its findings name it.
  fileprivate func place(_ side: String) -> String {
    "\(side) \(self[side]?.integer("connection") ?? 0) \(self[side]?.integer("exchange") ?? 0)"
  }

  /// The request, or the two ends.
  var title: String {
    guard let method = text("method") else {
      return EscapedText.text("\(text("client") ?? "?") to \(text("server") ?? "?")")
    }
    return EscapedText.text("\(method.isEmpty ? "(no request)" : method) \(text("target") ?? "")")
  }
}
