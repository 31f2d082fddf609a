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

  /// - Parameter topic: what the finding that the verdict quotes is about: below it, it is not repeated word for word.
  func write(
    _ findings: [Finding], _ causes: CauseTable, topic: (quoted: Finding, words: String)? = nil,
    to block: inout TextBlock
  ) {
    var shown = ShownFindings(findings, withLint: style.showsLint).all
    if let topic, let at = shown.firstIndex(where: { $0.finding.isDiagnosis && $0.finding.says(topic.quoted) }) {
      shown[at].finding.message = FindingMessage(topic.words)
    }
    for one in shown { write(one, to: &block) }
    if !style.showsLint { writeLint(causes, to: &block) }
    writeMore(shown.map(\.finding), to: &block)
  }

  private func write(_ shown: ShownFindings.Shown, to block: inout TextBlock) {
    let finding = shown.finding
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
    for consequence in shown.consequences where consequence.causedBy == finding.rule {
      block.paragraph(
        "and so \(consequence.rule): \(EscapedText.text(consequence.message.text))", indent: "    ", width: style.width)
    }
    // What followed from those is the same event seen again: its names are enough.
    let later = shown.consequences.filter { $0.causedBy != finding.rule }.map(\.rule.text)
    if !later.isEmpty {
      var known: Set<String> = []
      let rules = later.filter { known.insert($0).inserted }.joined(separator: ", ")
      block.paragraph("and in turn \(rules)", indent: "    ", width: style.width)
    }
    if !shown.elsewhere.isEmpty {
      let rules = shown.elsewhere.map { "\($0.rule)\($0.count > 1 ? " \(Wording.number($0.count)) times" : "")" }
      block.paragraph(
        "and so on other connections: \(rules.joined(separator: ", "))", indent: "    ", width: style.width)
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

extension Finding {
  fileprivate func says(_ other: Finding) -> Bool { message.text == other.message.text }
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
