import Citation
import Events

/// A comparison as text: how the two captures relate, the verdict, and the differences of each exchange.
package struct ComparisonText {
  /// Exchanges that are reported one by one.
  private static let pairLimit = 12
  private static let listLimit = 8

  private let style: TextStyle
  private let redaction: Redaction

  package init(_ style: TextStyle, _ redaction: Redaction) {
    self.style = style
    self.redaction = redaction
  }

  package func write(_ record: ComparisonRecord, to output: inout some ByteSink) throws(ReportError) {
    var block = TextBlock(style)
    ComparisonHeading(record: record, style: style).write(to: &block)
    if !style.isQuiet { writePairs(record, to: &block) }
    writeConnections(record, to: &block)
    writeUnmatched(record, to: &block)
    var causes = CauseTable()
    for finding in record.findings { causes.add(finding) }
    TextFindings(style: style, redaction: redaction, isSingle: record.pairs.count == 1).write(
      AlikeFindings(record).folded(record.findings), causes, to: &block)
    writeAlone(record, to: &block)
    try output.write(block.taken())
  }

  private func writePairs(_ record: ComparisonRecord, to block: inout TextBlock) {
    let different = record.pairs.filter { !$0.isIdentical || style.showsLint && !$0.differences.isEmpty }
    let worst = different.enumerated().sorted { left, right in
      let one = left.element.worst
      let other = right.element.worst
      return one == other ? left.offset < right.offset : one > other
    }.map(\.element)
    let pair = ComparisonPair(record: record, style: style, redaction: redaction)
    for one in worst.prefix(Self.pairLimit) {
      block.line()
      pair.write(one, to: &block)
    }
    if worst.count > Self.pairLimit {
      block.line()
      block.paragraph(
        "and \(Wording.count(UInt64(worst.count - Self.pairLimit), "exchange")) more that differ: -o json lists all",
        indent: "  ", width: style.width)
    }
  }

  private func writeConnections(_ record: ComparisonRecord, to block: inout TextBlock) {
    for connection in record.connections.filter({ !$0.differences.isEmpty }).prefix(Self.listLimit) {
      block.line()
      block.parts(
        [connection.a.title, "A #\(connection.a.number)", "B #\(connection.b.number)"], indent: "    ", first: "",
        width: style.width)
      for difference in connection.differences {
        block.paragraph(EscapedText.text(difference.words), indent: "    ", width: style.width)
      }
    }
  }

  private func writeUnmatched(_ record: ComparisonRecord, to block: inout TextBlock) {
    for side in CompareSide.allCases {
      let exchanges = record.unmatched[side].map { "#\($0.leg.connection) \($0.record.title)" }
      let connections = record.unmatchedConnections[side].map { "#\($0.number) \($0.title)" }
      let all = exchanges + connections
      guard !all.isEmpty else { continue }
      block.line()
      block.line("only in \(side.name):")
      for title in all.prefix(Self.listLimit) {
        block.paragraph(redaction.shown(title), indent: "    ", width: style.width)
      }
      if all.count > Self.listLimit { block.line("    and \(Wording.number(UInt64(all.count - Self.listLimit))) more") }
    }
  }

  private func writeAlone(_ record: ComparisonRecord, to block: inout TextBlock) {
    guard !style.isQuiet else { return }
    for side in CompareSide.allCases where !record.foundAlone[side].isEmpty {
      let rules = record.foundAlone[side].map {
        "\($0.rule)\($0.count > 1 ? " \(Wording.number($0.count)) times" : "")"
      }
      block.line()
      block.paragraph(
        "found in \(side.name) alone: \(rules.joined(separator: ", "))", indent: "  ", first: "", width: style.width)
    }
  }
}

extension ComparedPair {
  var worst: ComparisonVerdict.Word { verdicts.map(\.word).max() ?? .identical }
}

extension ConnectionRecord {
  /// `10.0.0.1:4000 → example.org (10.0.0.2:443)`
  fileprivate var title: String {
    let name = serverName.map { "\(EscapedText.text($0)) (\(server))" } ?? "\(server)"
    return "\(client) → \(name)"
  }
}

extension Redaction {
  /// A title of a request, which may hold a secret.
  func shown(_ title: String) -> String {
    EscapedText.text(target(title))
  }
}
