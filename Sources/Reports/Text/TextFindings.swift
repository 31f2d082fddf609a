import Citation
import Events

/// Findings in full, worst first, and lint in a line.
struct TextFindings {
  let style: TextStyle
  let redaction: Redaction
  /// There is only one connection, so findings need not name it.
  let isSingle: Bool
  /// Of a series: which file each packet is in.
  var members: MemberTable?
  /// Shown with the severity that a check goes by, where lint is a note otherwise.
  var isWeighed = false

  private static let filteredFiles = 3

  func write(_ findings: [Finding], _ causes: CauseTable, to block: inout TextBlock) {
    let shown = findings.filter { $0.causedBy == nil && ($0.isDiagnosis || style.showsLint) }.sorted(
      by: Finding.isWorse)
    let chain = CauseChain(findings)
    for finding in shown {
      let consequences = findings.filter { consequence in
        guard consequence.connection == finding.connection else { return false }
        return chain.root(of: consequence) == finding.rule.text
      }
      write(finding, consequences: consequences, to: &block)
    }
    if !style.showsLint { writeLint(causes, to: &block) }
    writeMore(shown, to: &block)
  }

  private func write(_ finding: Finding, consequences: [Finding], to block: inout TextBlock) {
    block.line()
    let severity = isWeighed ? finding.severity : finding.shownSeverity
    var head = [
      style.paint("\(severity.name.uppercased()) \(finding.rule)", style.paint(for: severity))
    ]
    if finding.isDiagnosis { head.append("cost: \(finding.cost.words)") }
    if let side = finding.side { head.append("worse in \(side.name)") }
    if let number = finding.connection, !isSingle { head.append("#\(number)") }
    if finding.count > 1 { head.append("\(Wording.number(finding.count)) times") }
    head.append("confidence \(finding.confidence.name)")
    for threshold in finding.sortedThresholds {
      let value = finding.thresholds[threshold] ?? threshold.standard
      head.append("threshold \(threshold.name) \(threshold.words(value))")
    }
    block.parts(head, indent: "  ", first: "", width: style.width)
    block.paragraph(EscapedText.text(finding.message.text), indent: "  ", width: style.width)
    let width = finding.evidence.compactMap { placeText($0)?.count }.max() ?? 0
    for evidence in finding.evidence { write(evidence, width, to: &block) }
    for consequence in consequences where consequence.causedBy == finding.rule {
      block.paragraph(
        "and so \(consequence.rule): \(EscapedText.text(consequence.message.text))", indent: "    ", width: style.width)
    }
    // What followed from those is the same event seen again: its names are enough.
    let later = consequences.filter { $0.causedBy != finding.rule }.map(\.rule.text)
    if !later.isEmpty {
      var known: Set<String> = []
      let rules = later.filter { known.insert($0).inserted }.joined(separator: ", ")
      block.paragraph("and in turn \(rules)", indent: "    ", width: style.width)
    }
    if let fix = finding.fix { write(fix: fix, to: &block) }
  }

  /// `Fix, server: …`: addressed to the owner, whom the text names first.
  private func write(fix: String, to block: inout TextBlock) {
    let owners = ["Server", "Client", "Proxy", "Sender", "Receiver", "Network"]
    let owner = owners.first { fix.hasPrefix($0 + ": ") }
    let first = owner.map { "  Fix, \($0.lowercased()): " } ?? "  Fix: "
    let text = owner.map { String(fix.dropFirst($0.count + 2)) } ?? fix
    block.paragraph(text, indent: "       ", first: first, width: style.width)
  }

  private func write(_ evidence: Evidence, _ width: Int, to block: inout TextBlock) {
    let place: String
    if let text = placeText(evidence) {
      place = text.padded(to: width)
    } else if case .file(let offset?) = evidence.place {
      place = "byte \(Wording.number(offset))"
    } else {
      place = ""
    }
    let quote = evidence.excerpt.map { redaction.text($0) + "   " } ?? ""
    let first = "    \(place)  \(quote)"
    block.paragraph(
      EscapedText.text(evidence.note), indent: String(repeating: " ", count: 6 + place.count), first: first,
      width: style.width)
  }

  /// `#12`, `A #12`, of a series `cap.pcap3 #12`
  private func placeText(_ evidence: Evidence) -> String? {
    guard let packet = evidence.packet else { return nil }
    if let place = members?.place(of: packet.number) { return "\(FileName(path: place.file).base) #\(place.number)" }
    return "\(evidence.side.map { $0.name + " " } ?? "")#\(packet.number)"
  }

  private func writeLint(_ causes: CauseTable, to block: inout TextBlock) {
    let lint = causes.lint
    guard !lint.isEmpty else { return }
    let total = lint.reduce(0) { $0 + $1.count }
    block.line()
    let names = lint.prefix(4).map(\.rule.text).joined(separator: ", ") + (lint.count > 4 ? ", …" : "")
    block.parts(
      ["lint: \(Wording.count(total, "remark")), no harm seen in this capture", "(\(names))", "[--lint]"], indent: "  ",
      first: "", width: style.width)
  }

  private func writeMore(_ shown: [Finding], to block: inout TextBlock) {
    guard let first = shown.first, !style.isQuiet else { return }
    block.line()
    // Packet numbers of two captures do not fit into one filter.
    let packets = shown.flatMap { $0.evidence.compactMap { $0.side == nil ? $0.packet?.number : nil } }
    var parts = ["streamscope explain \(first.rule)"]
    if let members {
      let filters = DisplayFilter.packets(packets, in: members)
      for (file, filter) in filters.prefix(Self.filteredFiles) {
        parts.append("Wireshark, \(FileName(path: file).base): \(filter)")
      }
      if filters.count > Self.filteredFiles { parts.append("\(filters.count - Self.filteredFiles) more files") }
    } else if let filter = DisplayFilter.packets(packets) {
      parts.append("Wireshark: \(filter)")
    }
    block.parts(parts, between: style.separator, indent: "      ", first: "more: ", width: style.width)
  }
}

extension Cost {
  var words: String {
    switch self {
    case .none: "none"
    case .delay(let nanoseconds): Wording.duration(nanoseconds)
    case .lost(let bytes): "\(Wording.bytes(bytes)) lost"
    case .failed(let what): "the \(what.rawValue)"
    }
  }
}
