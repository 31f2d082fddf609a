import Citation
import Events

/// The report of a check on one capture: empty if nothing is wrong; otherwise findings, and what could not be checked.
package struct CheckReporter: Reporter {
  /// Kept in full, per rule and over all.
  private static let findingsPerRule = 20
  private static let findingsInAll = 200

  private let style: TextStyle
  private let redaction: Redaction
  /// Whether a finding counts for the verdict; others are lint of rules that were not selected.
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
    // A note on the capture as a whole: one line is enough.
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
    // A consequence whose cause is not shown is shown by itself.
    let chain = CauseChain(findings)
    for at in findings.indices where chain.root(of: findings[at]) == nil { findings[at].causedBy = nil }
    var style = style
    style.showsLint = true
    TextFindings(
      style: style, redaction: redaction, isSingle: summary.connections == 1, members: summary.capture.members,
      isWeighed: true
    ).write(
      findings, CauseTable(), to: &block)
    if cut > 0 {
      block.line()
      block.paragraph(
        "\(Wording.count(cut, "more finding")) not shown; -o json lists all of them.", indent: "  ",
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
  /// What the rules could not check, as sentences.
  package var unchecked: [String] {
    var sentences: [String] = []
    if let dropped = capture.dropped, dropped > 0 {
      sentences.append(
        "\(Wording.count(dropped, "packet")) dropped while capturing; what they held, and silences around them, are unknown."
      )
    }
    if withMissingBytes > 0 {
      sentences.append(
        """
        \(Wording.bytes(missingBytes)) on \(Wording.count(withMissingBytes, "connection")) are not in the capture; \
        messages in these holes could not be checked.
        """)
    }
    if capture.snaplenCut > 0 {
      sentences.append("The rest of \(Wording.count(capture.snaplenCut, "packet")) cut by the snapshot length.")
    }
    if capture.unreadableMembers > 0 {
      sentences.append("\(Wording.count(capture.unreadableMembers, "file")) of the series, not read or not to the end.")
    } else if !capture.isComplete {
      sentences.append("Everything after \(Wording.count(capture.packets, "packet")): the capture ends early.")
    }
    if oneSided > 0 {
      sentences.append(
        "The other direction of \(Wording.count(oneSided, "connection")): only one was captured.")
    }
    return sentences + capture.limits
  }
}
