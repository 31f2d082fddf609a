import Citation
import Events

/// Live events, one per line: messages of streams, finished exchanges, findings. At the end the full report, as for a
/// file.
package struct LiveReporter: Reporter {
  private let style: TextStyle
  private let redaction: Redaction
  private var lines: StreamLines
  private var report: TextReporter
  private var hasHeading = false
  private var block: TextBlock

  package init(
    _ style: TextStyle, _ redaction: Redaction, topic: @escaping @Sendable (RuleID) -> String? = { _ in nil }
  ) {
    self.style = style
    self.redaction = redaction
    lines = StreamLines(style, redaction)
    // A report is prose; lines take all the room there is.
    var prose = style
    prose.width = min(style.width, 100)
    report = TextReporter(prose, redaction, topic: topic)
    block = TextBlock(style)
  }

  package mutating func begin(_ run: RunInfo, to output: inout some ByteSink) throws(ReportError) {
    lines.origin = run.origin ?? .zero
    try report.begin(run, to: &output)
  }

  package mutating func report(_ item: ReportItem, to output: inout some ByteSink) throws(ReportError) {
    try report.report(item, to: &output)
    switch item {
    case .piece(let piece):
      guard !style.isQuiet, !piece.value.carriesItems else { return }
      begin()
      block.line(lines.line(piece.value))
    case .exchange(let exchange):
      guard !style.isQuiet else { return }
      begin()
      // One exchange with all its parts is a line, however long: it is for grep as much as for eyes.
      let words = ExchangeLine(exchange: exchange, style: style).parts.joined(separator: "   ")
      block.line(lines.line(exchange.last, exchange.key.connection, exchange.number, .toClient, "exchange", words))
    case .finding(let finding):
      guard finding.isDiagnosis || style.showsLint else { return }
      begin()
      let name = style.paint(finding.shownSeverity.name.padded(to: 8), style.paint(for: finding.shownSeverity))
      let packet = finding.evidence.lazy.compactMap(\.packet).max { $0.number < $1.number } ?? finding.firstPacket
      block.line(
        lines.line(
          packet, finding.connection, finding.exchange ?? 0, finding.direction, name,
          "\(finding.rule)  \(EscapedText.text(finding.message.text))"))
    case .loss(let loss):
      begin()
      block.line(lines.line(loss.before, nil, 0, nil, style.paint("loss", .warning), loss.sentence))
    case .stall(let stall):
      begin()
      let stream = stall.stream
      let held = stream.cause.map { ": " + $0.words(stream.direction) } ?? ""
      let title = stream.title.isEmpty ? "" : "   \(EscapedText.text(stream.title))"
      let now = PacketRef(number: stream.last.number, time: stream.last.time.advanced(by: stall.nanoseconds))
      block.line(
        lines.line(
          now, stream.key.connection, stream.key.number, stream.direction, style.paint("stall", .warning),
          "silent \(Wording.duration(stall.nanoseconds))\(held)   \(EscapedText.text(stream.kind))\(title)"))
    case .connection(let record):
      _ = lines.close(record.number)
      return
    }
    try output.write(block.taken())
  }

  private mutating func begin() {
    guard !hasHeading else { return }
    hasHeading = true
    block.line(lines.heading)
  }

  package mutating func finish(_ summary: Summary, to output: inout some ByteSink) throws(ReportError) {
    if hasHeading { try output.write([0x0A]) }
    try report.finish(summary, to: &output)
  }
}
