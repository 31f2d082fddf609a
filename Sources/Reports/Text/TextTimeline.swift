import Citation
import Events

/// The timeline of a connection, one event per line, with its time and packets.
struct TextTimeline {
  /// A silence as long as this gets a line of its own.
  private static let silence: Int64 = 500_000_000
  /// Lines of the short form.
  private static let shortLimit = 14
  /// The same below lanes, which show the course of streams already.
  private static let shortLimitBesideLanes = 6
  /// Minimum and maximum width of the event column if another column follows.
  private static let words = 24...44
  private static let gap = "   "
  /// The text after the column of what the app has received.
  private static let bracket = "  ┐ held 15 min 02 s".count

  /// Lines that the short form adds for what findings cite.
  private static let citedLimit = 6

  let record: ConnectionRecord
  let exchanges: [ExchangeRecord]
  /// Packets that the findings of the connection cite.
  let cited: Set<UInt64>
  /// Streams are drawn above.
  let isBesideLanes: Bool
  let style: TextStyle
  let origin: Timestamp

  func write(to block: inout TextBlock) {
    let entries = TimelineLine.lines(
      of: told, record.timelineCuts, style, folds: isBesideLanes && style.timeline != .full)
    let shown = shown(of: entries)
    let stamps = stamps(of: entries)
    let widths = (
      stamp: max(9, stamps.map(\.count).max() ?? 0), packet: max(6, entries.map { $0.packets.count }.max() ?? 0)
    )
    let margin = { (stamp: String, packet: String, arrow: String) in
      "    " + stamp.padded(to: widths.stamp) + " " + packet.aligned(right: widths.packet) + "  " + arrow + " "
    }
    let column = record.webSocket == nil ? bodyColumn(entries) : nil
    let hold = column.flatMap { holdColumn(after: margin("", "", " ").visibleCount + $0.words + $0.figures) }
    let aside = margin("    " + style.ellipsis, "", " ".padded(to: style.toServer.count))
    let title = record.exchanges > 0 ? "on the wire" : "what"
    let lanes = record.webSocket == nil ? nil : SocketLanes(entries, style)
    let heading = margin(style.clock.title, "packet", lanes == nil ? " ".padded(to: style.toServer.count) : "")
    let columns = lanes?.heading ?? column.map { title.padded(to: $0.words) + "body".aligned(right: $0.figures) }
    block.line(heading + (columns ?? title) + (hold.map { Self.gap + $0.title } ?? ""))
    var previous: (index: Int, end: Timestamp)?
    for index in shown {
      let entry = entries[index]
      if let previous {
        let hidden = index - previous.index - 1
        let skipped = entries[(previous.index + 1)...index].reduce(UInt64(hidden)) { $0 &+ $1.leftOut }
        let silence = entry.start.time.since(previous.end)
        if skipped > 0 {
          block.line(aside + Wording.count(skipped, "more line") + (hidden > 0 ? "   [--timeline full]" : ""))
        } else if silence >= Self.silence, !entry.standsForMore {
          let words =
            "silent \(Wording.duration(silence))"
            + SilenceWords.explanation(
              from: entries[previous.index].end, to: entry.start, next: entry.direction, record.pauses)
          let cell = hold?.cell(after: entries[previous.index]) ?? ""
          let width = column.map { $0.words + $0.figures } ?? 0
          block.line(aside + (cell.isEmpty ? words : words.padded(to: width) + Self.gap + cell))
        }
      }
      if let lanes {
        let first = margin(stamps[index], entry.packets, "")
        let (lead, words) = lanes.cells(entry)
        block.paragraph(
          words, indent: String(repeating: " ", count: first.count + lead.count), first: first + lead,
          width: style.width)
        previous = (index, entry.end.time)
        continue
      }
      let first = margin(stamps[index], entry.packets, entry.arrow)
      let indent = String(repeating: " ", count: first.count)
      let cell = hold?.cell(entry) ?? ""
      if let column, entry.body != nil || !cell.isEmpty {
        let body = entry.body.map { Wording.bytes($0) } ?? ""
        // Words that are longer than their column push the figure on.
        let cells =
          entry.words.visibleCount + 2 > column.words && !body.isEmpty
          ? entry.words + "  " + body : entry.words.padded(to: column.words) + body.aligned(right: column.figures)
        block.line(first + (cell.isEmpty ? cells : cells + Self.gap + cell))
      } else {
        block.paragraph(entry.words, indent: indent, first: first, width: style.width)
      }
      previous = (index, entry.end.time)
    }
  }

  /// In the short form the beginning, the end, both sides of the longest silence, and what findings cite.
  private func shown(of lines: [TimelineLine]) -> [Int] {
    let limit = isBesideLanes ? Self.shortLimitBesideLanes : Self.shortLimit
    guard style.timeline != .full, lines.count > limit + 2 else { return Array(lines.indices) }
    var shown = Set(0..<(limit * 2 / 3)).union((lines.count - limit / 3)..<lines.count)
    let pauses = lines.indices.dropFirst().filter { lines[$0].leftOut == 0 && !lines[$0].standsForMore }
    let silence = { (index: Int) in lines[index].start.time.since(lines[index - 1].end.time) }
    if let longest = pauses.max(by: { silence($0) < silence($1) }), silence(longest) >= Self.silence {
      shown.formUnion([longest - 1, longest])
    }
    let more = lines.indices.lazy.filter { index in
      // Where packets came out of order, a line may begin with a later one than it ends with.
      let (one, other) = (lines[index].start.number, lines[index].end.number)
      return !shown.contains(index) && cited.contains { $0 >= min(one, other) && $0 <= max(one, other) }
    }
    return shown.union(Array(more.prefix(Self.citedLimit))).sorted()
  }

  /// What the app has received, if the client buffers a response and there is room.
  private func holdColumn(after width: Int) -> HoldColumn? {
    guard let hold = HoldColumn(exchanges, style),
      width + Self.gap.count + hold.title.count + Self.bracket <= style.width
    else { return nil }
    return hold
  }

  private func stamps(of lines: [TimelineLine]) -> [String] {
    lines.indices.map { index in
      style.clock.text(
        lines[index].start.time, from: origin, after: index > 0 ? lines[index - 1].end.time : nil)
    }
  }

  /// The handshake is shown in full unless it is normal and followed by HTTP.
  private var told: [TimelineEntry] {
    guard record.exchanges > 0, style.timeline != .full else { return record.timeline }
    return record.timeline.filter { $0.kind != .observation(.syn) && $0.kind != .observation(.synAck) }
  }

  /// How wide the columns are in which a body grows; nil when none comes in pieces.
  private func bodyColumn(_ lines: [TimelineLine]) -> (words: Int, figures: Int)? {
    let growing = lines.filter { $0.body != nil }
    guard lines.contains(where: \.continuesBody) else { return nil }
    let longest = growing.map(\.words.visibleCount).max() ?? 0
    let figures = growing.compactMap { $0.body.map { Wording.bytes($0).count } }.max() ?? 0
    return (min(max(longest, Self.words.lowerBound), Self.words.upperBound) + 2, max(figures, 7))
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
