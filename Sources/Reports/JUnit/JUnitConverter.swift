import Events

/// JUnit XML as read by Jenkins and similar tools: one suite per capture, one case per rule and per assertion.
///
/// A rule fails by its diagnoses of a warning or worse. Notes and lint are reported in the output of their case, and
/// so are problems of the capture: --fail-on decides about those. A rule that has only consequences of others is skipped:
/// their cause fails. A capture with nothing to check is a skipped case,
/// and so is an inconclusive assertion.
enum JUnitConverter: DocumentConverter {
  static func write(
    _ documents: [DocumentNode], _ context: ConversionContext, to output: inout some ByteSink
  ) throws(ReportError) {
    let suites = documents.map { JUnitSuite(DocumentCapture($0), context.rules) }
    var xml = XMLWriter()
    let count = { (result: JUnitCase.Result) in
      String(suites.reduce(0) { $0 + $1.cases.count { $0.result == result } })
    }
    xml.element(
      "testsuites",
      [
        "name": "streamscope", "tests": String(suites.reduce(0) { $0 + $1.cases.count }), "failures": count(.failed),
        "errors": "0",
      ]
    ) { xml in
      for suite in suites { suite.write(to: &xml) }
    }
    try output.write(xml.bytes)
  }
}

struct JUnitCase {
  enum Result { case passed, skipped, failed }

  var name: String
  var result = Result.passed
  /// Of a failure or a skip.
  var summary = ""
  var severity = ""
  var lines: [String] = []
}

struct JUnitSuite {
  /// Findings of a rule that are reported in full.
  private static let findingLimit = 100

  let capture: DocumentCapture
  private(set) var cases: [JUnitCase] = []

  init(_ capture: DocumentCapture, _ rules: [RuleInfo]) {
    self.capture = capture
    cases.append(JUnitCase(name: "the capture is whole", lines: capture.problems.map { "warning: \($0)" }))
    var something = JUnitCase(name: "there was something to check")
    if capture.figure("summary", "connections") == 0 {
      something.result = .skipped
      something.summary = "no TCP connection found, so nothing was checked"
    }
    cases.append(something)
    for assertion in capture.assertions { cases.append(Self.test(of: assertion)) }
    let known = rules.map(\.id.text)
    var findings: [String: [FoldedFinding]] = [:]
    var followers: [String: [DocumentFinding]] = [:]
    for folded in FoldedFinding.all(capture.findings) {
      findings[folded.finding.rule, default: []].append(folded)
      for consequence in folded.consequences { followers[consequence.rule, default: []].append(consequence) }
    }
    // A newer program may have others.
    let others = Set(findings.keys).union(followers.keys).subtracting(known).sorted()
    for rule in known + others {
      cases.append(Self.test(of: rule, findings[rule] ?? [], followers: followers[rule] ?? []))
    }
  }

  private static func test(of assertion: DocumentAssertion) -> JUnitCase {
    var test = JUnitCase(name: assertion.text)
    switch assertion.verdict {
    case .passed: test.lines = [assertion.summary]
    case .inconclusive:
      test.result = .skipped
      test.summary = "inconclusive: \(assertion.summary)"
    case .failed:
      test.result = .failed
      test.severity = "assertion"
      test.summary = assertion.facts ?? ""
      test.lines = assertion.notes
    }
    return test
  }

  /// `followers` are findings of the rule that are told with their cause.
  private static func test(
    of rule: String, _ findings: [FoldedFinding], followers: [DocumentFinding]
  ) -> JUnitCase {
    var test = JUnitCase(name: rule)
    let worst = DocumentFinding.worstFirst(findings) { $0.finding }
    let failures = worst.map(\.finding).filter(\.hurts)
    if let first = failures.first {
      test.result = .failed
      test.severity = first.severity?.name ?? "warning"
      let more = failures.count - 1
      test.summary = first.message + (more > 0 ? " And \(Wording.number(UInt64(more))) more." : "")
    }
    if test.result == .passed, let first = followers.first(where: \.hurts), let cause = first.causedBy {
      // The case of its cause fails, and one fault is one failure.
      test.result = .skipped
      test.summary = "a consequence of \(cause): \(first.message)"
    }
    for folded in worst.prefix(findingLimit) {
      test.lines += lines(folded.finding) + folded.consequences.map { "  and so \($0.rule): \($0.message)" }
    }
    if worst.count > findingLimit {
      test.lines.append("and \(Wording.count(UInt64(worst.count - findingLimit), "finding")) more")
    }
    return test
  }

  private static func lines(_ finding: DocumentFinding) -> [String] {
    let severity = finding.isLint ? "lint" : finding.severity?.name ?? "warning"
    var lines = ["\(severity): \(finding.message)"]
    if let cause = finding.causedBy { lines.append("  a consequence of \(cause)") }
    if let fix = finding.fix { lines.append("  fix: \(fix)") }
    let place = [
      finding.connection.map { "connection \($0)" }, finding.exchange.map { "exchange \($0)" },
      finding.filter.map { "packets: \($0)" },
    ]
    let words = place.compactMap { $0 }
    if !words.isEmpty { lines.append("  " + words.joined(separator: ", ")) }
    return lines
  }

  // MARK: XML

  func write(to xml: inout XMLWriter) {
    let count = { (result: JUnitCase.Result) in String(cases.count { $0.result == result }) }
    let name = capture.isStandardInput || capture.path.isEmpty ? "standard input" : capture.path
    let time = capture.node["capture"]?.text("firstTime").flatMap(ClockTime.parse)
    // Without a zone, as Jenkins reads it; UTC.
    let stamp = time.map { String(ClockTime($0).text.prefix(19)) } ?? "1970-01-01T00:00:00"
    xml.element(
      "testsuite",
      [
        "name": capture.base, "tests": String(cases.count), "failures": count(.failed), "errors": "0",
        "skipped": count(.skipped), "timestamp": stamp,
      ]
    ) { xml in
      properties(to: &xml)
      for test in cases { test.write(classname: name, to: &xml) }
    }
  }

  private func properties(to xml: inout XMLWriter) {
    let figures = [
      ("packets", capture.figure("capture", "packets")), ("connections", capture.figure("summary", "connections")),
      ("exchanges", capture.figure("summary", "exchanges")), ("lint", capture.figure("summary", "lint")),
    ]
    xml.element("properties", [:]) { xml in
      xml.element("property", ["name": "file", "value": capture.path])
      if let version = capture.node["tool"]?.text("version") {
        xml.element("property", ["name": "streamscope", "value": version])
      }
      for (name, value) in figures { xml.element("property", ["name": name, "value": String(value)]) }
    }
  }
}

extension JUnitCase {
  func write(classname: String, to xml: inout XMLWriter) {
    if result == .passed, lines.isEmpty {
      return xml.element("testcase", ["name": name, "classname": classname])
    }
    xml.element("testcase", ["name": name, "classname": classname]) { xml in
      switch result {
      case .passed: xml.element("system-out", lines: lines)
      case .skipped: xml.element("skipped", ["message": summary])
      case .failed: xml.element("failure", ["type": severity, "message": summary], lines: lines)
      }
    }
  }
}
