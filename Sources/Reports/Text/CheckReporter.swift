import Events

/// What a check has to say of one capture: nothing where all is well; else its findings, and what it could not check.
package struct CheckReporter: Reporter {
  /// Kept in full, per rule and over all.
  private static let findingsPerRule = 20
  private static let findingsInAll = 200

  private let style: TextStyle
  private let redaction: Redaction
  /// Whether the verdict is about a finding; others are lint that nobody asked for.
  private let counts: @Sendable (Finding) -> Bool
  private var findings: [Finding] = []
  private var findingsOfRule: [RuleID: Int] = [:]
  private var cut: UInt64 = 0

  package init(_ style: TextStyle, _ redaction: Redaction, counts: @escaping @Sendable (Finding) -> Bool) {
    self.style = style
    self.redaction = redaction
    self.counts = counts
  }

  package mutating func begin(_ run: RunInfo, to output: inout some ByteSink) throws(ReportError) {}

  package mutating func report(_ item: ReportItem, to output: inout some ByteSink) throws(ReportError) {
    guard case .finding(let finding) = item, counts(finding) else { return }
    let seen = findingsOfRule[finding.rule, default: 0]
    guard seen < Self.findingsPerRule, findings.count < Self.findingsInAll else {
      cut += 1
      return
    }
    findings.append(finding)
    findingsOfRule[finding.rule] = seen + 1
  }

  package mutating func finish(_ summary: Summary, to output: inout some ByteSink) throws(ReportError) {
    let unchecked = summary.unchecked
    // About the capture as a whole, and no harm: a line is enough.
    let remarks = findings.filter { $0.subject == .capture && $0.severity == .note }
    findings.removeAll { $0.subject == .capture && $0.severity == .note }
    var block = TextBlock(style)
    let name = FileName(path: summary.capture.file).base
    let assertions = summary.assertions.filter { $0.verdict != .passed }
    if findings.isEmpty, unchecked.isEmpty, assertions.isEmpty {
      for remark in remarks {
        block.paragraph("\(name): \(words(remark))", indent: "  ", first: "", width: style.width)
      }
      return try output.write(block.taken())
    }
    block.paragraph(name, indent: "", width: style.width)
    for remark in remarks { block.paragraph(words(remark), indent: "    ", first: "  ", width: style.width) }
    for words in unchecked {
      block.paragraph(EscapedText.text(words), indent: "    ", first: "  Not checked: ", width: style.width)
    }
    TextAssertions(style: style).write(assertions, to: &block)
    // What follows from something that is not shown stands for itself.
    for at in findings.indices {
      guard let cause = findings[at].causedBy else { continue }
      let connection = findings[at].connection
      let isFolded = findings.contains { $0.rule == cause && $0.causedBy == nil && $0.connection == connection }
      if !isFolded { findings[at].causedBy = nil }
    }
    var style = style
    style.showsLint = true
    TextFindings(style: style, redaction: redaction, isSingle: summary.connections == 1).write(
      findings, CauseTable(), to: &block)
    if cut > 0 {
      block.line()
      block.paragraph(
        "\(Wording.count(cut, "more finding")) of the same rules and others, which -o json lists.", indent: "  ",
        width: style.width)
    }
    block.line()
    try output.write(block.taken())
  }

  private func words(_ remark: Finding) -> String {
    let head = style.paint("\(remark.severity.name.uppercased()) \(remark.rule)", style.paint(for: remark.severity))
    return "\(head): \(EscapedText.text(remark.message.text))"
  }
}

extension Summary {
  /// What the rules had no chance to see, as sentences.
  package var unchecked: [String] {
    var sentences: [String] = []
    if let dropped = capture.dropped, dropped > 0 {
      sentences.append(
        "\(Wording.count(dropped, "packet")) lost while capturing; what was in them, and silences around them, are unknown."
      )
    }
    if withMissingBytes > 0 {
      sentences.append(
        """
        \(Wording.bytes(missingBytes)) on \(Wording.count(withMissingBytes, "connection")) are not in the capture; \
        messages in these holes, and what follows in them, are unknown.
        """)
    }
    if capture.snaplenCut > 0 {
      sentences.append("The ends of \(Wording.count(capture.snaplenCut, "packet")), cut by the snapshot length.")
    }
    if !capture.isComplete {
      sentences.append("What came after \(Wording.count(capture.packets, "packet")): the capture breaks off there.")
    }
    if oneSided > 0 {
      sentences.append(
        "The other side of \(Wording.count(oneSided, "connection")), of which only one direction was captured.")
    }
    return sentences + capture.limits
  }
}
