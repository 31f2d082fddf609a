import Citation
import Events
import HTTP2Semantics

/// The streams of an HTTP/2 connection that overlap: a line each with a bar, all on one scale of time, and below them in
/// words what kept them waiting.
struct StreamLanes {
  /// Of more, those that something happened to come first.
  private static let laneLimit = 8
  private static let noteLimit = 6
  private static let titles = 7...34
  private static let bars = 16...50
  private static let gap = "  "

  private let lanes: [StreamLane]
  private let left: UInt64
  private let record: ConnectionRecord
  private let http2: HTTP2Record
  private let style: TextStyle
  private let origin: Timestamp

  /// nil where no stream was open beside another one.
  init?(_ record: ConnectionRecord, _ exchanges: [ExchangeRecord], _ style: TextStyle, _ origin: Timestamp) {
    guard let http2 = record.http2 else { return nil }
    let all = exchanges.filter { $0.key.stream != nil }.map { StreamLane($0, http2) }
      .sorted { $0.exchange.number < $1.exchange.number }
    guard Self.overlap(all) else { return nil }
    let chosen = (all.filter(\.isHurt) + all.filter { !$0.isHurt }).prefix(Self.laneLimit)
    lanes = chosen.sorted { $0.exchange.number < $1.exchange.number }
    let told = UInt64(exchanges.count - all.count + lanes.count)
    left = max(UInt64(exchanges.count), record.exchanges &- record.exchangesLeftOut) - told
    self.record = record
    self.http2 = http2
    self.style = style
    self.origin = origin
  }

  private static func overlap(_ lanes: [StreamLane]) -> Bool {
    var end: Timestamp?
    for lane in lanes.sorted(by: { $0.start < $1.start }) {
      if let end, lane.start < end { return true }
      end = max(end ?? lane.end, lane.end)
    }
    return false
  }

  // MARK: Lines

  func write(to block: inout TextBlock) {
    let most = max(Self.titles.lowerBound, min(Self.titles.upperBound, style.width / 3))
    var rows = [Cells(number: "", stream: "id", title: "stream", wait: "wait", up: "up", down: "down")]
    rows += lanes.map { cells($0, title: most) }
    if rows.dropFirst().allSatisfy(\.up.isEmpty) { rows[0].up = "" }
    if Widths(rows).around + Self.bars.lowerBound > style.width {
      for index in rows.indices { rows[index].wait = "" }
    }
    let widths = Widths(rows)
    let columns = style.width - widths.around
    let scale = StreamLane.Scale(lanes, columns: min(Self.bars.upperBound, max(Self.bars.lowerBound, columns)))
    block.line(widths.line(rows[0], axis(scale)))
    let looks = lanes.map { $0.looks(scale) }
    for (row, looks) in zip(rows.dropFirst(), looks) { block.line(widths.line(row, StreamLane.bar(looks, style))) }
    if left > 0 { block.line("    \(style.ellipsis) \(Wording.count(left, "more stream"))   [--json]") }
    let indent = String(repeating: " ", count: widths.number + 5)
    block.parts(
      ([legend(Set(looks.joined()))] + streams).filter { !$0.isEmpty }, indent: indent, first: "    ",
      width: style.width)
    writeNotes(indent: indent, to: &block)
  }

  private struct Cells {
    var number: String
    var stream: String
    var title: String
    var wait: String
    var up: String
    var down: String
  }

  /// How wide each column is. One that is empty is not there.
  private struct Widths {
    var number: Int
    private var stream: Int
    private var title: Int
    private var behind: [Int]

    init(_ rows: [Cells]) {
      let widest = { (texts: [String]) -> Int in texts.map(\.visibleCount).max() ?? 0 }
      number = widest(rows.map(\.number))
      stream = widest(rows.map(\.stream))
      title = widest(rows.map(\.title))
      behind = [widest(rows.map(\.wait)), widest(rows.map(\.up)), widest(rows.map(\.down))]
    }

    /// All that is not the bar.
    var around: Int {
      let indent = 4 + number + 1 + stream
      return behind.reduce(indent + gap.count + title + gap.count) { $1 > 0 ? $0 + gap.count + $1 : $0 }
    }

    func line(_ row: Cells, _ bar: String) -> String {
      var text = "    " + row.number.padded(to: number) + " " + row.stream.aligned(right: stream)
      text += gap + row.title.padded(to: title) + gap + bar
      for (cell, width) in zip([row.wait, row.up, row.down], behind) where width > 0 {
        text += gap + cell.aligned(right: width)
      }
      while text.last == " " { text.removeLast() }
      return text
    }
  }

  private func cells(_ lane: StreamLane, title limit: Int) -> Cells {
    let exchange = lane.exchange
    let sent = exchange.request?.bodyBytes ?? 0
    return Cells(
      number: String(exchange.number), stream: exchange.key.stream.map { String($0) } ?? "",
      title: title(exchange, upTo: limit),
      wait: exchange.wait.map { Wording.duration($0) } ?? "", up: sent > 0 ? Wording.bytes(sent) : "",
      down: exchange.response.map { Wording.bytes($0.bodyBytes) } ?? "")
  }

  /// The answer is not what is cut off.
  private func title(_ exchange: ExchangeRecord, upTo limit: Int) -> String {
    let behind = " \(style.joiner) \(exchange.answer ?? (exchange.isResponseMissing ? "not captured" : "none"))"
    let asked =
      (exchange.request?.head ?? exchange.upgraded).map { EscapedText.text($0.requestTitle) } ?? "(request not seen)"
    return style.shortened(asked, to: max(8, limit - behind.count)) + behind
  }

