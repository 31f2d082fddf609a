import Citation
import Events

/// The messages of streams, a line each as they become known: when, how long after the one before on the same stream,
/// which packet, how much, and how it begins. A chunk is not listed beside the events or lines in it. Holds one time for each direction of an open connection.
package struct MessagesReporter: Reporter {
  private let style: TextStyle
  private var lines: StreamLines
  private var toldOn: UInt64 = 0
  private var block: TextBlock

  package init(_ style: TextStyle, _ redaction: Redaction) {
    self.style = style
    lines = StreamLines(style, redaction)
    block = TextBlock(style)
  }

  package mutating func begin(_ run: RunInfo, to output: inout some ByteSink) throws(ReportError) {
    lines.origin = run.origin ?? .zero
  }

  package mutating func report(_ item: ReportItem, to output: inout some ByteSink) throws(ReportError) {
    switch item {
    case .piece(let piece) where piece.value.carriesItems: break
    case .piece(let piece):
      if lines.told == 0 { block.line(lines.heading) }
      block.line(lines.line(piece.value))
      try output.write(block.taken())
    case .connection(let record): toldOn += lines.close(record.number)
    case .exchange, .finding, .loss, .stall: break
    }
  }

  package mutating func finish(_ summary: Summary, to output: inout some ByteSink) throws(ReportError) {
    if lines.told > 0 { block.line() }
    let streams = toldOn + lines.open
    var parts = [
      lines.told == 0
        ? "no chunks, events or WebSocket messages"
        : "\(Wording.count(lines.told, "message")) on \(Wording.count(streams, "stream"))"
    ]
    parts.append(
      "\(Wording.count(summary.connections, "connection")), \(Wording.count(summary.exchanges, "exchange"))")
    if summary.shutTLS > 0 { parts.append("\(summary.shutTLS) TLS without keys: records are listed [--keylog]") }
    if !summary.capture.isComplete {
      parts.append("the capture is not complete: " + summary.capture.problems.joined(separator: ", "))
    }
    parts += summary.capture.limits
    block.parts(parts.map { EscapedText.text($0) }, indent: "  ", first: "", width: style.width)
    try output.write(block.taken())
  }
}
