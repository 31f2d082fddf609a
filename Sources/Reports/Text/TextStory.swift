import Events
import Trace

/// One connection: who, how much, how it ended, and what happened when.
struct TextStory {
  /// A silence as long as this gets a line of its own.
  private static let silence: Int64 = 500_000_000
  /// Lines of the short form.
  private static let shortLimit = 14

  let record: ConnectionRecord
  let style: TextStyle
  let origin: Timestamp

  func write(to block: inout TextBlock) {
    block.line()
    var head = ["\(record.client) \(style.joiner) \(record.server)"]
    let wrapping = record.encapsulation.isEmpty ? "" : " in " + record.encapsulation.joined(separator: ", ")
    head.append("TCP" + wrapping)
    if record.isMidstream { head.append("joined mid-stream") }
    if record.isOneSided { head.append("one side only") }
    if let vantage = record.roundTrip.vantage { head.append(vantage.words) }
    if let total = record.roundTrip.total { head.append("RTT " + Wording.duration(total)) }
    block.parts(head, indent: "    ", first: "#\(record.number)  ", width: style.width)
    block.parts(
      ["up \(figures(.toServer))", "down \(figures(.toClient))", Wording.duration(record.duration), end],
      indent: "    ", width: style.width)
    guard style.timeline != .none, !record.timeline.isEmpty else { return }
    block.line()
    writeTimeline(to: &block)
  }

  private func figures(_ direction: Direction) -> String {
    let side = record.sides[direction]
    var text = "\(Wording.bytes(side.bytes)) in \(Wording.count(side.packets, "packet"))"
    var asides: [String] = []
    if side.retransmittedBytes > 0 { asides.append("\(Wording.bytes(side.retransmittedBytes)) again") }
    if side.outOfOrder > 0 { asides.append("\(Wording.number(side.outOfOrder)) out of order") }
    if side.missingBytes > 0 { asides.append("\(Wording.bytes(side.missingBytes)) missing") }
    if side.duplicatePackets > 0 { asides.append("\(Wording.number(side.duplicatePackets)) captured twice") }
    if !asides.isEmpty { text += " (" + asides.joined(separator: ", ") + ")" }
    return text
  }

  private var end: String {
    let packet = record.end.packet.map { " (#\($0.number))" } ?? ""
    switch record.end.kind {
    case .fin:
      return record.end.by == .both
        ? "closed by both at once\(packet)" : "closed by \(record.end.by.rawValue): FIN\(packet)"
    case .reset: return "reset by \(record.end.by.rawValue)\(packet)"
    case .open:
      let isUnanswered = record.sides.toClient.packets == 0 && !record.isMidstream
      return isUnanswered ? "no answer captured" : "still open when the capture ends"
    case .evicted: return "put away early"
    }
  }

  private func writeTimeline(to block: inout TextBlock) {
    let entries = TimelineLine.lines(of: record.timeline, style)
    let limit = style.timeline == .full ? entries.count : Self.shortLimit
    let shown =
      entries.count <= limit + 2
      ? entries.indices.map { $0 }
      : Array(0..<(limit * 2 / 3)) + Array((entries.count - limit / 3)..<entries.count)
    let stamps = stamps(of: entries)
    let widths = (
      stamp: max(9, stamps.map(\.count).max() ?? 0), packet: max(6, entries.map { $0.packets.count }.max() ?? 0)
    )
    let margin = { (stamp: String, packet: String, arrow: String) in
      "    " + stamp.padded(to: widths.stamp) + " " + packet.aligned(right: widths.packet) + "  " + arrow + " "
    }
    let aside = margin("    " + style.ellipsis, "", " ".padded(to: style.toServer.count))
    block.line(margin(style.clock.title, "packet", " ".padded(to: style.toServer.count)) + "what")
    var previous: (index: Int, end: Timestamp)?
    for index in shown {
      let entry = entries[index]
      if let previous {
        let skipped = index - previous.index - 1
        let silence = entry.start.time.since(previous.end)
        if skipped > 0 {
          block.line(aside + "\(Wording.count(UInt64(skipped), "more line"))   [--timeline full]")
        } else if silence >= Self.silence, !entry.standsForMore {
          block.line(aside + "silent \(Wording.duration(silence))")
        }
      }
      let first = margin(stamps[index], entry.packets, entry.arrow)
      let indent = String(repeating: " ", count: first.count)
      block.paragraph(entry.words, indent: indent, first: first, width: style.width)
      previous = (index, entry.end.time)
    }
    if record.timelineCut > 0 {
      block.line(aside + "\(Wording.count(record.timelineCut, "line")) left out before the last ones")
    }
  }

  private func stamps(of lines: [TimelineLine]) -> [String] {
    lines.indices.map { index in
      style.clock.text(
        lines[index].start.time, from: origin, after: index > 0 ? lines[index - 1].end.time : nil)
    }
  }
}

extension TextStyle.Clock {
  var title: String {
    switch self {
    case .rel: "time s"
    case .delta: "after s"
    case .utc: "time UTC"
    case .epoch: "epoch s"
    }
  }

  func text(_ time: Timestamp, from origin: Timestamp, after previous: Timestamp?) -> String {
    let seconds = { (nanoseconds: Int64) in
      (nanoseconds < 0 ? "-" : "") + Wording.decimal(nanoseconds.magnitude / 100_000, places: 4)
    }
    switch self {
    case .rel: return seconds(time.since(origin))
    case .delta: return seconds(previous.map { time.since($0) } ?? 0)
    case .epoch:
      return (time.nanoseconds < 0 ? "-" : "") + Wording.decimal(time.nanoseconds.magnitude / 1_000, places: 6)
    case .utc: return String(ClockTime(time).text.dropFirst(11).dropLast(4))
    }
  }
}