  /// The times of its two ends, as the lines of the timeline have them.
  private func axis(_ scale: StreamLane.Scale) -> String {
    let clock = style.clock == .delta ? .rel : style.clock
    let begin = clock.text(scale.begin, from: origin, after: nil)
    let end = clock.text(scale.begin.advanced(by: scale.nanoseconds), from: origin, after: nil)
    let space = scale.columns - begin.count - end.count
    guard space > 0 else { return begin.padded(to: scale.columns) }
    return begin + String(repeating: " ", count: space) + end
  }

  // MARK: Words

  /// What the columns mean; letters that are told with their figures are left out.
  private func legend(_ looks: Set<StreamLane.Look>) -> String {
    let told = Set(toldCauses)
    let plain: [(StreamLane.Look, String)] = [
      (.waiting, "no answer yet"), (.sending, "being sent"), (.silent, "silent"), (.reset, "reset"),
    ]
    let held = StreamPause.Cause.allCases.filter { !told.contains($0) }.map { cause in
      (StreamLane.Look.held(cause), cause.words(.toClient))
    }
    return (plain + held).filter { looks.contains($0.0) }.map { "\($0.0.mark(style)) \($0.1)" }.joined(separator: ", ")
  }

  /// Those that are told with figures.
  private var toldCauses: [StreamPause.Cause] {
    let connection = Direction.allCases.contains { !http2.stalls($0).isEmpty }
    return (connection ? [.connectionWindow] : []) + (lanes.contains { !$0.stalls.isEmpty } ? [.streamWindow] : [])
  }

  private func writeNotes(indent: String, to block: inout TextBlock) {
    let told = Set(toldCauses)
    let notes = lanes.compactMap { lane -> (String, [String])? in
      let all =
        [reset(lane.exchange)].compactMap { $0 } + words(lane.stalls)
        + ExchangeLine(exchange: lane.exchange, style: style).remarks(without: told)
      return all.isEmpty ? nil : (String(lane.exchange.number), all)
    }
    for note in notes.prefix(Self.noteLimit) {
      block.parts(note.1, indent: indent, first: "    " + note.0.padded(to: indent.count - 4), width: style.width)
    }
    if notes.count > Self.noteLimit {
      let more = Wording.count(UInt64(notes.count - Self.noteLimit), "more stream")
      block.line("    \(style.ellipsis) \(more) with remarks   [--json]")
    }
  }

  /// How many there were, what they were allowed, and where the connection held all of them up.
  private var streams: [String] {
    var parts = ["\(Wording.count(http2.opened, "stream")), at most \(Wording.number(UInt64(http2.most))) at a time"]
    if let limit = setting(HTTP2Setting.maxConcurrentStreams, .toClient) { parts[0] += " of \(Wording.number(limit))" }
    if http2.beginning != .midstream {
      let windows = Direction.allCases.map { direction in
        "\(Wording.sender(direction))'s \(Wording.bytes(setting(HTTP2Setting.initialWindowSize, direction) ?? 65_535))"
      }
      parts.append("window of a stream: " + windows.joined(separator: ", "))
    }
    for direction in Direction.allCases {
      parts += words(http2.stalls(direction).map { (direction, $0) }, isConnection: true)
    }
    if let full = http2.fullTimes.max(by: { $0.nanoseconds < $1.nanoseconds }) {
      parts.append(
        "all \(Wording.count(UInt64(full.limit), "place")) taken for \(Wording.duration(full.nanoseconds)) "
          + "(#\(full.since.number) \(style.joiner) #\(full.freed.number))")
    }
    return parts
  }

  private func reset(_ exchange: ExchangeRecord) -> String? {
    guard let code = exchange.end.resetCode else { return nil }
    let by = exchange.end.closing?.by.map { " by \(Wording.sender($0))" } ?? ""
    let place = exchange.end.closing?.at.map { " (#\($0.number))" } ?? ""
    return "reset\(by): \(HTTP2ErrorCode(code).name)\(place)"
  }

  private func setting(_ id: UInt16, _ direction: Direction) -> UInt64? {
    http2.sides[direction].settings.first { $0.id == id }.map { UInt64($0.value) }
  }

  /// `S no credit for the stream from the client 2.400 s (#12 → #15)`, `window at most 65,535 B`, for each direction.
  private func words(
    _ stalls: [(direction: Direction, stall: CreditRecord.Stall)], isConnection: Bool = false
  ) -> [String] {
    Direction.allCases.flatMap { direction -> [String] in
      let own = stalls.filter { $0.direction == direction }.map(\.stall)
      guard let worst = own.max(by: { $0.nanoseconds < $1.nanoseconds }) else { return [] }
      let cause = isConnection ? StreamPause.Cause.connectionWindow : .streamWindow
      let times = own.count > 1 ? ", \(own.count) times, longest" : ""
      let total = own.reduce(Int64(0)) { $0 &+ $1.nanoseconds }
      let place = "#\(worst.emptied.number) \(style.joiner) #\(worst.resumed.number)"
      let never = worst.isOver ? "" : ", never given"
      let words = "\(cause.mark ?? "") \(cause.words(direction)) \(Wording.duration(total))\(times) (\(place))\(never)"
      return [style.paint(words, .warning), "window at most \(Wording.bytes(UInt64(max(0, worst.window))))"]
    }
  }
}

extension HTTP2Record {
  /// Times without credit for the connection of which there is something to tell.
  fileprivate func stalls(_ direction: Direction) -> [CreditRecord.Stall] {
    credit[direction].stalls.filter { $0.nanoseconds >= StreamLane.told }
  }
}
