import Events
import Trace

/// The messages of streams, a line each as they become known: when, how long after the one before on the same stream,
/// which packet, how much, and how it begins. Holds one time for each direction of an open connection.
package struct MessagesReporter: Reporter {
  /// A direction of one.
  private struct Stream: Hashable {
    var connection: Int
    var exchange: Int
    var direction: Direction
  }

  private let style: TextStyle
  private let redaction: Redaction
  private var origin = Timestamp.zero
  /// The time of the last line of each stream, in the order of the connections' ends thrown away.
  private var last: [Stream: Timestamp] = [:]
  private var streams: Set<Stream> = []
  private var previous: Timestamp?
  private var told: UInt64 = 0
  private var toldOn: UInt64 = 0
  private var block: TextBlock

  package init(_ style: TextStyle, _ redaction: Redaction) {
    self.style = style
    self.redaction = redaction
    block = TextBlock(isASCII: style.isASCII)
  }

  package mutating func begin(_ run: RunInfo, to output: inout some ByteSink) throws(ReportError) {
    origin = run.origin ?? .zero
  }

  package mutating func report(_ item: ReportItem, to output: inout some ByteSink) throws(ReportError) {
    switch item {
    case .piece(let piece, let connection):
      if told == 0 { block.line(heading) }
      told += 1
      line(piece, connection)
      try output.write(block.taken())
    case .connection(let record):
      let over = streams.filter { $0.connection == record.number }
      toldOn += UInt64(Set(over.map(\.exchange)).count)
      for stream in over { last[stream] = nil }
      streams.subtract(over)
    case .exchange, .finding: break
    }
  }

  package mutating func finish(_ summary: Summary, to output: inout some ByteSink) throws(ReportError) {
    if told > 0 { block.line() }
    let streams = toldOn + UInt64(Set(self.streams.map { [$0.connection, $0.exchange] }).count)
    var parts = [
      told == 0
        ? "no chunks, events or WebSocket messages"
        : "\(Wording.count(told, "message")) on \(Wording.count(streams, "stream"))"
    ]
    parts.append(
      "\(Wording.count(summary.connections, "connection")), \(Wording.count(summary.exchanges, "exchange"))")
    if summary.shutTLS > 0 { parts.append("\(summary.shutTLS) TLS without keys: their records are listed [--keylog]") }
    if !summary.capture.isComplete {
      parts.append("the capture is not complete: " + summary.capture.problems.joined(separator: ", "))
    }
    parts += summary.capture.limits
    block.parts(parts.map { EscapedText.text($0) }, indent: "  ", first: "", width: style.width)
    try output.write(block.taken())
  }

  // MARK: Lines

  private static let widths = (time: 9, gap: 9, packet: 8, stream: 8, kind: 8, size: 9)

  private var heading: String {
    let widths = Self.widths
    return [
      style.clock.title.aligned(right: widths.time), "gap".aligned(right: widths.gap),
      "packet".aligned(right: widths.packet), " " + "stream".padded(to: widths.stream), " ",
      "kind".padded(to: widths.kind), "size".aligned(right: widths.size), " begins",
    ].joined(separator: " ")
  }

  private mutating func line(_ piece: StreamPiece, _ connection: Int) {
    let widths = Self.widths
    let stream = Stream(connection: connection, exchange: piece.exchange, direction: piece.direction)
    let gap = last[stream].map { Wording.duration(max(0, piece.completed.time.since($0))) } ?? ""
    last[stream] = piece.completed.time
    streams.insert(stream)
    let number = piece.exchange > 0 ? "#\(connection).\(piece.exchange)" : "#\(connection)"
    let label = piece.shownLabel(redaction)
    var words = piece.kind.name.padded(to: widths.kind)
    words += " " + (piece.kind == .comment ? "" : Wording.bytes(piece.bytes)).aligned(right: widths.size)
    let first =
      [
        style.clock.text(piece.completed.time, from: origin, after: previous).aligned(right: widths.time),
        gap.aligned(right: widths.gap), "#\(piece.completed.number)".aligned(right: widths.packet),
        " " + number.padded(to: widths.stream), piece.direction == .toServer ? style.toServer : style.toClient, words,
      ].joined(separator: " ")
    previous = piece.completed.time
    let preview = [label, shown(redaction.preview(piece), after: first.visibleCount + label.visibleCount + 3)]
      .filter { !$0.isEmpty }.joined(separator: " ")
    block.line(preview.isEmpty ? first : first + "  " + preview)
  }

  /// What fits on the line.
  private func shown(_ preview: String, after used: Int) -> String {
    let room = max(16, style.width - used)
    return preview.visibleCount <= room ? preview : preview.prefix(room - 1) + "…"
  }
}
