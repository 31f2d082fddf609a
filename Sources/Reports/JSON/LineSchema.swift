import Citation
import Events

// The lines of streamscope.event/1, without the first and those of errors. Rows of tables have the same fields: these
// functions write both.

extension JSONWriter {
  /// The fields of a line about an item, inside an object that the caller opened.
  mutating func line(_ item: ReportItem, _ rows: inout RowContext, _ context: ResultContext) {
    let capture = rows.capture
    switch item {
    case .connection(let record):
      rows.close(record.number)
      row("connection", record.firstPacket.time, rows.uid(record.number), capture)
      connection(record, nil, context)
    case .exchange(let record):
      let start = record.messages.first { _ in true }?.first.time ?? context.origin
      row("exchange", start, rows.uid(record.key), capture)
      field("startNs", context.relative(start))
      field("connection", record.key.connection)
      place(record.endpoint, kind: record.kind.rawValue)
      exchange(record, context)
    case .piece(let piece): line(piece.value, &rows, context)
    case .loss(let record):
      row("loss", record.before.time, nil, capture)
      loss(record, context)
    case .stall(let record):
      row(
        "stall", record.stream.last.time.advanced(by: record.nanoseconds), rows.uid(record.stream.key), capture)
      stall(record, context)
    case .finding(let record):
      let uid = record.connection.map { rows.uid(ExchangeKey(connection: $0, number: record.exchange ?? 0)) }
      row("finding", record.firstPacket.number > 0 ? record.firstPacket.time : context.origin, uid, capture)
      field("fingerprint", rows.ordinals.fingerprint(of: FindingName(record)))
      place(record.place, kind: nil)
      finding(record, context)
    }
  }

  private mutating func line(_ piece: Item, _ rows: inout RowContext, _ context: ResultContext) {
    let gap = rows.gap(before: piece)
    if isTree || form.isIndented {
      Self.add(piece, gap, rows, context, to: &self)
    } else {
      // Fourteen fields, none with a name or a value of more than thirty bytes but for those that name the capture.
      let room = 14 * 64 + 2 * rows.capture.utf8.count
      PlainFieldText.write(to: &self, room: room) { Self.add(piece, gap, rows, context, to: &$0) }
    }
    words(of: piece, context)
  }

  /// The fields of a piece but for what a peer said in it.
  @inline(__always)
  private static func add(
    _ piece: Item, _ gap: Int64?, _ rows: RowContext, _ context: ResultContext, to fields: inout some PlainFields
  ) {
    let key = piece.key
    let completed = piece.completed
    fields.row(piece.rowType.name, completed.time, rows.uid(key), rows.capture)
    fields.add("connection", number: Int64(key.connection))
    if let gap { fields.add("gapNs", number: gap) }
    fields.add("kind", word: piece.kind.name)
    if key.number > 0 { fields.add("exchange", number: Int64(key.number)) }
    fields.add("direction", word: piece.direction.name)
    fields.add("ns", number: context.relative(completed.time))
    fields.add("spanNs", number: piece.span)
    fields.add("packet", count: completed.number)
    fields.add("firstPacket", count: piece.first.number)
    fields.add("bytes", count: piece.bytes)
  }

  /// What a line of a histogram has besides what every line has.
  mutating func histogramLine(
    _ endpoint: EndpointName, _ kind: ExchangeKind, _ measure: String, _ direction: Direction?,
    _ values: ExponentialHistogram
  ) {
    place(endpoint, kind: kind.rawValue)
    field("direction", direction?.name)
    field("measure", measure)
    object("histogram") { $0.histogram(values) }
  }

  /// What the last line has besides.
  mutating func summaryLine(_ summary: Summary, _ context: ResultContext) {
    field("schema", "streamscope.event/1")
    capture(summary.capture, context)
    self.summary(summary)
    endpoints(summary)
    assertions(summary.assertions)
  }
}
