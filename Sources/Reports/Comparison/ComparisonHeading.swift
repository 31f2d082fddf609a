import Citation
import Events

/// The two captures, how they relate, and the verdict.
struct ComparisonHeading {
  let record: ComparisonRecord
  let style: TextStyle

  func write(to block: inout TextBlock) {
    for side in CompareSide.allCases { write(record.captures[side], side, to: &block) }
    block.paragraph(relation, indent: "   ", first: "", width: style.width)
    if let clock = record.clock { block.paragraph(words(clock), indent: "   ", first: "", width: style.width) }
    for limit in record.limits {
      block.paragraph("Unsure: " + EscapedText.text(limit), indent: "   ", first: "", width: style.width)
    }
    block.paragraph(verdict, indent: "   ", first: "", width: style.width)
  }

  private func write(_ summary: Summary, _ side: CompareSide, to block: inout TextBlock) {
    let capture = summary.capture
    let exchanges = summary.exchanges > 0 ? ", " + Wording.count(summary.exchanges, "exchange") : ""
    let sockets = summary.webSockets > 0 ? ", " + Wording.count(summary.webSockets, "WebSocket") : ""
    var parts = [
      FileName(path: capture.file).base,
      "\(Wording.count(capture.packets, "packet")), \(Wording.duration(capture.duration))",
      Wording.count(summary.connections, "connection") + exchanges + sockets,
    ]
    let problems =
      capture.problems + (capture.isComplete || !capture.problems.isEmpty ? [] : ["not read to the end"])
    parts += problems.map { EscapedText.text($0) }
    if summary.missingBytes > 0 { parts.append("\(Wording.bytes(summary.missingBytes)) missing") }
    if let dropped = capture.dropped, dropped > 0 {
      parts.append("\(Wording.count(dropped, "packet")) dropped while capturing")
    }
    block.parts(parts, indent: "   ", first: "\(side.name)  ", width: style.width)
  }

  private var relation: String {
    let relation = record.relation
    switch relation.kind {
    case .points:
      let place = relation.outer.map { "; \($0.name) is nearer to the client" } ?? ""
      return "The same traffic at two points (\(relation.reason))\(place)."
    case .runs:
      return "Two runs (\(relation.reason)): each exchange is compared with its counterpart, from its own start."
    }
  }

  /// `B's clock is 0.30 ms ahead; 0.10 ms to 0.50 ms ahead is possible (12 matched moments); too short to measure a drift.`
  private func words(_ clock: ClockAlignment) -> String {
    let moments = Wording.count(UInt64(clamping: clock.samples), "matched moment")
    let offset =
      clock.offset == 0
      ? "B's clock is assumed to agree with A's"
      : "B's clock is \(Wording.duration(Int64(clamping: clock.offset.magnitude))) "
        + (clock.offset > 0 ? "ahead" : "behind")
    let unsure =
      clock.least == clock.most
      ? "" : "; \(Wording.duration(clock.least)) to \(Wording.duration(clock.most)) ahead is possible"
    let drift: String
    switch clock.drift {
    case nil: drift = "too short to measure a drift"
    case 0?: drift = "no drift of more than \(Self.partsPerMillion(clock.driftUncertainty)) ppm"
    case let value?:
      drift =
        "it runs \(Self.partsPerMillion(Int64(clamping: value.magnitude))) ppm \(value > 0 ? "fast" : "slow"), "
        + "within \(Self.partsPerMillion(clock.driftUncertainty))"
    }
    return "\(offset)\(unsure) (\(moments)); \(drift)."
  }

  /// One ppm is a thousand nanoseconds per second.
  private static func partsPerMillion(_ drift: Int64) -> String {
    Wording.decimal(UInt64(clamping: drift) / 10, places: 2)
  }

  private var verdict: String {
    let pairs = record.pairs.count
    guard pairs > 0 || !record.connections.isEmpty else { return "The two captures have nothing in common." }
    if record.isIdentical { return "\(matched): identical." }
    var counts: [ComparisonVerdict.Word: UInt64] = [:]
    for pair in record.pairs { counts[pair.worst, default: 0] += 1 }
    let words = ComparisonVerdict.Word.allCases.reversed().compactMap { word in
      counts[word].map { "\(Wording.number($0)) \(word.rawValue)" }
    }
    let other = record.connections.count { !$0.differences.isEmpty }
    let differing = other > 0 ? ["\(Wording.count(UInt64(other), "connection")) different"] : []
    let left = CompareSide.allCases.compactMap { side -> String? in
      let count = record.unmatched[side].count + record.unmatchedConnections[side].count
      return count > 0 ? "\(Wording.number(UInt64(count))) only in \(side.name)" : nil
    }
    return "\(matched): \((words + differing + left).joined(separator: ", "))."
  }

  private var matched: String {
    var parts: [String] = []
    if !record.pairs.isEmpty { parts.append("\(Wording.count(UInt64(record.pairs.count), "exchange"))") }
    if !record.connections.isEmpty {
      parts.append("\(Wording.count(UInt64(record.connections.count), "connection")) without exchanges")
    }
    return parts.joined(separator: " and ") + " matched"
  }
}
