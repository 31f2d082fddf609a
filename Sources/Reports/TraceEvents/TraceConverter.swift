import Events

/// The trace-event format of Chrome, which Perfetto and DevTools show on a time line.
///
/// One process per server, with tracks for each connection: one for its handshakes, one for its exchanges (more where they
/// overlap, as pipelined ones do), one for each direction's silence and one for each client that holds responses. Chunks,
/// events, messages and findings are instants.
enum TraceConverter: ConnectionwiseConverter {
  /// More instants than that no viewer draws at once; the longest documents have as many items.
  static let instantLimit = 200_000

  static func write(
    _ readings: inout [DocumentReading], _ context: ConversionContext, to output: inout some ByteSink
  ) throws(ReportError) {
    var story = TraceStory(instantLimit: instantLimit)
    let clocks = readings.map { DocumentClock($0.frame) }
    let first = clocks.map(\.origin).min() ?? .zero
    for (index, clock) in clocks.enumerated() {
      // Captures of one run stand beside each other as their clocks do.
      let (offset, overflows) = clock.origin.nanoseconds.subtractingReportingOverflow(first.nanoseconds)
      story.add(&readings[index], offset: overflows ? 0 : offset, isOneOfSeveral: readings.count > 1)
    }
    let documents = readings.map(\.frame)
    var json = JSONWriter(.indented)
    json.beginObject()
    json.field("displayTimeUnit", "ms")
    json.object("otherData") { json in
      json.field("creator", "streamscope")
      json.field("version", context.version)
      json.array("captures") { list in
        for document in documents { list.value(document["capture"]?.text("file") ?? "") }
      }
      if clocks.contains(where: \.isKnown) { json.field("startTime", ClockTime(first).text) }
      let problems = documents.flatMap { $0["capture"]?.elements("problems").compactMap(\.text) ?? [] }
      let isWhole = documents.allSatisfy { $0["capture"]?["complete"]?.flag != false }
      json.field("complete", isWhole)
      if !problems.isEmpty { json.array("problems") { list in for problem in problems { list.value(problem) } } }
      if story.instantsCut > 0 { json.field("instantsCut", story.instantsCut) }
      if story.itemsCut > 0 { json.field("itemsCut", story.itemsCut) }
      for key in ["connectionsCut", "exchangesCut", "findingsCut"] {
        let cut = documents.compactMap { $0.integer(key) }.reduce(Int64(0)) {
          $0.addingReportingOverflow($1).partialValue
        }
        if cut > 0 { json.field(FieldName(key), cut) }
      }
    }
    json.key("traceEvents")
    json.beginArray()
    story.tracks.write(to: &json)
    // Those of one moment stay as they were made, outer slices before what is inside them: viewers nest by that.
    try story.events.write(to: &json, &output)
    json.endArray()
    json.endObject()
    json.endLine()
    try output.write(json.bytes)
  }

  static func missing(in document: DocumentNode) -> [String] {
    guard document.elements("connections").contains(where: DocumentItems.areWanted) else { return [] }
    return ["the document holds no items: the trace lacks chunks, events and messages"]
  }
}
